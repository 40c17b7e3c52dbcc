//! `FuzzyRowFilter`: rows whose key fits a pattern with free bytes in it.

use bytes::Bytes;
use tablesmith_model::Cell;
use tablesmith_model::bytes_text::to_text;

use super::fuzzy_pattern::Pattern;
use super::rule::Rule;
use super::{FilterError, Hint, ReturnCode};

/// Jumps to the next row that can fit one of the patterns.
#[derive(Debug)]
pub(super) struct FuzzyRow {
    patterns: Vec<Pattern>,
    /// For each pattern the next row that can fit it, `None` when there is none; empty before the first hint.
    next_rows: Vec<Option<Bytes>>,
    /// The pattern that fitted last: rows that follow each other often fit the same one.
    last_found: usize,
    reversed: bool,
    filter_row: bool,
    done: bool,
}

impl FuzzyRow {
    pub(super) fn new(pairs: &[(Bytes, Bytes)], reversed: bool) -> Result<Self, FilterError> {
        if pairs.is_empty() {
            return Err(FilterError::NoPatterns);
        }
        if let Some((key, mask)) = pairs.iter().find(|(key, mask)| key.len() != mask.len()) {
            return Err(FilterError::MaskLength { key: to_text(key), mask: to_text(mask) });
        }
        Ok(Self {
            patterns: pairs.iter().map(|(key, mask)| Pattern::new(key, mask)).collect(),
            next_rows: Vec::new(),
            last_found: 0,
            reversed,
            filter_row: false,
            done: false,
        })
    }

    /// Brings the next rows that the scan has reached or passed up to date; gives the nearest.
    fn nearest_row(&mut self, row: &[u8]) -> Option<Bytes> {
        let is_first = self.next_rows.is_empty();
        self.next_rows.resize(self.patterns.len(), None);
        for (pattern, next) in self.patterns.iter().zip(&mut self.next_rows) {
            let is_reached = match next.as_deref() {
                None => is_first,
                Some(next) if self.reversed => row <= next,
                Some(next) => row >= next,
            };
            if is_reached {
                *next = pattern.next_row(row, self.reversed).map(Bytes::from);
            }
        }
        let next_rows = self.next_rows.iter().flatten();
        if self.reversed { next_rows.max() } else { next_rows.min() }.cloned()
    }
}

impl Rule for FuzzyRow {
    fn reset(&mut self) {
        self.filter_row = false;
    }

    fn all_remaining(&self) -> bool {
        self.done
    }

    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        let count = self.patterns.len();
        for at in (self.last_found..count).chain(0..self.last_found) {
            if self.patterns.get_mut(at).is_some_and(|pattern| pattern.fits(&cell.row)) {
                self.last_found = at;
                return ReturnCode::Include;
            }
        }
        self.last_found = 0;
        self.filter_row = true;
        ReturnCode::SeekHint
    }

    fn filter_row(&mut self) -> bool {
        self.filter_row
    }

    fn hint(&mut self, cell: &Cell) -> Option<Hint> {
        let row = self.nearest_row(&cell.row);
        self.done = row.is_none();
        row.map(Hint::row)
    }

    fn is_hinting(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;
    use crate::filter::testing::reader::{Event, rows, rows_of, trace};

    fn filter() -> Filter {
        Filter::FuzzyRow(vec![("a?".into(), vec![0, 1].into()), ("?z".into(), vec![1, 0].into())])
    }

    #[test]
    fn rows_that_fit_one_pattern_pass() {
        assert_eq!(
            rows(&filter(), &rows_of(["aa", "ab", "ba", "bz", "cz", "d"]), false),
            ["aa", "ab", "bz", "cz", "d"]
        );
        assert_eq!(rows(&filter(), &rows_of(["cz", "bz", "ba", "ab"]), true), ["cz", "bz", "ab"]);
    }

    #[test]
    fn the_hint_is_the_nearest_row_and_the_end_is_noticed() {
        let only = Filter::FuzzyRow(vec![("a".into(), vec![0].into())]);
        let mut run = crate::filter::eval::FilterRun::new(&only, false).unwrap();
        let events = trace(&mut run, &rows_of(["0", "b", "c"]), false);
        let hints: Vec<_> = events.iter().filter(|event| matches!(event, Event::Hint(_))).collect();
        assert_eq!(hints, [&Event::Hint(Some(Hint::row("a"))), &Event::Hint(None)]);
        assert_eq!(events.last(), Some(&Event::Done(true)));
    }

    #[test]
    fn a_mask_has_the_length_of_its_key() {
        assert!(FuzzyRow::new(&[("ab".into(), vec![0].into())], false).is_err());
        assert!(FuzzyRow::new(&[], false).is_err());
    }
}
