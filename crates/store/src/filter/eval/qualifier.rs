//! `QualifierFilter`: cells whose qualifier compares so.

use tablesmith_model::Cell;

use super::comparator::Comparison;
use super::rule::Rule;
use super::{FilterError, ReturnCode};
use crate::filter::{Comparator, CompareOp};

/// Looks at each cell on its own.
#[derive(Debug)]
pub(super) struct Qualifier {
    comparison: Comparison,
}

impl Qualifier {
    pub(super) fn new(op: CompareOp, comparator: &Comparator) -> Result<Self, FilterError> {
        Ok(Self { comparison: Comparison::new(op, comparator)? })
    }
}

impl Rule for Qualifier {
    fn row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        if self.comparison.holds(&cell.qualifier) { ReturnCode::Include } else { ReturnCode::Skip }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;
    use crate::filter::testing::reader::{codes, columns};

    #[test]
    fn columns_pass_one_by_one() {
        let filter = Filter::Qualifier(CompareOp::Equal, Comparator::BinaryPrefix("b".into()));
        use ReturnCode::{Include, Skip};
        assert_eq!(codes(&filter, &columns(["a", "b", "bx", "c"])), [Skip, Include, Include, Skip]);
    }
}
