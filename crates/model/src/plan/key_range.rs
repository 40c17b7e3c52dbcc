//! A range of row keys.

use std::fmt;

use crate::bytes_text;
use crate::row::{prefix_end, successor};

/// Keys from `start`, included, up to `end`, not included.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyRange {
    /// The first key; empty from the table's beginning on.
    pub start: Vec<u8>,
    /// The first key behind it; none up to the table's end.
    pub end: Option<Vec<u8>>,
}

impl KeyRange {
    /// The whole table.
    pub const ALL: Self = Self { start: Vec::new(), end: None };

    /// All keys that begin so.
    pub fn prefix(prefix: Vec<u8>) -> Self {
        Self { end: prefix_end(&prefix), start: prefix }
    }

    /// A single key.
    pub fn single(key: Vec<u8>) -> Self {
        Self { end: Some(successor(&key)), start: key }
    }

    /// Whether it has no key.
    pub fn is_empty(&self) -> bool {
        self.end.as_ref().is_some_and(|end| *end <= self.start)
    }

    /// Whether it is the whole table.
    pub fn is_all(&self) -> bool {
        self.start.is_empty() && self.end.is_none()
    }

    /// The same keys in as few ranges as possible, in order, none twice.
    pub fn merged(mut ranges: Vec<Self>) -> Vec<Self> {
        ranges.retain(|range| !range.is_empty());
        ranges.sort();
        let mut merged: Vec<Self> = Vec::with_capacity(ranges.len());
        for range in ranges {
            match merged.last_mut() {
                Some(last) if last.end.as_ref().is_none_or(|end| range.start <= *end) => {
                    let reaches_further = match (&last.end, &range.end) {
                        (Some(old), Some(new)) => new > old,
                        (Some(_), None) => true,
                        (None, _) => false,
                    };
                    if reaches_further {
                        last.end = range.end;
                    }
                }
                _ => merged.push(range),
            }
        }
        merged
    }
}

impl fmt::Display for KeyRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, ", bytes_text::to_text(&self.start))?;
        match &self.end {
            Some(end) => write!(f, "{})", bytes_text::to_text(end)),
            None => f.write_str("end)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: &str, end: &str) -> KeyRange {
        KeyRange { start: start.into(), end: (!end.is_empty()).then(|| end.into()) }
    }

    #[test]
    fn ranges_that_touch_become_one() {
        let ranges =
            vec![range("m", "p"), range("a", "c"), range("c", "d"), range("b", "b"), range("n", "o")];
        assert_eq!(KeyRange::merged(ranges), [range("a", "d"), range("m", "p")]);
        assert_eq!(
            KeyRange::merged(vec![range("a", "c"), range("b", ""), range("x", "y")]),
            [range("a", "")]
        );
        assert!(KeyRange::merged(vec![range("b", "a")]).is_empty());
    }

    #[test]
    fn a_range_is_printed_as_hbase_prints_bytes() {
        assert_eq!(range("a\0", "").to_string(), "[a\\x00, end)");
        assert_eq!(KeyRange::single(b"k".to_vec()).to_string(), "[k, k\\x00)");
        assert!(KeyRange::ALL.is_all() && KeyRange::prefix(Vec::new()).is_all());
    }
}
