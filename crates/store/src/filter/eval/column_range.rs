//! `ColumnRangeFilter`: columns from one qualifier to another.

use std::cmp::Ordering;

use bytes::Bytes;
use tablesmith_model::Cell;

use super::rule::Rule;
use super::{Hint, ReturnCode};

/// Jumps to the range's begin, and to the next row behind its end.
#[derive(Debug)]
pub(super) struct ColumnRange {
    min: Option<Bytes>,
    min_inclusive: bool,
    max: Option<Bytes>,
    max_inclusive: bool,
}

impl ColumnRange {
    pub(super) fn new(
        min: Option<Bytes>,
        min_inclusive: bool,
        max: Option<Bytes>,
        max_inclusive: bool,
    ) -> Self {
        Self { min, min_inclusive, max, max_inclusive }
    }
}

impl Rule for ColumnRange {
    fn row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        if let Some(min) = &self.min {
            match cell.qualifier.cmp(min) {
                Ordering::Less => return ReturnCode::SeekHint,
                Ordering::Equal if !self.min_inclusive => return ReturnCode::NextColumn,
                Ordering::Equal | Ordering::Greater => {}
            }
        }
        let Some(max) = &self.max else { return ReturnCode::Include };
        match cell.qualifier.cmp(max) {
            Ordering::Less => ReturnCode::Include,
            Ordering::Equal if self.max_inclusive => ReturnCode::Include,
            Ordering::Equal | Ordering::Greater => ReturnCode::NextRow,
        }
    }

    fn hint(&mut self, cell: &Cell) -> Option<Hint> {
        Some(Hint::column_of(cell, self.min.clone().unwrap_or_default()))
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
    fn ends_belong_or_not() {
        use ReturnCode::{Include, NextColumn, NextRow, SeekHint};
        let range = |min_inclusive, max_inclusive| Filter::ColumnRange {
            min: Some("b".into()),
            min_inclusive,
            max: Some("d".into()),
            max_inclusive,
        };
        let cells = columns(["a", "b", "c", "d", "e"]);
        assert_eq!(codes(&range(true, true), &cells), [SeekHint, Include, Include, Include, NextRow]);
        assert_eq!(codes(&range(false, false), &cells), [SeekHint, NextColumn, Include, NextRow, NextRow]);
    }

    #[test]
    fn an_open_end_is_not_the_empty_qualifier() {
        let range = |max| Filter::ColumnRange { min: None, min_inclusive: false, max, max_inclusive: false };
        assert_eq!(codes(&range(None), &columns(["a"])), [ReturnCode::Include]);
        assert_eq!(codes(&range(Some(Bytes::new())), &columns(["a"])), [ReturnCode::NextRow]);
    }
}
