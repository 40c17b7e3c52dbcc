//! Check-and-mutate: write to a row if it is as expected, in one step.

use bytes::Bytes;

use super::{RowMutations, TimeRange};
use crate::filter::{Comparator, CompareOp, Filter};
use crate::rpc::Step;
use crate::{Error, Row, pb};

/// What must hold for the writes to happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// The newest value of a column compares so with what is given. As in HBase the given value stands on the left:
    /// `Less` holds when *given < stored*.
    Value {
        /// The family.
        family: Bytes,
        /// The column.
        qualifier: Bytes,
        /// The operator.
        op: CompareOp,
        /// What is given.
        comparator: Comparator,
        /// Only a value of this time is looked at.
        time_range: TimeRange,
    },
    /// The column has no value, or an empty one.
    Absent {
        /// The family.
        family: Bytes,
        /// The column.
        qualifier: Bytes,
        /// Only a value of this time is looked at.
        time_range: TimeRange,
    },
    /// The filter leaves something of the row.
    Filter {
        /// The filter.
        filter: Filter,
        /// Only cells of this time are looked at.
        time_range: TimeRange,
    },
}

impl Condition {
    fn to_pb(&self, row: &Bytes) -> pb::Condition {
        let on_column =
            |family: &Bytes, qualifier: &Bytes, op: CompareOp, comparator: &Comparator, range: &TimeRange| {
                pb::Condition {
                    row: row.clone(),
                    family: Some(family.clone()),
                    qualifier: Some(qualifier.clone()),
                    compare_type: Some(op.to_pb().into()),
                    comparator: Some(comparator.to_pb()),
                    time_range: range.to_pb(),
                    filter: None,
                }
            };
        match self {
            Self::Value { family, qualifier, op, comparator, time_range } => {
                on_column(family, qualifier, *op, comparator, time_range)
            }
            Self::Absent { family, qualifier, time_range } => {
                // "Equal to nothing" is how HBase says it.
                on_column(family, qualifier, CompareOp::Equal, &Comparator::Binary(Bytes::new()), time_range)
            }
            Self::Filter { filter, time_range } => pb::Condition {
                row: row.clone(),
                filter: Some(filter.to_pb()),
                time_range: time_range.to_pb(),
                ..pb::Condition::default()
            },
        }
    }
}

/// Writes to a row if a condition holds.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckAndMutate {
    /// What must hold in the row.
    pub condition: Condition,
    /// What happens then; of the same row.
    pub then: RowMutations,
}

impl CheckAndMutate {
    pub(super) fn to_step(&self) -> Result<Step, Error> {
        let condition = Some(self.condition.to_pb(&self.then.row));
        Ok(Step::Atomic { mutations: self.then.to_wire()?, condition })
    }
}

/// Whether it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The condition held and the writes are done.
    pub success: bool,
    /// The new values of increments and appends among them.
    pub row: Row,
}
