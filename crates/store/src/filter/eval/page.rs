//! `PageFilter`: so many rows of each region.

use tablesmith_model::Cell;

use super::rule::Rule;
use super::{FilterError, ReturnCode};

/// Counts the rows that came through to [`Rule::filter_row`].
#[derive(Debug)]
pub(super) struct Page {
    size: u64,
    accepted: u64,
}

impl Page {
    pub(super) fn new(rows: u64) -> Result<Self, FilterError> {
        FilterError::check_number("a page size", rows, i64::MAX as u64)?;
        Ok(Self { size: rows, accepted: 0 })
    }
}

impl Rule for Page {
    fn all_remaining(&self) -> bool {
        self.accepted >= self.size
    }

    fn cell(&mut self, _cell: &Cell) -> ReturnCode {
        ReturnCode::Include
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn filter_row(&mut self) -> bool {
        self.accepted = self.accepted.saturating_add(1);
        self.accepted > self.size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::testing::reader::{rows, rows_of};
    use crate::filter::{Comparator, CompareOp, Filter, ListOp};

    #[test]
    fn so_many_rows_pass() {
        assert_eq!(rows(&Filter::Page(2), &rows_of(["a", "b", "c"]), false), ["a", "b"]);
        assert!(rows(&Filter::Page(0), &rows_of(["a", "b", "c"]), false).is_empty());
    }

    #[test]
    fn in_a_list_the_order_decides_what_is_counted() {
        let not_a = Filter::Row(CompareOp::NotEqual, Comparator::Binary("a".into()));
        let page_last = Filter::List(ListOp::All, vec![not_a.clone(), Filter::Page(1)]);
        assert_eq!(rows(&page_last, &rows_of(["a", "b", "c"]), false), ["b"]);
        let value = Filter::Value(CompareOp::NotEqual, Comparator::Binary("a".into()));
        let page_first = Filter::List(ListOp::All, vec![Filter::Page(1), value]);
        assert_eq!(rows(&page_first, &rows_of(["a", "b", "c"]), false), ["b"]);
    }

    #[test]
    fn a_page_of_more_than_a_long_is_refused() {
        assert!(Page::new(i64::MAX as u64).is_ok());
        assert!(Page::new(i64::MAX as u64 + 1).is_err());
    }
}
