//! `WhileMatchFilter` (WHILE): ends at the first thing the filter inside would leave out, or jump after.

use tablesmith_model::Cell;

use super::ReturnCode;
use super::rule::Rule;

/// Passes on row keys, cells and the end of the row, but no hints, and lets nobody remove cells at the end of a row.
/// HBase's does the same.
#[derive(Debug)]
pub(super) struct WhileMatch {
    inner: Box<dyn Rule>,
    done: bool,
}

impl WhileMatch {
    pub(super) fn new(inner: Box<dyn Rule>) -> Self {
        Self { inner, done: false }
    }
}

impl Rule for WhileMatch {
    fn reset(&mut self) {
        self.inner.reset();
    }

    fn row_key(&mut self, row: &[u8]) -> bool {
        if self.all_remaining() {
            return true;
        }
        let filtered = self.inner.row_key(row);
        self.done |= filtered;
        filtered
    }

    fn all_remaining(&self) -> bool {
        self.done || self.inner.all_remaining()
    }

    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        let code = self.inner.cell(cell);
        self.done |= code != ReturnCode::Include;
        code
    }

    fn transform(&mut self, cell: Cell) -> Cell {
        self.inner.transform(cell)
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn filter_row(&mut self) -> bool {
        let filtered = self.inner.filter_row();
        self.done |= filtered;
        filtered
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.inner.is_family_essential(family)
    }
}

#[cfg(test)]
mod tests {
    use crate::filter::testing::reader::{rows, rows_of};
    use crate::filter::{Comparator, CompareOp, Filter};

    #[test]
    fn ends_at_the_first_row_that_is_left_out() {
        let not_b = Filter::Row(CompareOp::NotEqual, Comparator::Binary("b".into()));
        assert_eq!(rows(&Filter::While(Box::new(not_b)), &rows_of(["a", "b", "c"]), false), ["a"]);
    }

    #[test]
    fn the_filter_inside_does_not_know_that_the_scan_runs_backwards() {
        // Backwards a prefix ends the scan below it; here it believes to be past it at once.
        let prefix = Filter::Prefix("b".into());
        assert_eq!(rows(&prefix, &rows_of(["c", "b", "a"]), true), ["b"]);
        assert!(rows(&Filter::While(Box::new(prefix)), &rows_of(["c", "b", "a"]), true).is_empty());
    }
}
