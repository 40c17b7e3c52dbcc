//! `TimestampsFilter`: cells of exactly these times.

use tablesmith_model::{Cell, Timestamp};

use super::rule::Rule;
use super::{FilterError, Hint, ReturnCode};

/// Leaves a column below the lowest time; between two times it may jump to the older one.
#[derive(Debug)]
pub(super) struct Timestamps {
    sorted: Vec<Timestamp>,
    can_hint: bool,
}

impl Timestamps {
    pub(super) fn new(timestamps: &[Timestamp], can_hint: bool) -> Result<Self, FilterError> {
        if let Some(&timestamp) = timestamps.iter().find(|&&timestamp| timestamp < 0) {
            return Err(FilterError::NegativeTimestamp { timestamp });
        }
        let mut sorted = timestamps.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        Ok(Self { sorted, can_hint })
    }
}

impl Rule for Timestamps {
    fn row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        let lowest = self.sorted.first().copied().unwrap_or(Timestamp::MAX);
        if self.sorted.binary_search(&cell.timestamp).is_ok() {
            ReturnCode::Include
        } else if cell.timestamp < lowest {
            ReturnCode::NextColumn
        } else if self.can_hint {
            ReturnCode::SeekHint
        } else {
            ReturnCode::Skip
        }
    }

    fn hint(&mut self, cell: &Cell) -> Option<Hint> {
        if !self.can_hint {
            return None;
        }
        let below = self.sorted.partition_point(|&timestamp| timestamp < cell.timestamp);
        let next = below.checked_sub(1).and_then(|at| self.sorted.get(at));
        let timestamp = next.copied().unwrap_or(Timestamp::MIN);
        Some(Hint { timestamp, ..Hint::column_of(cell, cell.qualifier.clone()) })
    }

    fn is_hinting(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;
    use crate::filter::testing::reader::codes;

    fn versions() -> [Cell; 5] {
        [9, 7, 5, 3, 1].map(|timestamp| Cell::put("r", "f", "q", timestamp, ""))
    }

    #[test]
    fn exactly_these_times() {
        use ReturnCode::{Include, NextColumn, SeekHint, Skip};
        let filter = |can_hint| Filter::Timestamps { timestamps: vec![3, 7, 3], can_hint };
        assert_eq!(codes(&filter(false), &versions()), [Skip, Include, Skip, Include, NextColumn]);
        assert_eq!(codes(&filter(true), &versions()), [SeekHint, Include, SeekHint, Include, NextColumn]);
        let none = Filter::Timestamps { timestamps: vec![], can_hint: true };
        assert_eq!(codes(&none, &versions()[..1]), [NextColumn]);
    }

    #[test]
    fn the_hint_is_the_next_older_time() {
        let mut rule = Timestamps::new(&[3, 7], true).unwrap();
        let [nine, _, five, _, one] = versions();
        let mut at = |cell: &Cell| rule.hint(cell).map(|hint| hint.timestamp);
        assert_eq!([at(&nine), at(&five), at(&one)], [Some(7), Some(3), Some(Timestamp::MIN)]);
        assert_eq!(Timestamps::new(&[3], false).unwrap().hint(&nine), None);
        assert!(Timestamps::new(&[-1], false).is_err());
    }
}
