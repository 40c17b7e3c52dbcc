//! `FirstKeyOnlyFilter`: the first cell of each row.

use tablesmith_model::Cell;

use super::ReturnCode;
use super::rule::Rule;

/// Whether the row's first cell was seen.
#[derive(Debug, Default)]
pub(super) struct FirstKeyOnly {
    found: bool,
}

impl Rule for FirstKeyOnly {
    fn reset(&mut self) {
        self.found = false;
    }

    fn row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    fn cell(&mut self, _cell: &Cell) -> ReturnCode {
        if std::mem::replace(&mut self.found, true) { ReturnCode::NextRow } else { ReturnCode::Include }
    }
}
