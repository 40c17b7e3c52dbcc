//! `ColumnPaginationFilter`: so many columns of each row, after some are left out by count, or from a qualifier on.

use bytes::Bytes;
use tablesmith_model::Cell;

use super::rule::Rule;
use super::{FilterError, Hint, ReturnCode};

const MAX_COLUMNS: u64 = i32::MAX as u64;

/// By count. Columns are counted over all families of the row.
#[derive(Debug)]
pub(super) struct ColumnPagination {
    offset: u32,
    /// Where the page ends; `None` when offset and limit together do not fit HBase's 32-bit integers, whose sum is
    /// then negative: nothing passes.
    end: Option<u32>,
    count: u32,
}

impl ColumnPagination {
    pub(super) fn new(limit: u32, offset: u32) -> Result<Self, FilterError> {
        FilterError::check_number("a limit of columns", limit.into(), MAX_COLUMNS)?;
        FilterError::check_number("an offset of columns", offset.into(), MAX_COLUMNS)?;
        let end = limit.checked_add(offset).filter(|&end| u64::from(end) <= MAX_COLUMNS);
        Ok(Self { offset, end, count: 0 })
    }
}

impl Rule for ColumnPagination {
    fn reset(&mut self) {
        self.count = 0;
    }

    fn row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    fn cell(&mut self, _cell: &Cell) -> ReturnCode {
        if self.end.is_none_or(|end| self.count >= end) {
            return ReturnCode::NextRow;
        }
        let skipped = self.count < self.offset;
        self.count += 1;
        if skipped { ReturnCode::NextColumn } else { ReturnCode::IncludeAndNextColumn }
    }
}

/// From a qualifier on.
#[derive(Debug)]
pub(super) struct ColumnPaginationFrom {
    limit: u32,
    column: Bytes,
    count: u32,
}

impl ColumnPaginationFrom {
    pub(super) fn new(limit: u32, column: &Bytes) -> Result<Self, FilterError> {
        FilterError::check_number("a limit of columns", limit.into(), MAX_COLUMNS)?;
        Ok(Self { limit, column: column.clone(), count: 0 })
    }
}

impl Rule for ColumnPaginationFrom {
    fn reset(&mut self) {
        self.count = 0;
    }

    fn row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    /// Once a column is taken, all that come after it are, also those of the next family, whatever their qualifier.
    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        if self.count >= self.limit {
            ReturnCode::NextRow
        } else if self.count == 0 && cell.qualifier < self.column {
            ReturnCode::SeekHint
        } else {
            self.count += 1;
            ReturnCode::IncludeAndNextColumn
        }
    }

    fn hint(&mut self, cell: &Cell) -> Option<Hint> {
        Some(Hint::column_of(cell, self.column.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;
    use crate::filter::testing::reader::{codes, columns};
    use ReturnCode::{IncludeAndNextColumn, NextColumn, NextRow, SeekHint};

    #[test]
    fn by_count() {
        let filter = Filter::ColumnPagination { limit: 2, offset: 1 };
        let answers = codes(&filter, &columns(["a", "b", "c", "d"]));
        assert_eq!(answers, [NextColumn, IncludeAndNextColumn, IncludeAndNextColumn, NextRow]);
    }

    #[test]
    fn a_sum_beyond_32_bits_lets_nothing_pass() {
        let filter = Filter::ColumnPagination { limit: i32::MAX as u32, offset: 1 };
        assert_eq!(codes(&filter, &columns(["a", "b"])), [NextRow, NextRow]);
        let filter = Filter::ColumnPagination { limit: i32::MAX as u32, offset: 0 };
        assert_eq!(codes(&filter, &columns(["a"])), [IncludeAndNextColumn]);
        assert!(ColumnPagination::new(1 << 31, 0).is_err());
    }

    #[test]
    fn from_a_column() {
        let filter = Filter::ColumnPaginationFrom { limit: 2, column: "b".into() };
        let answers = codes(&filter, &columns(["a", "b", "a", "c"]));
        assert_eq!(answers, [SeekHint, IncludeAndNextColumn, IncludeAndNextColumn, NextRow]);
    }
}
