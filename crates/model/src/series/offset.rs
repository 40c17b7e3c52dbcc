//! How far a reading lies after the beginning of its row, and that as a qualifier.
//!
//! ```text
//!   span            row begins at             offset                 qualifier
//!   --------------  ------------------------  ---------------------  -------------------------------
//!   Of(w), w < 2³²  the greatest multiple of  at − beginning         4 bytes, big-endian, and then
//!   Of(w), else     w that is not above at    at − beginning         8 bytes  the metric's name, when
//!   Unbounded       the least number          at, sign bit turned    8 bytes  each has its own cell
//! ```

use super::{Span, time};
use crate::value::ValueType;

/// How the readings of a layout lie in its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offsets {
    /// How much a row holds; `None` for all there is.
    width: Option<u64>,
    /// The least number that the time's type has: a row cannot begin before it.
    least: i64,
}

impl Offsets {
    /// The offsets in rows of this span, of times of this type.
    pub fn new(span: Span, time_type: ValueType) -> Self {
        let width = match span {
            Span::Each => Some(1),
            Span::Of(width) => Some(width.max(1)),
            Span::Unbounded => None,
        };
        Self { width, least: time::bounds(time_type).0 }
    }

    /// Where the row of a reading begins.
    pub fn start(self, at: i64) -> i64 {
        let Some(width) = self.width else { return i64::MIN };
        let (at, width) = (i128::from(at), i128::from(width));
        i64::try_from(at.div_euclid(width) * width).map_or(self.least, |start| start.max(self.least))
    }

    /// How far a reading lies after the beginning of its row.
    pub fn offset(self, at: i64) -> u64 {
        at.abs_diff(self.start(at))
    }

    /// The reading's time, from where its row begins; `None` when there is no such number.
    pub fn at(self, start: i64, offset: u64) -> Option<i64> {
        start.checked_add_unsigned(offset)
    }

    /// The first number behind the row that begins here; `None` when there is no greater one.
    pub fn end(self, start: i64) -> Option<i64> {
        let (start, width) = (i128::from(start), i128::from(self.width?));
        i64::try_from((start.div_euclid(width) + 1) * width).ok()
    }

    /// Bytes of an offset in a qualifier.
    pub fn qualifier_bytes(self) -> usize {
        match self.width {
            Some(width) if u32::try_from(width).is_ok() => size_of::<u32>(),
            _ => size_of::<u64>(),
        }
    }

    /// Appends an offset as qualifiers begin with it.
    pub fn write_qualifier(self, offset: u64, out: &mut Vec<u8>) {
        let skip = size_of::<u64>() - self.qualifier_bytes();
        out.extend(offset.to_be_bytes().into_iter().skip(skip));
    }

    /// The offset that a qualifier begins with, and what follows it.
    pub fn read_qualifier(self, qualifier: &[u8]) -> Option<(u64, &[u8])> {
        let (offset, rest) = qualifier.split_at_checked(self.qualifier_bytes())?;
        Some((offset.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)), rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::BucketWidth;
    use crate::value::Value;

    #[test]
    fn rows_begin_where_the_key_says() {
        let times = [0, 1, -1, 59_999, 60_000, -60_001, 1_709_209_845_500, i64::MIN, i64::MAX];
        for width in [1, 7, 60_000, 1 << 40, u64::MAX] {
            for at in times {
                let offsets = Offsets::new(Span::Of(width), ValueType::Int);
                let start = offsets.start(at);
                assert_eq!(
                    Value::Int(start),
                    BucketWidth::Count(width).start(&Value::Int(at)),
                    "{at} {width}"
                );
                assert_eq!(offsets.at(start, offsets.offset(at)), Some(at), "{at} {width}");
                assert!(
                    offsets.end(start).is_none_or(|end| end > at && offsets.start(end) == end),
                    "{at} {width}"
                );
            }
        }
    }

    #[test]
    fn the_first_row_of_timestamps_is_short() {
        let (least, _) = time::bounds(ValueType::Timestamp);
        for width in [7, 86_400_000 * 7, 1 << 50] {
            let offsets = Offsets::new(Span::Of(width), ValueType::Timestamp);
            let bucket = time::bucket_width(ValueType::Timestamp, width);
            let first = time::value_of(ValueType::Timestamp, least).unwrap();
            assert_eq!(time::number_of(&bucket.start(&first)), Ok(offsets.start(least)), "{width}");
        }
    }

    #[test]
    fn qualifiers_sort_as_times_do() {
        for span in [Span::Of(3_600_000), Span::Of(1 << 33), Span::Unbounded] {
            let offsets = Offsets::new(span, ValueType::Int);
            let bytes = |at: i64| {
                let mut bytes = Vec::new();
                offsets.write_qualifier(offsets.offset(at), &mut bytes);
                bytes
            };
            let least = if span == Span::Unbounded { -5 } else { 0 };
            assert!(
                bytes(least) < bytes(1) && bytes(1) < bytes(256) && bytes(256) < bytes(70_000),
                "{span:?}"
            );
            let mut with_name = bytes(70_000);
            with_name.extend(b"bikes");
            assert_eq!(offsets.read_qualifier(&with_name), Some((offsets.offset(70_000), &b"bikes"[..])));
        }
        let unbounded = Offsets::new(Span::Unbounded, ValueType::Int);
        assert_eq!((unbounded.offset(0), unbounded.qualifier_bytes()), (1 << 63, 8));
        assert_eq!(Offsets::new(Span::Of(60), ValueType::Int).read_qualifier(b"abc"), None);
    }
}
