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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;
    use crate::filter::testing::reader::scan;

    #[test]
    fn the_value_goes_or_becomes_its_length() {
        let cells = [Cell::put("r", "f", "q", 1, "value")];
        let empty = scan(&Filter::KeyOnly { length_as_value: false }, &cells, false);
        assert_eq!(empty, [Cell::put("r", "f", "q", 1, "")]);
        let length = scan(&Filter::KeyOnly { length_as_value: true }, &cells, false);
        assert_eq!(length, [Cell::put("r", "f", "q", 1, &b"\0\0\0\x05"[..])]);
    }
}
