//! `SkipFilter` (SKIP): leaves out a whole row when the filter inside would leave out, or jump after, any cell of it.

use tablesmith_model::Cell;

use super::ReturnCode;
use super::rule::Rule;

/// Passes on cells alone: the filter inside sees no row keys, gives no hints, removes no cells at the end of a row.
/// So one that decides on the row key (`PrefixFilter`) never comes to it. HBase's does the same.
#[derive(Debug)]
pub(super) struct Skip {
    inner: Box<dyn Rule>,
    filter_row: bool,
}

impl Skip {
    pub(super) fn new(inner: Box<dyn Rule>) -> Self {
        Self { inner, filter_row: false }
    }
}

impl Rule for Skip {
    fn reset(&mut self) {
        self.inner.reset();
        self.filter_row = false;
    }

    fn row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        let code = self.inner.cell(cell);
        self.filter_row |= code != ReturnCode::Include;
        code
    }

    fn transform(&mut self, cell: Cell) -> Cell {
        self.inner.transform(cell)
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn filter_row(&mut self) -> bool {
        self.filter_row
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.inner.is_family_essential(family)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::testing::reader::{rows, rows_of, scan};
    use crate::filter::{Comparator, CompareOp, Filter};

    #[test]
    fn one_bad_cell_and_the_row_is_gone() {
        let filter =
            Filter::Skip(Box::new(Filter::Value(CompareOp::NotEqual, Comparator::Binary("bad".into()))));
        let cells = [("a", "q", "good"), ("b", "p", "good"), ("b", "q", "bad"), ("c", "q", "good")];
        let cells = cells.map(|(row, q, value)| Cell::put(row, "f", q, 1, value));
        assert_eq!(rows(&filter, &cells, false), ["a", "c"]);
    }

    #[test]
    fn a_code_that_takes_and_jumps_counts_as_bad() {
        let filter = Filter::Skip(Box::new(Filter::ColumnCountGet(5)));
        assert!(scan(&filter, &rows_of(["a"]), false).is_empty());
    }

    #[test]
    fn row_keys_do_not_reach_the_filter_inside() {
        assert!(rows(&Filter::Skip(Box::new(Filter::Prefix("a".into()))), &rows_of(["a"]), false).is_empty());
    }
}
