//! Where the values of a cell are, and of when they are.
//!
//! ```text
//!   a reading's time      in the row key   in the qualifier        in the version   in a packed cell
//!   --------------------  ---------------  ----------------------  ---------------  ------------------------
//!   TimeOf                Key              Offset, from the key's  Timestamp        Key, then entry by entry
//! ```

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use tablesmith_model::Timestamp;
use tablesmith_model::value::CellEncoding;

/// How cells hold values. Without more, a cell is one value, of the time that its version says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readings {
    /// The values in a cell.
    pub held: Held,
    /// Of when they are.
    pub time: TimeOf,
    /// Only values of this time count, those that have none left out.
    pub during: Option<Range<Timestamp>>,
}

/// The values in a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Held {
    /// The cell is the value.
    #[default]
    Whole,
    /// The cell is a metric's value, or says that there is none ([`single`](tablesmith_model::series::single)).
    Single,
    /// The cell has the metrics of one reading, of which one counts ([`entry`](tablesmith_model::series::entry)).
    Together(Metric),
    /// The cell has the metrics of many readings, of which one counts ([`packed`](tablesmith_model::series::packed)). The
    /// time of a reading is that of the cell and its offset.
    Packed(Metric),
}

/// One of several metrics in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metric {
    /// How the metrics are written, in their order.
    pub encodings: Arc<[CellEncoding]>,
    /// The place of the one that counts.
    pub index: usize,
}

/// Of when a cell is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TimeOf {
    /// Its version says it.
    #[default]
    Timestamp,
    /// Its row key says it.
    Key(KeyTime),
    /// Its qualifier begins with an offset and goes on with a name; cells of other names do not count.
    Offset {
        /// From where on; from the least number on without.
        base: Option<KeyTime>,
        /// How the offset is written.
        form: OffsetForm,
        /// What follows the offset.
        name: Bytes,
    },
    /// It is the least number: offsets count from there.
    Least,
}

/// A time in the row key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyTime {
    /// Where it is.
    pub place: KeyPlace,
    /// What it counts.
    pub unit: KeyUnit,
}

/// Where in a key a part begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPlace {
    /// After so many bytes.
    FromFront(usize),
    /// So many bytes before the key's end.
    FromBack(usize),
}

/// What the time in a key counts. Its bytes are those of the binary key encoding: big-endian, the sign bit turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyUnit {
    /// A timestamp: microseconds in 8 bytes.
    Micros,
    /// A whole number in 8 bytes.
    Number,
    /// A date: days in 4 bytes.
    Days,
}

/// How an offset is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffsetForm {
    /// 4 bytes, big-endian.
    Short,
    /// 8 bytes, big-endian.
    Long,
}

const MICROS_PER_MS: i64 = 1_000;
const DAY_MS: i64 = 86_400_000;

impl KeyTime {
    /// The time in a key; `None` when the key is too short for it.
    pub fn of(self, row: &[u8]) -> Option<Timestamp> {
        let from = match self.place {
            KeyPlace::FromFront(bytes) => bytes,
            KeyPlace::FromBack(bytes) => row.len().checked_sub(bytes)?,
        };
        let bytes = row.get(from..)?;
        match self.unit {
            KeyUnit::Micros => Some(signed(bytes)?.div_euclid(MICROS_PER_MS)),
            KeyUnit::Number => signed(bytes),
            KeyUnit::Days => {
                let flipped = u32::from_be_bytes(*bytes.first_chunk()?) ^ (1 << 31);
                Some(i64::from(flipped.cast_signed()) * DAY_MS)
            }
        }
    }
}

impl OffsetForm {
    /// The offset at the beginning of a qualifier, and what follows it.
    #[inline]
    fn split(self, qualifier: &[u8]) -> Option<(u64, &[u8])> {
        match self {
            Self::Short => {
                let (offset, name) = qualifier.split_first_chunk()?;
                Some((u32::from_be_bytes(*offset).into(), name))
            }
            Self::Long => {
                let (offset, name) = qualifier.split_first_chunk()?;
                Some((u64::from_be_bytes(*offset), name))
            }
        }
    }
}

fn signed(bytes: &[u8]) -> Option<i64> {
    Some((u64::from_be_bytes(*bytes.first_chunk()?) ^ (1 << 63)).cast_signed())
}

impl TimeOf {
    /// What the row key says of the time: all of it, or from where on offsets count.
    pub(super) fn of_row(&self, row: &[u8]) -> Option<Timestamp> {
        match self {
            Self::Key(time) | Self::Offset { base: Some(time), .. } => time.of(row),
            Self::Offset { base: None, .. } | Self::Least => Some(Timestamp::MIN),
            Self::Timestamp => None,
        }
    }

    /// The time of a cell, if it has one; `Err` when the cell has another name than the one that counts.
    #[inline]
    pub(super) fn of_cell(
        &self,
        of_row: Option<Timestamp>,
        qualifier: &[u8],
        timestamp: Timestamp,
    ) -> Result<Option<Timestamp>, OtherName> {
        match self {
            Self::Timestamp => Ok(Some(timestamp)),
            Self::Key(_) | Self::Least => Ok(of_row),
            Self::Offset { form, name, .. } => match form.split(qualifier) {
                Some((offset, rest)) if rest == name => {
                    Ok(of_row.and_then(|base| base.checked_add_unsigned(offset)))
                }
                _ => Err(OtherName),
            },
        }
    }
}

/// A cell of another metric.
pub(super) struct OtherName;

#[cfg(test)]
mod tests {
    use super::*;

    fn flipped(number: i64) -> [u8; 8] {
        (number.cast_unsigned() ^ (1 << 63)).to_be_bytes()
    }

    #[test]
    fn a_key_tells_its_time_from_either_end() {
        let mut row = b"ab".to_vec();
        row.extend(flipped(-1_500));
        let time = |place, unit| KeyTime { place, unit }.of(&row);
        assert_eq!(time(KeyPlace::FromFront(2), KeyUnit::Micros), Some(-2));
        assert_eq!(time(KeyPlace::FromBack(8), KeyUnit::Number), Some(-1_500));
        assert_eq!(time(KeyPlace::FromFront(3), KeyUnit::Number), None);
        assert_eq!(time(KeyPlace::FromBack(99), KeyUnit::Number), None);
        let days = KeyTime { place: KeyPlace::FromFront(0), unit: KeyUnit::Days };
        assert_eq!(days.of(&(3_u32 ^ (1 << 31)).to_be_bytes()), Some(3 * DAY_MS));
    }

    #[test]
    fn a_qualifier_tells_its_offset_and_name() {
        let time = |form| TimeOf::Offset { base: None, form, name: "n".into() };
        let of = |form, qualifier: &[u8]| time(form).of_cell(Some(100), qualifier, 7).ok();
        assert_eq!(of(OffsetForm::Short, b"\0\0\0\x05n"), Some(Some(105)));
        assert_eq!(of(OffsetForm::Short, b"\0\0\0\x05m"), None);
        assert_eq!(of(OffsetForm::Short, b"\0\0n"), None);
        assert_eq!(of(OffsetForm::Long, b"\0\0\0\0\0\0\0\x05n"), Some(Some(105)));
        assert_eq!(of(OffsetForm::Long, &[&[0xFF; 8][..], b"n"].concat()), Some(None), "no such time");
        let whole = time(OffsetForm::Long);
        assert_eq!(
            whole.of_cell(whole.of_row(b""), &[&flipped(-5)[..], b"n"].concat(), 7).ok(),
            Some(Some(-5))
        );
    }
}
