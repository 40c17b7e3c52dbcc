//! What makes values belong together: a part of the row key, a stretch of time.

use bytes::Bytes;
use tablesmith_model::Timestamp;

/// What makes values belong together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// A part of the row key.
    pub key: Option<KeySlice>,
    /// The time, rounded down to a multiple of this.
    pub time_bucket_ms: Option<Timestamp>,
}

impl Group {
    /// One group for each beginning of so many bytes.
    pub fn by_prefix(bytes: usize) -> Self {
        Self { key: Some(KeySlice::First(bytes)), time_bucket_ms: None }
    }

    /// One group for each stretch of time.
    pub fn by_time(bucket_ms: Timestamp) -> Self {
        Self { key: None, time_bucket_ms: Some(bucket_ms) }
    }

    /// Where the bucket of a time begins; nothing without buckets, or where a value has no time.
    #[inline]
    pub(super) fn bucket_of(&self, at: Option<Timestamp>) -> Option<Timestamp> {
        let width = self.time_bucket_ms.filter(|&width| width > 0)?;
        // The bucket that begins before all numbers begins with the least.
        at.map(|at| at.checked_sub(at.rem_euclid(width)).unwrap_or(Timestamp::MIN))
    }
}

/// A part of a row key. Keys that are too short have less of it, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeySlice {
    /// The first so many bytes.
    First(usize),
    /// All but some bytes at both ends.
    Inner {
        /// Bytes before it.
        front: usize,
        /// Bytes behind it.
        back: usize,
    },
}

impl KeySlice {
    /// The part of a key.
    #[inline]
    pub fn of(self, row: &[u8]) -> &[u8] {
        let (from, to) = match self {
            Self::First(bytes) => (0, bytes.min(row.len())),
            Self::Inner { front, back } => (front, row.len().saturating_sub(back)),
        };
        row.get(from..to).unwrap_or_default()
    }
}

/// One group.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupKey {
    /// The part of its row keys.
    pub key: Option<Bytes>,
    /// The start of its time bucket.
    pub bucket_ms: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_short_keys_are_short() {
        assert_eq!(KeySlice::First(2).of(b"abc"), b"ab");
        assert_eq!(KeySlice::First(9).of(b"abc"), b"abc");
        assert_eq!(KeySlice::Inner { front: 1, back: 1 }.of(b"abc"), b"b");
        assert_eq!(KeySlice::Inner { front: 2, back: 2 }.of(b"abc"), b"");
        assert_eq!(KeySlice::Inner { front: usize::MAX, back: usize::MAX }.of(b"abc"), b"");
    }

    #[test]
    fn buckets_begin_below_their_times() {
        let of = |at| Group::by_time(10).bucket_of(Some(at));
        assert_eq!((of(19), of(-1), of(0)), (Some(10), Some(-10), Some(0)));
        assert_eq!(of(Timestamp::MIN), Some(Timestamp::MIN));
        assert_eq!(Group::by_time(0).bucket_of(Some(1)), None);
        assert_eq!(Group::by_time(10).bucket_of(None), None);
    }
}
