//! `ValueFilter`: cells whose value compares so.

use tablesmith_model::Cell;

use super::comparator::Comparison;
use super::rule::Rule;
use super::{FilterError, ReturnCode};
use crate::filter::{Comparator, CompareOp};

/// Looks at each cell on its own, also at older versions.
#[derive(Debug)]
pub(super) struct Value {
    comparison: Comparison,
}

impl Value {
    pub(super) fn new(op: CompareOp, comparator: &Comparator) -> Result<Self, FilterError> {
        Ok(Self { comparison: Comparison::new(op, comparator)? })
    }
}

impl Rule for Value {
    fn row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        if self.comparison.holds(&cell.value) { ReturnCode::Include } else { ReturnCode::Skip }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;
    use crate::filter::testing::reader::codes;

    #[test]
    fn an_older_version_can_pass_when_the_newest_does_not() {
        let filter = Filter::Value(CompareOp::Equal, Comparator::Binary("old".into()));
        let cells = [Cell::put("r", "f", "q", 2, "new"), Cell::put("r", "f", "q", 1, "old")];
        assert_eq!(codes(&filter, &cells), [ReturnCode::Skip, ReturnCode::Include]);
    }
}
