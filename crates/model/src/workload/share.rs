//! Which share of a table's rows has a value of a column, or one within a range: from what was measured of the column.
//!
//! Heavy values have their own share; the other rows are taken to be spread evenly over the other values, and these
//! evenly from the least to the greatest, as optimisers have assumed since System R.

use std::ops::Bound;

use super::Column;
use crate::value::{Date, Moment, Value, ValueType};

/// A range of which nobody knows more keeps this share of the rows, as in System R.
pub const RANGE_SHARE: f64 = 1.0 / 3.0;
/// Different values of a column of which nobody counted them.
const DISTINCT_ASSUMED: f64 = 100.0;
const MICROS_OF_DAY: f64 = 86_400e6;

impl Column {
    /// The share of rows that have one value, of which nobody knows which.
    pub fn share_of_any(&self) -> f64 {
        self.filled() / self.distinct_or_assumed().max(1.0)
    }

    /// The share of rows that have this value, written as text.
    pub fn share_of(&self, value: &str) -> f64 {
        let typed = Value::parse(self.value_type, value).ok();
        let is_same = |heavy: &str| {
            heavy == value || (typed.is_some() && Value::parse(self.value_type, heavy).ok() == typed)
        };
        if let Some(heavy) = self.heavy.iter().find(|heavy| is_same(&heavy.value)) {
            return heavy.share;
        }
        let is_outside = self.span().zip(self.place(value)).is_some_and(|(span, at)| !span.contains(at));
        if is_outside {
            return 0.0;
        }
        self.light() / (self.distinct_or_assumed() - self.heavy.len() as f64).max(1.0)
    }

    /// The share of rows whose value is within a range, its ends written as text; `None` when the column's least and
    /// greatest values are not known, or an end is no value of its type.
    pub fn share_within(&self, low: Bound<&str>, high: Bound<&str>) -> Option<f64> {
        let span = self.span()?;
        let from = match low {
            Bound::Unbounded => span.min,
            Bound::Included(text) => self.place(text)?,
            Bound::Excluded(text) => self.place(text)? + span.step,
        };
        let to = match high {
            Bound::Unbounded => span.max,
            Bound::Included(text) => self.place(text)?,
            Bound::Excluded(text) => self.place(text)? - span.step,
        };
        let is_within = |heavy: &str| self.place(heavy).is_some_and(|at| (from..=to).contains(&at));
        let heavy: f64 =
            self.heavy.iter().filter(|heavy| is_within(&heavy.value)).map(|heavy| heavy.share).sum();
        Some((heavy + self.light() * span.covered(from, to)).clamp(0.0, 1.0))
    }

    /// The share of rows that have a value.
    fn filled(&self) -> f64 {
        1.0 - self.nulls.unwrap_or(0.0)
    }

    /// The share of rows that have a value which is not heavy.
    fn light(&self) -> f64 {
        let heavy: f64 = self.heavy.iter().map(|heavy| heavy.share).sum();
        (self.filled() - heavy).max(0.0)
    }

    fn distinct_or_assumed(&self) -> f64 {
        self.distinct.map_or(DISTINCT_ASSUMED, |count| count as f64)
    }

    fn span(&self) -> Option<Span> {
        let (min, max) = (self.place(self.min.as_deref()?)?, self.place(self.max.as_deref()?)?);
        let step = match self.value_type {
            ValueType::Int | ValueType::Date | ValueType::Bool => 1.0,
            // Without a unit of its own, the distance between neighbours when all are equally far apart.
            _ => {
                self.distinct.filter(|count| *count > 1).map_or(0.0, |count| (max - min) / (count - 1) as f64)
            }
        };
        (min <= max).then_some(Span { min, max, step })
    }

    /// Where a value lies on a line of numbers: days, microseconds, or the number itself. Texts lie by their bytes after
    /// what the least and the greatest have in common.
    fn place(&self, text: &str) -> Option<f64> {
        let number = || text.trim().parse::<f64>().ok();
        let place = match self.value_type {
            ValueType::Int | ValueType::Float | ValueType::Decimal => number(),
            ValueType::Bool => match Value::parse(ValueType::Bool, text) {
                Ok(Value::Bool(truth)) => Some(f64::from(u8::from(truth))),
                _ => None,
            },
            ValueType::Date => {
                let day = Date::parse(text.trim()).map(|date| f64::from(date.days()));
                day.or_else(|| Some(Moment::parse(text.trim())?.micros() as f64 / MICROS_OF_DAY))
            }
            ValueType::Timestamp => Moment::parse(text.trim()).map(|moment| moment.micros() as f64),
            ValueType::String | ValueType::Bytes => self.place_of_bytes(text.as_bytes()),
        };
        place.filter(|place| place.is_finite())
    }

    fn place_of_bytes(&self, bytes: &[u8]) -> Option<f64> {
        let (min, max) = (self.min.as_deref()?.as_bytes(), self.max.as_deref()?.as_bytes());
        let common = min.iter().zip(max).take_while(|(one, other)| one == other).count();
        let (prefix, _) = min.split_at_checked(common)?;
        match bytes.strip_prefix(prefix) {
            Some(rest) => Some(fraction(rest)),
            // Beside all values: left of what begins with 0, or right of what begins with 255.
            None if bytes < min => Some(-1.0),
            None => Some(2.0),
        }
    }
}

/// Bytes as the digits of a number from 0 to 1; a double holds six of them.
fn fraction(bytes: &[u8]) -> f64 {
    bytes.iter().take(6).rev().fold(0.0, |below, byte| (below + f64::from(*byte)) / 256.0)
}

/// The values of a column on the line.
#[derive(Clone, Copy, Debug)]
struct Span {
    min: f64,
    max: f64,
    /// From one value to the next.
    step: f64,
}

impl Span {
    fn contains(&self, at: f64) -> bool {
        (self.min..=self.max).contains(&at)
    }

    /// The share of the values from one place to another, both included.
    fn covered(&self, from: f64, to: f64) -> f64 {
        let (from, to) = (from.max(self.min), to.min(self.max));
        let whole = self.max - self.min + self.step;
        if whole > 0.0 {
            ((to - from + self.step) / whole).clamp(0.0, 1.0)
        } else {
            f64::from(u8::from(from <= to))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Bound::{Excluded, Included, Unbounded};

    use super::super::Heavy;
    use super::*;

    fn column(value_type: ValueType, distinct: u64, min: &str, max: &str) -> Column {
        let (min, max) = (Some(min.to_owned()), Some(max.to_owned()));
        Column { distinct: Some(distinct), min, max, ..Column::new("c", value_type) }
    }

    #[track_caller]
    fn close(share: Option<f64>, expected: f64) {
        assert!(share.is_some_and(|share| (share - expected).abs() < 1e-9), "{share:?} is not {expected}");
    }

    #[test]
    fn days_count_with_both_ends() {
        let day = column(ValueType::Date, 366, "2024-01-01", "2024-12-31");
        close(day.share_within(Included("2024-03-01"), Included("2024-03-01")), 1.0 / 366.0);
        close(day.share_within(Included("2024-03-01"), Excluded("2024-03-08")), 7.0 / 366.0);
        close(day.share_within(Excluded("2024-12-30"), Unbounded), 1.0 / 366.0);
        close(day.share_within(Unbounded, Unbounded), 1.0);
        close(day.share_within(Included("2023-12-01"), Included("2024-01-02")), 2.0 / 366.0);
        close(day.share_within(Included("2025-01-01"), Unbounded), 0.0);
        close(day.share_within(Included("2024-03-02"), Included("2024-03-01")), 0.0);
        close(day.share_within(Included("2024-01-01 00:00"), Included("2024-01-01")), 1.0 / 366.0);
        assert_eq!(day.share_within(Included("soon"), Unbounded), None);
        assert_eq!(day.share_of("2025-01-01"), 0.0);
        assert_eq!(day.share_of("2024-05-01"), 1.0 / 366.0);
    }

    #[test]
    fn numbers_and_times_lie_where_they_are() {
        let int = column(ValueType::Int, 3, "-5", "4");
        close(int.share_within(Included("0"), Unbounded), 0.5);
        close(int.share_within(Unbounded, Excluded("0")), 0.5);
        close(int.share_within(Included("3.5"), Included("4")), 0.15);
        let amount = column(ValueType::Decimal, 101, "0.00", "10.00");
        close(amount.share_within(Included("5"), Included("5")), 1.0 / 101.0);
        let time = column(ValueType::Timestamp, 25, "2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z");
        close(time.share_within(Included("2024-01-01 12:00"), Excluded("2024-01-01 13:00")), 1.0 / 25.0);
        let constant = column(ValueType::Float, 1, "2.5", "2.5");
        close(constant.share_within(Included("1"), Included("3")), 1.0);
        close(constant.share_within(Included("3"), Unbounded), 0.0);
    }

    #[test]
    fn texts_lie_by_their_bytes_after_what_all_begin_with() {
        let text = column(ValueType::String, 1_000_000, "user-a", "user-z");
        let half = text.share_within(Included("user-a"), Excluded("user-m8")).unwrap();
        assert!((0.45..0.55).contains(&half), "{half}");
        close(text.share_within(Unbounded, Included("admin")), 0.0);
        assert!(text.share_within(Included("vip"), Unbounded).unwrap() < 1e-5);
        close(text.share_within(Included("admin"), Included("vip")), 1.0);
    }

    #[test]
    fn heavy_values_have_their_own_share() {
        let heavy = |value: &str, share| Heavy { value: value.to_owned(), share };
        let base = column(ValueType::Int, 12, "1", "100");
        let skewed = Column { nulls: Some(0.1), heavy: vec![heavy("7", 0.5), heavy("70", 0.2)], ..base };
        assert_eq!((skewed.share_of("7"), skewed.share_of(" 70")), (0.5, 0.2));
        close(Some(skewed.share_of("8")), 0.02);
        close(skewed.share_within(Included("1"), Included("10")), 0.5 + 0.2 * 0.1);
        close(Some(skewed.share_of_any()), 0.9 / 12.0);
    }

    #[test]
    fn what_is_not_known_is_assumed_or_said_to_be_unknown() {
        let unknown = Column::new("c", ValueType::Int);
        assert_eq!((unknown.share_of("1"), unknown.share_of_any()), (0.01, 0.01));
        assert_eq!(unknown.share_within(Included("1"), Unbounded), None);
        let endless = column(ValueType::Float, 5, "-inf", "inf");
        assert_eq!(endless.share_within(Included("1"), Unbounded), None);
    }
}
