//! `bucket(field, "1h")`: where the stretch of time, or of numbers, begins that a value lies in.

use std::fmt;
use std::time::Duration;

use crate::duration_text;
use crate::value::{Date, Moment, Value, ValueType};

const DAY_US: u64 = 86_400_000_000;

/// What `bucket` takes, for messages.
pub(super) const TAKES: &str =
    "a timestamp with a length of time, a date with whole days, or an int with a whole number";

/// How wide a bucket is. Buckets are counted from 1970-01-01T00:00:00Z, those of numbers from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BucketWidth {
    /// A length of time, not 0.
    Time(Duration),
    /// So many whole numbers, not 0.
    Count(u64),
}

impl BucketWidth {
    /// Reads `1h`, `15m` or `1000`; not 0.
    pub fn parse(text: &str) -> Option<Self> {
        let width = match text.bytes().all(|byte| byte.is_ascii_digit()) {
            true => Self::Count(text.parse().ok()?),
            false => Self::Time(duration_text::parse(text)?),
        };
        (!matches!(width, Self::Count(0) | Self::Time(Duration::ZERO))).then_some(width)
    }

    /// Whether it goes with a type.
    pub(super) fn takes(self, value_type: ValueType) -> bool {
        match (self, value_type) {
            (Self::Time(_), ValueType::Timestamp) | (Self::Count(_), ValueType::Int) => true,
            (Self::Time(_), ValueType::Date) => self.units().is_multiple_of(DAY_US),
            _ => false,
        }
    }

    /// Where the bucket of a value begins; null for null and for what has no buckets.
    pub fn start(self, value: &Value) -> Value {
        match value {
            Value::Timestamp(moment) => {
                let start = floor(moment.micros(), self.units());
                Value::Timestamp(Moment::from_micros(start).unwrap_or(Moment::MIN))
            }
            Value::Date(date) => {
                let start = floor(i64::from(date.days()), self.units() / DAY_US);
                let start = i32::try_from(start).ok().and_then(Date::from_days);
                Value::Date(start.unwrap_or(Date::MIN))
            }
            Value::Int(number) => Value::Int(floor(*number, self.units())),
            _ => Value::Null,
        }
    }

    /// The width in microseconds, or in numbers.
    fn units(self) -> u64 {
        match self {
            Self::Time(length) => u64::try_from(length.as_micros()).unwrap_or(u64::MAX),
            Self::Count(count) => count,
        }
    }
}

/// The greatest multiple of `width` that is not above `number`, or the least number where that would be below it.
fn floor(number: i64, width: u64) -> i64 {
    let (number, width) = (i128::from(number), i128::from(width.max(1)));
    i64::try_from(number.div_euclid(width) * width).unwrap_or(i64::MIN)
}

impl fmt::Display for BucketWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(length) => f.write_str(&duration_text::print(*length)),
            Self::Count(count) => count.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(width: &str, value_type: ValueType, text: &str) -> String {
        let width = BucketWidth::parse(width).unwrap();
        assert!(width.takes(value_type), "{width}");
        width.start(&Value::parse(value_type, text).unwrap()).to_string()
    }

    #[test]
    fn buckets_begin_at_whole_multiples() {
        assert_eq!(start("1h", ValueType::Timestamp, "2024-02-29T12:59:59.999Z"), "2024-02-29T12:00:00Z");
        assert_eq!(start("1d", ValueType::Timestamp, "1969-12-31T23:59:59Z"), "1969-12-31T00:00:00Z");
        assert_eq!(start("7d", ValueType::Date, "1970-01-09"), "1970-01-08");
        assert_eq!(start("100", ValueType::Int, "-1"), "-100");
        assert_eq!(start("3", ValueType::Int, &i64::MIN.to_string()), i64::MIN.to_string());
        assert_eq!(start("52w", ValueType::Date, "0001-01-01"), "0001-01-01");
    }

    #[test]
    fn only_fitting_types_have_buckets() {
        let hour = BucketWidth::parse("1h").unwrap();
        assert!(
            !hour.takes(ValueType::Date) && !hour.takes(ValueType::Int) && !hour.takes(ValueType::String)
        );
        assert_eq!(hour.start(&Value::Null), Value::Null);
        for text in ["", "0", "0h", "1y", "-5", "99999999999999999999"] {
            assert_eq!(BucketWidth::parse(text), None, "{text:?}");
        }
    }
}
