//! `KeyOnlyFilter`: cells without their value, or with its length in place of it.

use bytes::Bytes;
use tablesmith_model::Cell;

use super::ReturnCode;
use super::rule::Rule;

/// Takes every cell and changes its value.
#[derive(Debug)]
pub(super) struct KeyOnly {
    length_as_value: bool,
}

impl KeyOnly {
    pub(super) fn new(length_as_value: bool) -> Self {
        Self { length_as_value }
    }
}

impl Rule for KeyOnly {
    fn row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    fn cell(&mut self, _cell: &Cell) -> ReturnCode {
        ReturnCode::Include
    }

    fn transform(&mut self, cell: Cell) -> Cell {
        let value = if self.length_as_value {
            let length = i32::try_from(cell.value.len()).unwrap_or(i32::MAX);
            Bytes::copy_from_slice(&length.to_be_bytes())
        } else {
            Bytes::new()
        };
        Cell { value, ..cell }
    }
}
