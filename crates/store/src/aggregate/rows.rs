//! Some rows of a scan: by a part of their key, or by ranges of keys.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use super::KeySlice;

/// Some rows of a scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowSet(Form);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    Parts(KeySlice, Arc<BTreeSet<Bytes>>),
    /// Rising, and none touches the next.
    Ranges(Arc<[Range<Bytes>]>),
}

impl RowSet {
    /// The rows whose key has one of the values at some place.
    pub fn of_parts(slice: KeySlice, values: impl IntoIterator<Item = Bytes>) -> Self {
        Self(Form::Parts(slice, Arc::new(values.into_iter().collect())))
    }

    /// The rows of some ranges of keys, each without its end; an empty end is open. They may overlap.
    pub fn of_ranges(ranges: impl IntoIterator<Item = Range<Bytes>>) -> Self {
        let mut ranges: Vec<Range<Bytes>> =
            ranges.into_iter().filter(|range| range.end.is_empty() || range.start < range.end).collect();
        ranges.sort_by(|one, other| one.start.cmp(&other.start));
        let mut merged: Vec<Range<Bytes>> = Vec::with_capacity(ranges.len());
        for range in ranges {
            match merged.last_mut() {
                Some(last) if last.end.is_empty() || range.start <= last.end => {
                    if range.end.is_empty() || (!last.end.is_empty() && range.end > last.end) {
                        last.end = range.end;
                    }
                }
                _ => merged.push(range),
            }
        }
        Self(Form::Ranges(merged.into()))
    }

    /// Whether a row is one of them.
    pub fn contains(&self, row: &[u8]) -> bool {
        match &self.0 {
            Form::Parts(slice, values) => values.contains(slice.of(row)),
            Form::Ranges(ranges) => {
                let after = ranges.partition_point(|range| range.start <= row);
                let range = after.checked_sub(1).and_then(|at| ranges.get(at));
                range.is_some_and(|range| range.end.is_empty() || row < &range.end[..])
            }
        }
    }

    /// The ranges, rising and apart from each other, where that is what the rows were given by.
    pub fn ranges(&self) -> Option<&[Range<Bytes>]> {
        match &self.0 {
            Form::Parts(..) => None,
            Form::Ranges(ranges) => Some(ranges),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(ranges: &[(&'static str, &'static str)]) -> RowSet {
        RowSet::of_ranges(ranges.iter().map(|(start, end)| Bytes::from(*start)..Bytes::from(*end)))
    }

    #[test]
    fn ranges_that_touch_become_one() {
        assert_eq!(ranges(&[("c", "d"), ("a", "b"), ("b", "c"), ("x", "x")]), ranges(&[("a", "d")]));
        assert_eq!(ranges(&[("a", ""), ("b", "c"), ("d", "e")]), ranges(&[("a", "")]));
        assert_eq!(ranges(&[("a", "c"), ("b", "")]), ranges(&[("a", "")]));
        assert_eq!(ranges(&[("b", "a")]).ranges(), Some(&[][..]));
    }

    #[test]
    fn a_range_has_its_start_and_not_its_end() {
        let rows = ranges(&[("b", "d"), ("m", "")]);
        let has: Vec<bool> =
            ["a", "b", "cz", "d", "m", "z"].map(|row| rows.contains(row.as_bytes())).to_vec();
        assert_eq!(has, [false, true, true, false, true, true]);
        assert!(!ranges(&[]).contains(b"a"));
    }

    #[test]
    fn a_part_has_one_of_the_values() {
        let rows = RowSet::of_parts(KeySlice::First(1), ["a", "c"].map(Bytes::from));
        assert!(rows.contains(b"ax") && rows.contains(b"c") && !rows.contains(b"b") && !rows.contains(b""));
    }
}
