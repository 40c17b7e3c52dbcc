//! `ColumnValueFilter`: one column alone, if its value compares so.

use bytes::Bytes;
use tablesmith_model::Cell;

use super::comparator::Comparison;
use super::rule::Rule;
use super::{FilterError, ReturnCode};
use crate::filter::{Comparator, CompareOp};

/// Goes from column to column until it is there, then to the next row.
#[derive(Debug)]
pub(super) struct ColumnValue {
    family: Bytes,
    qualifier: Bytes,
    comparison: Comparison,
    found: bool,
}

impl ColumnValue {
    pub(super) fn new(
        family: &Bytes,
        qualifier: &Bytes,
        op: CompareOp,
        comparator: &Comparator,
    ) -> Result<Self, FilterError> {
        let comparison = Comparison::new(op, comparator)?;
        Ok(Self { family: family.clone(), qualifier: qualifier.clone(), comparison, found: false })
    }
}

impl Rule for ColumnValue {
    fn reset(&mut self) {
        self.found = false;
    }

    fn row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        if cell.qualifier != self.qualifier || cell.family != self.family {
            return if self.found { ReturnCode::NextRow } else { ReturnCode::NextColumn };
        }
        self.found = true;
        if self.comparison.holds(&cell.value) { ReturnCode::Include } else { ReturnCode::Skip }
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        family == self.family
    }
}
