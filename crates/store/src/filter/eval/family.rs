//! `FamilyFilter`: cells whose family compares so.

use tablesmith_model::Cell;

use super::comparator::Comparison;
use super::rule::Rule;
use super::{FilterError, ReturnCode};
use crate::filter::{Comparator, CompareOp};

/// Leaves a family as a whole.
#[derive(Debug)]
pub(super) struct Family {
    comparison: Comparison,
}

impl Family {
    pub(super) fn new(op: CompareOp, comparator: &Comparator) -> Result<Self, FilterError> {
        Ok(Self { comparison: Comparison::new(op, comparator)? })
    }
}

impl Rule for Family {
    fn row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        let pass = cell.family.is_empty() || self.comparison.holds(&cell.family);
        if pass { ReturnCode::Include } else { ReturnCode::NextRow }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;
    use crate::filter::testing::reader::codes;

    #[test]
    fn a_family_is_left_as_a_whole() {
        let filter = Filter::Family(CompareOp::Greater, Comparator::Binary("f".into()));
        let cells = [Cell::put("r", "f", "a", 1, ""), Cell::put("r", "g", "a", 1, "")];
        assert_eq!(codes(&filter, &cells), [ReturnCode::NextRow, ReturnCode::Include]);
    }
}
