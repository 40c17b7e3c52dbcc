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
