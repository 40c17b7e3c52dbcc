//! `MultiRowRangeFilter`: rows in one of several ranges.

use std::cmp::Ordering;

use bytes::Bytes;
use tablesmith_model::Cell;

use super::row_ranges::{contains, sort_and_merge};
use super::rule::Rule;
use super::{FilterError, Hint, ReturnCode};
use crate::filter::RowRange;

/// Jumps from range to range, and ends the scan behind the last.
#[derive(Debug)]
pub(super) struct MultiRowRange {
    /// In the order in which the scan meets them.
    ranges: Vec<RowRange>,
    reversed: bool,
    /// Which range the scan is in or before.
    current: usize,
    has_found_first: bool,
    code: ReturnCode,
    done: bool,
}

/// Where a row lies among the ranges.
enum Place {
    /// Before all of them.
    BeforeFirst,
    /// At the range of this number, or between it and the one before; past the end: behind all of them.
    At(usize),
    /// On the first row, seen in the direction of the scan, of a range that leaves this row out.
    OnExcludedEnd(usize),
}

impl MultiRowRange {
    pub(super) fn new(ranges: &[RowRange], reversed: bool) -> Result<Self, FilterError> {
        // Twice, because HBase's client does it and its server again; once may leave doubles.
        let mut ranges = sort_and_merge(sort_and_merge(ranges.to_vec())?)?;
        if reversed {
            ranges.reverse();
        }
        // The code before the first row key is never seen, except inside SKIP, which passes no row keys on.
        let code = ReturnCode::Skip;
        Ok(Self { ranges, reversed, current: 0, has_found_first: false, code, done: false })
    }

    /// The end of a range that the scan meets first.
    fn near_end<'a>(&self, range: &'a RowRange) -> (&'a Bytes, bool) {
        if self.reversed {
            (&range.stop, range.stop_inclusive)
        } else {
            (&range.start, range.start_inclusive)
        }
    }

    /// A binary search by near ends. Its steps matter: backwards an open stop, being the empty key, stands where it
    /// does not belong, and what is found then depends on which ranges are looked at.
    fn search(&self, row: &[u8]) -> Result<usize, usize> {
        let (mut low, mut high) = (0, self.ranges.len());
        while low < high {
            let middle = (low + high - 1) / 2;
            let Some(range) = self.ranges.get(middle) else { break };
            let order = self.near_end(range).0.as_ref().cmp(row);
            match if self.reversed { order.reverse() } else { order } {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Ok(middle),
            }
        }
        Err(low)
    }

    fn place(&mut self, row: &[u8]) -> Place {
        let is_in = |at: usize| self.ranges.get(at).is_some_and(|range| contains(range, row));
        match self.search(row) {
            Ok(at) => match self.ranges.get(at) {
                Some(range) if !self.near_end(range).1 => Place::OnExcludedEnd(at),
                _ => Place::At(at),
            },
            Err(at) => match at.checked_sub(1) {
                Some(before) if is_in(before) => Place::At(before),
                None if !is_in(at) => Place::BeforeFirst,
                _ => {
                    self.has_found_first = true;
                    Place::At(at)
                }
            },
        }
    }

    /// Finds the range for a row outside of the current one, and what to do with the row.
    fn enter(&mut self, row: &[u8]) -> ReturnCode {
        let (at, is_before) = match self.place(row) {
            Place::OnExcludedEnd(at) => {
                self.current = at;
                return ReturnCode::NextRow;
            }
            Place::BeforeFirst => (0, true),
            Place::At(at) => (at, false),
        };
        let Some(range) = self.ranges.get(at) else {
            self.done = true;
            return ReturnCode::NextRow;
        };
        self.current = at;
        let had_found_first = std::mem::replace(&mut self.has_found_first, true);
        let include = if had_found_first { contains(range, row) } else { !is_before };
        if include { ReturnCode::Include } else { ReturnCode::SeekHint }
    }
}

impl Rule for MultiRowRange {
    fn row_key(&mut self, row: &[u8]) -> bool {
        if self.done {
            return true;
        }
        let current = self.ranges.get(self.current).filter(|_| self.has_found_first);
        let stays = current.is_some_and(|range| contains(range, row));
        self.code = if stays { ReturnCode::Include } else { self.enter(row) };
        false
    }

    fn all_remaining(&self) -> bool {
        self.done
    }

    fn cell(&mut self, _cell: &Cell) -> ReturnCode {
        self.code
    }

    fn hint(&mut self, _cell: &Cell) -> Option<Hint> {
        self.ranges.get(self.current).map(|range| Hint::row(self.near_end(range).0.clone()))
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
        let range = |start: &'static str, start_inclusive, stop: &'static str, stop_inclusive| RowRange {
            start: start.into(),
            start_inclusive,
            stop: stop.into(),
            stop_inclusive,
        };
        Filter::MultiRowRange(vec![range("f", false, "h", true), range("b", true, "d", false)])
    }

    #[test]
    fn rows_of_the_ranges_pass() {
        let all = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
        assert_eq!(rows(&filter(), &rows_of(all), false), ["b", "c", "g", "h"]);
        let backwards: Vec<_> = all.into_iter().rev().collect();
        assert_eq!(rows(&filter(), &rows_of(backwards), true), ["h", "g", "c", "b"]);
    }

    #[test]
    fn jumps_from_range_to_range_and_ends() {
        let mut run = crate::filter::eval::FilterRun::new(&filter(), false).unwrap();
        let events = trace(&mut run, &rows_of(["a", "c", "e", "g", "i", "j"]), false);
        let hints = events.iter().filter_map(|event| match event {
            Event::Hint(Some(hint)) => Some(hint.row.clone()),
            _ => None,
        });
        assert_eq!(hints.collect::<Vec<_>>(), ["b", "f"]);
        assert_eq!(events.last(), Some(&Event::Done(true)));
    }
}
