//! Check-and-mutate: write to a row if it is as expected, in one step.

use bytes::Bytes;

use crate::{Comparator, CompareOp, Filter, InvalidRequest, RowMutations, TimeRange};

/// What must hold for the writes to happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// The newest value of a column compares so with what is given. As in HBase the given value stands on the left:
    /// `Less` holds when *given < stored*. A column that is not there fails, whatever the operator.
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

/// Writes to a row if a condition holds.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckAndMutate {
    /// What must hold in the row.
    pub condition: Condition,
    /// What happens then; of the same row.
    pub then: RowMutations,
}

impl CheckAndMutate {
    /// Whether the request makes sense at all, whatever the table is.
    pub fn check(&self) -> Result<(), InvalidRequest> {
        self.then.check()
    }
}
