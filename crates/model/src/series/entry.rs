//! The metrics of one reading as bytes.
//!
//! ```text
//!   │ nulls: ⌈metrics / 8⌉ bytes │ value │ value │ …        only values that are not null
//!
//!   nulls: the bit 1 << (i % 8) of byte i / 8 is set when metric i is null
//!   value: i64, f64: 8 bytes; i32: 4 bytes, big-endian; text, bytes: their length as LEB128, then the bytes
//! ```
//!
//! An entry of nulls only is no reading, see [`super::Reading`]; a cell that holds no reading is [`NOTHING`].

use crate::value::CellEncoding;
use crate::varint;

/// The value of a cell that says that nothing is there. No entry and no single value has these bytes.
pub const NOTHING: &[u8] = &[0xFF];

/// The metrics of one reading, as they stand in the bytes.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'b> {
    nulls: &'b [u8],
    values: &'b [u8],
    encodings: &'b [CellEncoding],
}

/// Appends the metrics of a reading: the bytes of each, `None` for null.
pub fn write<B: AsRef<[u8]>>(encodings: &[CellEncoding], values: &[Option<B>], out: &mut Vec<u8>) {
    let begin = out.len();
    out.resize(begin + null_bytes(encodings.len()), 0);
    for (index, encoding) in encodings.iter().enumerate() {
        match values.get(index).and_then(Option::as_ref).map(AsRef::as_ref) {
            Some(value) => {
                if fixed_bytes(*encoding).is_none() {
                    varint::write(value.len() as u64, out);
                }
                out.extend_from_slice(value);
            }
            None => {
                if let Some(nulls) = out.get_mut(begin + index / 8) {
                    *nulls |= 1 << (index % 8);
                }
            }
        }
    }
}

/// The entry at the beginning of `bytes`, and what follows it; `None` when the bytes are none.
pub fn read<'b>(encodings: &'b [CellEncoding], bytes: &'b [u8]) -> Option<(Entry<'b>, &'b [u8])> {
    let (nulls, values) = bytes.split_at_checked(null_bytes(encodings.len()))?;
    let mut rest = values;
    for (index, encoding) in encodings.iter().enumerate() {
        if !is_null(nulls, index) {
            (_, rest) = value(*encoding, rest)?;
        }
    }
    let values = values.get(..values.len() - rest.len())?;
    Some((Entry { nulls, values, encodings }, rest))
}

impl<'b> Entry<'b> {
    /// The values, `None` for null.
    pub fn values(self) -> impl Iterator<Item = Option<&'b [u8]>> {
        let mut rest = self.values;
        self.encodings.iter().enumerate().map(move |(index, encoding)| {
            if is_null(self.nulls, index) {
                return None;
            }
            let (found, after) = value(*encoding, rest)?;
            rest = after;
            Some(found)
        })
    }

    /// One value; `None` for null, and when there is no such metric.
    pub fn value(self, metric: usize) -> Option<&'b [u8]> {
        self.values().nth(metric).flatten()
    }

    /// Whether all metrics are null.
    pub fn is_empty(self) -> bool {
        (0..self.encodings.len()).all(|index| is_null(self.nulls, index))
    }

    /// The bytes of nulls and values.
    pub(super) fn parts(self) -> [&'b [u8]; 2] {
        [self.nulls, self.values]
    }
}

fn null_bytes(metrics: usize) -> usize {
    metrics.div_ceil(8)
}

fn is_null(nulls: &[u8], index: usize) -> bool {
    nulls.get(index / 8).is_none_or(|byte| byte & (1 << (index % 8)) != 0)
}

/// Bytes of every value of an encoding, when that is the same for all.
pub(super) fn fixed_bytes(encoding: CellEncoding) -> Option<usize> {
    match encoding {
        CellEncoding::I64 | CellEncoding::F64 => Some(8),
        CellEncoding::I32 => Some(4),
        CellEncoding::Text | CellEncoding::Bytes => None,
    }
}

fn value(encoding: CellEncoding, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    match fixed_bytes(encoding) {
        Some(length) => bytes.split_at_checked(length),
        None => {
            let (length, rest) = varint::read(bytes)?;
            rest.split_at_checked(usize::try_from(length).ok()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREE: [CellEncoding; 3] = [CellEncoding::I64, CellEncoding::Text, CellEncoding::I32];

    #[test]
    fn the_bytes_are_as_drawn() {
        let mut bytes = Vec::new();
        let values: [Option<&[u8]>; 3] = [None, Some(b"ab"), Some(&[0, 0, 0, 7])];
        write(&THREE, &values, &mut bytes);
        assert_eq!(bytes, [0b001, 2, b'a', b'b', 0, 0, 0, 7]);
        bytes.push(1);
        let (entry, rest) = read(&THREE, &bytes).unwrap();
        assert_eq!(rest, [1]);
        assert_eq!(entry.values().collect::<Vec<_>>(), values);
        assert_eq!((entry.value(1), entry.value(9)), (Some(&b"ab"[..]), None));
        assert!(!entry.is_empty());
    }

    #[test]
    fn nothing_is_no_entry_with_a_value() {
        let eight = [CellEncoding::Text; 8];
        let (entry, rest) = read(&eight, NOTHING).unwrap();
        assert!(entry.is_empty() && rest.is_empty());
        for metrics in 1..8 {
            let entry = read(&eight[..metrics], NOTHING).unwrap().0;
            assert!(entry.is_empty(), "{metrics}");
        }
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        let mut bytes = Vec::new();
        write(&THREE, &[Some(&[0; 8][..]), Some(b"abc"), Some(&[0; 4])], &mut bytes);
        for length in 0..bytes.len() {
            assert!(read(&THREE, &bytes[..length]).is_none(), "{length}");
        }
    }
}
