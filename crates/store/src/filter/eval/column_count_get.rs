//! `ColumnCountGetFilter`: the first so many columns of a row, then nothing more.

use tablesmith_model::Cell;

use super::rule::Rule;
use super::{FilterError, ReturnCode};

/// Made for reading one row: in a scan it ends with the first row that has more columns.
#[derive(Debug)]
pub(super) struct ColumnCountGet {
    limit: u64,
    count: u64,
}

impl ColumnCountGet {
    pub(super) fn new(columns: u32) -> Result<Self, FilterError> {
        FilterError::check_number("a limit of columns", columns.into(), i32::MAX as u64)?;
        Ok(Self { limit: columns.into(), count: 0 })
    }
}

impl Rule for ColumnCountGet {
    fn reset(&mut self) {
        self.count = 0;
    }

    fn all_remaining(&self) -> bool {
        self.count > self.limit
    }

    fn cell(&mut self, _cell: &Cell) -> ReturnCode {
        self.count += 1;
        if self.all_remaining() { ReturnCode::NextColumn } else { ReturnCode::IncludeAndNextColumn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;
    use crate::filter::eval::FilterRun;
    use crate::filter::testing::reader::columns;

    #[test]
    fn ends_with_the_first_column_too_many() {
        let mut run = FilterRun::new(&Filter::ColumnCountGet(1), false).unwrap();
        let cells = columns(["a", "b"]);
        assert_eq!(run.cell(&cells[0]), ReturnCode::IncludeAndNextColumn);
        assert!(!run.all_remaining());
        assert_eq!(run.cell(&cells[1]), ReturnCode::NextColumn);
        assert!(run.all_remaining() && run.filter_row_key(b"r"));
        run.reset();
        assert!(!run.all_remaining());
    }
}
