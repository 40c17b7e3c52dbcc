//! `MultipleColumnPrefixFilter`: columns whose qualifier begins with one of several prefixes.

use bytes::Bytes;
use tablesmith_model::Cell;
use tablesmith_model::bytes_text::to_text;

use super::rule::Rule;
use super::{FilterError, Hint, ReturnCode};

/// Jumps from prefix to prefix.
#[derive(Debug)]
pub(super) struct MultipleColumnPrefix {
    sorted: Vec<Bytes>,
    hint: Bytes,
}

impl MultipleColumnPrefix {
    pub(super) fn new(prefixes: &[Bytes]) -> Result<Self, FilterError> {
        let mut sorted = prefixes.to_vec();
        sorted.sort_unstable();
        for pair in sorted.windows(2) {
            if let [first, second] = pair
                && first == second
            {
                return Err(FilterError::RepeatedPrefix { prefix: to_text(first) });
            }
        }
        Ok(Self { sorted, hint: Bytes::new() })
    }
}

impl Rule for MultipleColumnPrefix {
    fn row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    /// Only the greatest prefix that is not behind the qualifier is looked at. A shorter one that fits as well (`a`
    /// beside `ab`, for the qualifier `ac`) is overlooked, as HBase does.
    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        if self.sorted.is_empty() {
            return ReturnCode::Include;
        }
        let not_behind = self.sorted.partition_point(|prefix| *prefix <= cell.qualifier);
        let greatest = not_behind.checked_sub(1).and_then(|at| self.sorted.get(at));
        if greatest.is_some_and(|prefix| cell.qualifier.starts_with(prefix)) {
            return ReturnCode::Include;
        }
        match self.sorted.get(not_behind) {
            None => ReturnCode::NextRow,
            Some(next) => {
                self.hint = next.clone();
                ReturnCode::SeekHint
            }
        }
    }

    fn hint(&mut self, cell: &Cell) -> Option<Hint> {
        Some(Hint::column_of(cell, self.hint.clone()))
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
    fn jumps_from_prefix_to_prefix() {
        let filter = Filter::MultipleColumnPrefix(vec!["d".into(), "b".into()]);
        use ReturnCode::{Include, NextRow, SeekHint};
        let answers = codes(&filter, &columns(["a", "b", "bx", "c", "d", "e"]));
        assert_eq!(answers, [SeekHint, Include, Include, SeekHint, Include, NextRow]);
    }

    #[test]
    fn a_prefix_of_a_prefix_is_overlooked() {
        let filter = Filter::MultipleColumnPrefix(vec!["a".into(), "ab".into()]);
        use ReturnCode::{Include, NextRow};
        assert_eq!(codes(&filter, &columns(["a", "aa", "ab", "ac"])), [Include, Include, Include, NextRow]);
    }

    #[test]
    fn without_prefixes_everything_passes_and_twice_the_same_is_refused() {
        assert_eq!(codes(&Filter::MultipleColumnPrefix(vec![]), &columns(["a"])), [ReturnCode::Include]);
        assert!(MultipleColumnPrefix::new(&["a".into(), "b".into(), "a".into()]).is_err());
    }
}
