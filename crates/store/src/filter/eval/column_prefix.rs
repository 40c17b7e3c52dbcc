//! `ColumnPrefixFilter`: columns whose qualifier begins so.

use std::cmp::Ordering;

use bytes::Bytes;
use tablesmith_model::Cell;

use super::rule::Rule;
use super::{Hint, ReturnCode};

/// Jumps to the first column that can begin so, and to the next row behind the last.
#[derive(Debug)]
pub(super) struct ColumnPrefix {
    prefix: Bytes,
}

impl ColumnPrefix {
    pub(super) fn new(prefix: &Bytes) -> Self {
        Self { prefix: prefix.clone() }
    }
}

impl Rule for ColumnPrefix {
    fn row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        let head = cell.qualifier.get(..self.prefix.len()).unwrap_or(&cell.qualifier);
        match head.cmp(&self.prefix) {
            Ordering::Less => ReturnCode::SeekHint,
            Ordering::Equal => ReturnCode::Include,
            Ordering::Greater => ReturnCode::NextRow,
        }
    }

    fn hint(&mut self, cell: &Cell) -> Option<Hint> {
        Some(Hint::column_of(cell, self.prefix.clone()))
    }

    fn is_hinting(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;
    use crate::filter::testing::reader::{codes, columns};

    #[test]
    fn jumps_to_the_prefix_and_leaves_behind_it() {
        let answers = codes(&Filter::ColumnPrefix("bb".into()), &columns(["a", "b", "bb", "bbx", "bc", "c"]));
        use ReturnCode::{Include, NextRow, SeekHint};
        assert_eq!(answers, [SeekHint, SeekHint, Include, Include, NextRow, NextRow]);
        let cell = Cell::put("r", "f", "a", 1, "");
        let hint = ColumnPrefix::new(&"bb".into()).hint(&cell);
        assert_eq!(hint, Some(Hint::column_of(&cell, "bb".into())));
    }
}
