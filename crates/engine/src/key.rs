//! The bytes under which a cell is stored. One keyspace holds one family of one table, so the family is not in the key.
//!
//! ```text
//!  row, escaped   end     qualifier, escaped   end     !timestamp   !kind    !generation
//! ┌─────────────┬───────┬────────────────────┬───────┬────────────┬────────┬─────────────┐
//! │ any number  │ 00 00 │ any number         │ 00 00 │ 8 bytes    │ 1 byte │ 4 bytes     │
//! └─────────────┴───────┴────────────────────┴───────┴────────────┴────────┴─────────────┘
//! ```
//!
//! *Escaped* means that each byte 00 is written as `00 FF`. So `00 00` ends a part, comes before every longer part with
//! the same beginning, and `00 01` is a place just behind it. The last three fields are complements, big-endian: the
//! newest timestamp, the most general kind and the youngest generation come first. Byte order is cell order.
//!
//! The *generation* says which flush a cell belongs to (see [`crate::family`]): cells of the present one are what HBase
//! has in its memstore, older ones what it has in files. Two writes of the same cell in one generation are one key, so
//! the later replaces the earlier; in two generations they are two keys, of which readers take the first.

use std::borrow::Cow;

use tablesmith_model::{CellType, Timestamp};

/// Bytes of the end of a part.
const END: [u8; 2] = [0x00, 0x00];
/// Bytes that come just behind all keys of a part.
const BEHIND: [u8; 2] = [0x00, 0x01];
/// What follows a zero byte inside a part.
const ESCAPED_ZERO: u8 = 0xFF;

const TIMESTAMP_BYTES: usize = 8;
const KIND_BYTES: usize = 1;
const GENERATION_BYTES: usize = 4;
/// Timestamp, kind and generation together.
const SUFFIX_BYTES: usize = TIMESTAMP_BYTES + KIND_BYTES + GENERATION_BYTES;

/// The longest key that the storage below takes.
pub(crate) const MAX_KEY_BYTES: usize = u16::MAX as usize;

/// Number of the flush that a cell belongs to.
pub(crate) type Generation = u32;

/// The beginning of all keys of a row: the row and its end.
pub(crate) fn row_start(row: &[u8]) -> Vec<u8> {
    part(Vec::with_capacity(row.len() + END.len() + SUFFIX_BYTES), row, END)
}

/// The first place behind all keys of a row.
pub(crate) fn row_behind(row: &[u8]) -> Vec<u8> {
    part(Vec::with_capacity(row.len() + BEHIND.len()), row, BEHIND)
}

/// The beginning of all keys of a column, given the beginning of its row's.
pub(crate) fn column_start(row_start: &[u8], qualifier: &[u8]) -> Vec<u8> {
    part(with_room(row_start, qualifier), qualifier, END)
}

/// The first place behind all keys of a column, given the beginning of its row's.
pub(crate) fn column_behind(row_start: &[u8], qualifier: &[u8]) -> Vec<u8> {
    part(with_room(row_start, qualifier), qualifier, BEHIND)
}

/// The first place of a column that is not newer than a timestamp, given the beginning of the row's keys.
pub(crate) fn version_start(row_start: &[u8], qualifier: &[u8], timestamp: Timestamp) -> Vec<u8> {
    let mut key = column_start(row_start, qualifier);
    key.extend_from_slice(&descending(timestamp));
    key
}

/// The key of a cell, given the beginning of its row's keys.
pub(crate) fn cell(
    row_start: &[u8],
    qualifier: &[u8],
    timestamp: Timestamp,
    kind: CellType,
    generation: Generation,
) -> Vec<u8> {
    let mut key = version_start(row_start, qualifier, timestamp);
    key.push(!kind.code());
    key.extend_from_slice(&(!generation).to_be_bytes());
    key
}

fn with_room(row_start: &[u8], qualifier: &[u8]) -> Vec<u8> {
    let mut key = Vec::with_capacity(row_start.len() + qualifier.len() + END.len() + SUFFIX_BYTES);
    key.extend_from_slice(row_start);
    key
}

fn part(mut key: Vec<u8>, bytes: &[u8], end: [u8; 2]) -> Vec<u8> {
    if bytes.contains(&0) {
        for &byte in bytes {
            key.push(byte);
            if byte == 0 {
                key.push(ESCAPED_ZERO);
            }
        }
    } else {
        key.extend_from_slice(bytes);
    }
    key.extend_from_slice(&end);
    key
}

fn descending(timestamp: Timestamp) -> [u8; TIMESTAMP_BYTES] {
    (!timestamp.cast_unsigned()).to_be_bytes()
}

/// A key taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// Length of the row's part with its end.
    pub row_start_bytes: usize,
    qualifier_end: usize,
    /// Only where it is written with escapes: else it stands in the key as it is.
    pub unescaped_qualifier: Option<Box<[u8]>>,
    pub timestamp: Timestamp,
    pub kind: CellType,
    pub generation: Generation,
}

impl Default for Parts {
    /// Those of no key.
    fn default() -> Self {
        Self {
            row_start_bytes: 0,
            qualifier_end: 0,
            unescaped_qualifier: None,
            timestamp: 0,
            kind: CellType::Put,
            generation: 0,
        }
    }
}

impl Parts {
    /// Where the qualifier stands in the key.
    #[inline]
    pub fn qualifier_at(&self) -> std::ops::Range<usize> {
        self.row_start_bytes..self.qualifier_end
    }
}

/// Takes a key apart but for its row, whose part has `row_start_bytes`. `None` when it is not a key of ours.
#[inline]
pub(crate) fn split(key: &[u8], row_start_bytes: usize) -> Option<Parts> {
    let suffix_at = key.len().checked_sub(SUFFIX_BYTES)?;
    let qualifier_end = suffix_at.checked_sub(END.len())?;
    let (timestamp, rest) = key.get(suffix_at..)?.split_first_chunk::<TIMESTAMP_BYTES>()?;
    let (&[kind], rest) = rest.split_first_chunk::<KIND_BYTES>()?;
    let generation = rest.first_chunk::<GENERATION_BYTES>()?;
    if key.get(qualifier_end..suffix_at)? != END {
        return None;
    }
    let qualifier = key.get(row_start_bytes..qualifier_end)?;
    Some(Parts {
        row_start_bytes,
        qualifier_end,
        unescaped_qualifier: qualifier.contains(&0).then(|| unescape(qualifier).into()),
        timestamp: (!u64::from_be_bytes(*timestamp)).cast_signed(),
        kind: CellType::from_code(!kind)?,
        generation: !u32::from_be_bytes(*generation),
    })
}

/// The timestamp of a key; `None` when it is not a key of ours.
pub(crate) fn timestamp(key: &[u8]) -> Option<Timestamp> {
    let suffix = key.get(key.len().checked_sub(SUFFIX_BYTES)?..)?;
    suffix.first_chunk().map(|timestamp| (!u64::from_be_bytes(*timestamp)).cast_signed())
}

/// Length of the row's part of a key, with its end.
pub(crate) fn row_start_bytes(key: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let zero = from + key.get(from..)?.iter().position(|&byte| byte == 0)?;
        match key.get(zero + 1)? {
            0 => return Some(zero + END.len()),
            _ => from = zero + 2,
        }
    }
}

/// The row whose part of a key this is, copied only where something is escaped.
pub(crate) fn row(row_start: &[u8]) -> Cow<'_, [u8]> {
    let escaped = row_start.get(..row_start.len().saturating_sub(END.len())).unwrap_or_default();
    if escaped.contains(&0) { Cow::Owned(unescape(escaped)) } else { Cow::Borrowed(escaped) }
}

/// The bytes of a part.
fn unescape(escaped: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(escaped.len());
    let mut rest = escaped.iter();
    while let Some(&byte) = rest.next() {
        bytes.push(byte);
        if byte == 0 {
            rest.next();
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_of(
        row: &[u8],
        qualifier: &[u8],
        timestamp: Timestamp,
        kind: CellType,
        generation: Generation,
    ) -> Vec<u8> {
        cell(&row_start(row), qualifier, timestamp, kind, generation)
    }

    const SAMPLES: &[&[u8]] = &[
        b"",
        b"\0",
        b"\0\0",
        b"\0\x01",
        b"\0\xff",
        b"\x01",
        b"a",
        b"a\0",
        b"a\0b",
        b"ab",
        b"b",
        b"\xff",
        b"\xff\0",
        b"\xff\xff",
    ];

    #[test]
    fn keys_come_back() {
        for row in SAMPLES {
            for qualifier in SAMPLES {
                for timestamp in [0, 1, 1_700_000_000_000, Timestamp::MAX] {
                    let key = key_of(row, qualifier, timestamp, CellType::DeleteColumn, 7);
                    let bytes = row_start_bytes(&key).unwrap();
                    assert_eq!(&super::row(&key[..bytes])[..], *row);
                    let parts = split(&key, bytes).unwrap();
                    let found = parts.unescaped_qualifier.as_deref().unwrap_or(&key[parts.qualifier_at()]);
                    assert_eq!((found, parts.timestamp), (*qualifier, timestamp));
                    assert_eq!((parts.kind, parts.generation), (CellType::DeleteColumn, 7));
                }
            }
        }
    }

    #[test]
    fn byte_order_is_cell_order() {
        let mut cells = Vec::new();
        for row in SAMPLES {
            for qualifier in SAMPLES {
                for timestamp in [9, 5, 0] {
                    for kind in [CellType::DeleteFamily, CellType::Delete, CellType::Put] {
                        for generation in [3, 2] {
                            cells.push(key_of(row, qualifier, timestamp, kind, generation));
                        }
                    }
                }
            }
        }
        assert!(cells.is_sorted());
    }

    #[test]
    fn behind_lies_between_a_part_and_the_next() {
        for pair in SAMPLES.windows(2) {
            let [a, b] = pair else { unreachable!() };
            assert!(key_of(a, b"\xff\xff", 0, CellType::Put, 0) < row_behind(a), "{a:?}");
            assert!(row_behind(a) < row_start(b), "{a:?} {b:?}");
            let row = row_start(b"r");
            assert!(column_behind(&row, a) > cell(&row, a, 0, CellType::Put, 0));
            assert!(column_behind(&row, a) < column_start(&row, b));
        }
    }

    #[test]
    fn foreign_bytes_are_no_key() {
        assert_eq!(row_start_bytes(b"abc"), None);
        assert_eq!(split(b"a\0\0", 3), None);
        let mut key = key_of(b"r", b"q", 1, CellType::Put, 1);
        let kind_at = key.len() - GENERATION_BYTES - KIND_BYTES;
        key[kind_at] = 0;
        assert_eq!(split(&key, 3), None);
    }
}
