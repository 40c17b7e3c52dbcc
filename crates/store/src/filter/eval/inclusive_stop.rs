//! `InclusiveStopFilter`: rows up to a row, which belongs to them.

use bytes::Bytes;
use tablesmith_model::Cell;

use super::ReturnCode;
use super::rule::Rule;

/// Ends the scan behind the row, in the direction of the scan.
#[derive(Debug)]
pub(super) struct InclusiveStop {
    stop: Bytes,
    reversed: bool,
    done: bool,
}

impl InclusiveStop {
    pub(super) fn new(stop: &Bytes, reversed: bool) -> Self {
        Self { stop: stop.clone(), reversed, done: false }
    }
}

impl Rule for InclusiveStop {
    fn row_key(&mut self, row: &[u8]) -> bool {
        if !self.done {
            let order = row.cmp(&self.stop);
            self.done = if self.reversed { order.is_lt() } else { order.is_gt() };
        }
        self.done
    }

    fn all_remaining(&self) -> bool {
        self.done
    }

    fn cell(&mut self, _cell: &Cell) -> ReturnCode {
        if self.done { ReturnCode::NextRow } else { ReturnCode::Include }
    }
}

#[cfg(test)]
mod tests {
    use crate::filter::Filter;
    use crate::filter::testing::reader::{rows, rows_of};

    #[test]
    fn the_row_itself_belongs() {
        let filter = Filter::InclusiveStop("b".into());
        assert_eq!(rows(&filter, &rows_of(["a", "b", "b0", "c"]), false), ["a", "b"]);
        assert_eq!(rows(&filter, &rows_of(["c", "b", "a"]), true), ["c", "b"]);
    }
}
