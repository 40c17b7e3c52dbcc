//! Ranges of row keys, and how regions divide them. Pure functions.

use bytes::Bytes;

use super::Region;
use crate::{RowBound, Scan};

/// Rows from `start` up to `stop`, which does not belong to it. Empty keys are the table's ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeyRange {
    pub start: Bytes,
    pub stop: Bytes,
}

impl KeyRange {
    /// What a region has.
    pub fn of(region: &Region) -> Self {
        Self { start: region.start.clone(), stop: region.end.clone() }
    }

    /// One row.
    pub fn row(row: &Bytes) -> Self {
        Self { start: row.clone(), stop: next_row(row) }
    }

    /// What a forward scan reads; `None`: nothing.
    pub fn of_scan(scan: &Scan) -> Option<Self> {
        let start = match &scan.start {
            RowBound::Open => Bytes::new(),
            RowBound::Included(row) => row.clone(),
            RowBound::Excluded(row) => next_row(row),
        };
        let stop = match &scan.stop {
            RowBound::Open => Bytes::new(),
            RowBound::Excluded(row) => row.clone(),
            RowBound::Included(row) => next_row(row),
        };
        Some(Self { start, stop }).filter(|range| !range.is_empty())
    }

    /// Holds no row at all.
    pub fn is_empty(&self) -> bool {
        !self.stop.is_empty() && self.stop <= self.start
    }

    /// The part of it up to the end of a region that has its start.
    pub fn up_to(&self, end: &Bytes) -> Self {
        Self { start: self.start.clone(), stop: earlier(&self.stop, end).clone() }
    }

    /// Cut at these keys, in whatever order they come.
    pub fn cut_at<'a>(&self, keys: impl IntoIterator<Item = &'a Bytes>) -> Vec<Self> {
        let inside = |key: &&Bytes| **key > self.start && (self.stop.is_empty() || **key < self.stop);
        let mut cuts: Vec<&Bytes> = keys.into_iter().filter(inside).collect();
        cuts.sort();
        cuts.dedup();
        let mut start = self.start.clone();
        let mut parts = Vec::with_capacity(cuts.len() + 1);
        for cut in cuts.into_iter().chain([&self.stop]) {
            parts.push(Self { start: std::mem::replace(&mut start, cut.clone()), stop: cut.clone() });
        }
        parts
    }
}

/// The earlier of two ends; an empty one is the table's.
fn earlier<'a>(one: &'a Bytes, other: &'a Bytes) -> &'a Bytes {
    match (one.is_empty(), other.is_empty()) {
        (true, _) => other,
        (_, true) => one,
        _ => one.min(other),
    }
}

/// The row right behind another one.
fn next_row(row: &Bytes) -> Bytes {
    row.iter().copied().chain([0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: &'static str, stop: &'static str) -> KeyRange {
        KeyRange { start: start.into(), stop: stop.into() }
    }

    #[test]
    fn a_range_is_cut_into_parts_without_gaps() {
        let keys: Vec<Bytes> = ["", "m", "c", "x", "m"].map(Bytes::from).into();
        let all = [range("", "c"), range("c", "m"), range("m", "x"), range("x", "")];
        assert_eq!(range("", "").cut_at(&keys), all);
        assert_eq!(range("c", "n").cut_at(&keys), [range("c", "m"), range("m", "n")]);
        assert_eq!(range("d", "e").cut_at(&keys), [range("d", "e")]);
    }

    #[test]
    fn a_part_ends_with_its_region() {
        assert_eq!(range("b", "").up_to(&"d".into()), range("b", "d"));
        assert_eq!(range("b", "c").up_to(&"d".into()), range("b", "c"));
        assert_eq!(range("b", "c").up_to(&Bytes::new()), range("b", "c"));
        assert_eq!(range("b", "").up_to(&Bytes::new()), range("b", ""));
    }

    #[test]
    fn the_ends_of_a_scan_are_made_plain() {
        let of = |start, stop| KeyRange::of_scan(&Scan { start, stop, ..Scan::all() });
        assert_eq!(of(RowBound::Open, RowBound::Open), Some(range("", "")));
        assert_eq!(of(RowBound::Included("a".into()), RowBound::Excluded("b".into())), Some(range("a", "b")));
        assert_eq!(
            of(RowBound::Excluded("a".into()), RowBound::Included("b".into())),
            Some(range("a\0", "b\0"))
        );
        assert_eq!(
            of(RowBound::Included("a".into()), RowBound::Included("a".into())),
            Some(range("a", "a\0"))
        );
        assert_eq!(of(RowBound::Included("a".into()), RowBound::Excluded("a".into())), None);
        assert_eq!(of(RowBound::Excluded("a".into()), RowBound::Excluded("a".into())), None);
        assert_eq!(of(RowBound::Included("b".into()), RowBound::Excluded("a".into())), None);
    }
}
