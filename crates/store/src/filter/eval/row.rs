//! `RowFilter`: rows whose key compares so.

use tablesmith_model::Cell;

use super::comparator::Comparison;
use super::rule::Rule;
use super::{FilterError, ReturnCode};
use crate::filter::{Comparator, CompareOp};

/// Decides on the key; cells of a row that is left out are refused too, should they come.
#[derive(Debug)]
pub(super) struct Row {
    comparison: Comparison,
    filter_row: bool,
}

impl Row {
    pub(super) fn new(op: CompareOp, comparator: &Comparator) -> Result<Self, FilterError> {
        Ok(Self { comparison: Comparison::new(op, comparator)?, filter_row: false })
    }
}

impl Rule for Row {
    fn reset(&mut self) {
        self.filter_row = false;
    }

    fn row_key(&mut self, row: &[u8]) -> bool {
        if !self.comparison.holds(row) {
            self.filter_row = true;
        }
        self.filter_row
    }

    fn cell(&mut self, _cell: &Cell) -> ReturnCode {
        if self.filter_row { ReturnCode::NextRow } else { ReturnCode::Include }
    }

    fn filter_row(&mut self) -> bool {
        self.filter_row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;
    use crate::filter::testing::reader::{rows, rows_of};

    #[test]
    fn the_row_stands_on_the_left() {
        let rows =
            |op| rows(&Filter::Row(op, Comparator::Binary("b".into())), &rows_of(["a", "b", "c"]), false);
        assert_eq!(rows(CompareOp::Less), ["a"]);
        assert_eq!(rows(CompareOp::LessOrEqual), ["a", "b"]);
        assert_eq!(rows(CompareOp::NotEqual), ["a", "c"]);
        assert_eq!(rows(CompareOp::GreaterOrEqual), ["b", "c"]);
        assert!(rows(CompareOp::NoOp).is_empty());
    }
}
