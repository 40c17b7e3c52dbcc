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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;
    use crate::filter::testing::reader::{codes, columns, rows_of, scan};

    #[test]
    fn one_cell_of_each_row() {
        assert_eq!(
            codes(&Filter::FirstKeyOnly, &columns(["a", "b"])),
            [ReturnCode::Include, ReturnCode::NextRow]
        );
        assert_eq!(scan(&Filter::FirstKeyOnly, &rows_of(["a", "b"]), false).len(), 2);
    }
}
