//! `PrefixFilter`: rows whose key begins so.

use bytes::Bytes;
use tablesmith_model::Cell;

use super::ReturnCode;
use super::rule::Rule;

/// Ends the scan as soon as a key lies past the prefix, in the direction of the scan.
#[derive(Debug)]
pub(super) struct Prefix {
    prefix: Bytes,
    reversed: bool,
    passed: bool,
    filter_row: bool,
}

impl Prefix {
    pub(super) fn new(prefix: &Bytes, reversed: bool) -> Self {
        Self { prefix: prefix.clone(), reversed, passed: false, filter_row: true }
    }
}

impl Rule for Prefix {
    fn reset(&mut self) {
        self.filter_row = true;
    }

    fn row_key(&mut self, row: &[u8]) -> bool {
        if self.passed {
            return true;
        }
        // A key shorter than the prefix says nothing on whether the scan is past it.
        let Some(head) = row.get(..self.prefix.len()) else { return true };
        let order = head.cmp(&self.prefix);
        self.passed = if self.reversed { order.is_lt() } else { order.is_gt() };
        self.filter_row = order.is_ne();
        self.filter_row
    }

    fn all_remaining(&self) -> bool {
        self.passed
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
    use crate::filter::Filter;
    use crate::filter::eval::FilterRun;
    use crate::filter::testing::reader::{rows, rows_of};

    fn filter() -> Filter {
        Filter::Prefix("b".into())
    }

    #[test]
    fn rows_of_the_prefix_pass() {
        assert_eq!(rows(&filter(), &rows_of(["a", "b", "ba", "bz", "c"]), false), ["b", "ba", "bz"]);
        assert_eq!(rows(&filter(), &rows_of(["c", "bz", "b", "a"]), true), ["bz", "b"]);
    }

    #[test]
    fn the_scan_ends_behind_the_prefix() {
        for (reversed, before, behind) in [(false, "a", "c"), (true, "c", "a")] {
            let mut run = FilterRun::new(&filter(), reversed).unwrap();
            assert!(run.filter_row_key(before.as_bytes()) && !run.all_remaining());
            assert!(run.filter_row_key(b"") && !run.all_remaining());
            assert!(run.filter_row_key(behind.as_bytes()) && run.all_remaining());
            assert!(run.filter_row_key(b"b"));
        }
    }
}
