//! The time of a reading as one number: milliseconds since 1970, or the number of the sequence.

use std::time::Duration;

use crate::key::BucketWidth;
use crate::value::{Moment, Value, ValueType};

const DAY_MS: u64 = 86_400_000;

/// Whether values of a type can order readings.
pub fn orders(value_type: ValueType) -> bool {
    matches!(value_type, ValueType::Timestamp | ValueType::Date | ValueType::Int)
}

/// Whether rows of a column of this type can span so much.
pub(super) fn takes_span(value_type: ValueType, width: u64) -> bool {
    let widest = u64::MAX / 1_000;
    match value_type {
        ValueType::Date => width > 0 && width.is_multiple_of(DAY_MS) && width <= widest,
        ValueType::Timestamp => width > 0 && width <= widest,
        _ => width > 0,
    }
}

/// The width of the buckets of a column of this type.
pub(super) fn bucket_width(value_type: ValueType, width: u64) -> BucketWidth {
    match value_type {
        ValueType::Int => BucketWidth::Count(width),
        _ => BucketWidth::Time(Duration::from_millis(width)),
    }
}

/// The number of a bucket width, in milliseconds or numbers.
pub(super) fn width_of(width: BucketWidth) -> Option<u64> {
    match width {
        BucketWidth::Count(count) => Some(count),
        BucketWidth::Time(length) => u64::try_from(length.as_millis()).ok(),
    }
}

/// Why a value has no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoNumber {
    /// It is null.
    Null,
    /// It is finer than a millisecond.
    TooFine,
    /// It is of another type.
    OtherType,
}

/// The number of a time: milliseconds since 1970 of a timestamp or of a day's beginning, or the number itself.
pub fn number_of(value: &Value) -> Result<i64, NoNumber> {
    match value {
        Value::Null => Err(NoNumber::Null),
        Value::Int(number) => Ok(*number),
        Value::Date(date) => Ok(Moment::midnight(*date).millis()),
        Value::Timestamp(moment) if moment.micros().rem_euclid(1_000) != 0 => Err(NoNumber::TooFine),
        Value::Timestamp(moment) => Ok(moment.millis()),
        _ => Err(NoNumber::OtherType),
    }
}

/// The value of a number in a column of this type; `None` when the type has no such value (a day's middle, year 10000).
pub fn value_of(value_type: ValueType, number: i64) -> Option<Value> {
    match value_type {
        ValueType::Int => Some(Value::Int(number)),
        ValueType::Timestamp => Moment::from_millis(number).map(Value::Timestamp),
        ValueType::Date => {
            let moment = Moment::from_millis(number)?;
            (Moment::midnight(moment.date()) == moment).then_some(Value::Date(moment.date()))
        }
        _ => None,
    }
}

/// The least and the greatest number that a column of this type holds.
pub fn bounds(value_type: ValueType) -> (i64, i64) {
    match value_type {
        ValueType::Int => (i64::MIN, i64::MAX),
        ValueType::Date => {
            (Moment::midnight(Moment::MIN.date()).millis(), Moment::midnight(Moment::MAX.date()).millis())
        }
        _ => (Moment::MIN.millis(), Moment::MAX.millis()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Date;

    #[test]
    fn numbers_come_back_as_the_values_they_were() {
        for text in ["1970-01-01", "1969-12-31", "0001-01-01", "9999-12-31"] {
            for value_type in [ValueType::Date, ValueType::Timestamp] {
                let value = Value::parse(value_type, text).unwrap();
                let number = number_of(&value).unwrap();
                assert_eq!(value_of(value_type, number), Some(value), "{text}");
                let (least, greatest) = bounds(value_type);
                assert!((least..=greatest).contains(&number), "{text}");
            }
        }
        assert_eq!(number_of(&Value::Int(-5)), Ok(-5));
        assert_eq!(value_of(ValueType::Date, 1), None);
        assert_eq!(value_of(ValueType::Timestamp, i64::MAX), None);
        assert_eq!(number_of(&Value::Date(Date::parse("1970-01-02").unwrap())), Ok(86_400_000));
    }

    #[test]
    fn what_is_finer_than_a_millisecond_is_not_rounded() {
        let fine = Value::Timestamp(Moment::from_micros(1_001).unwrap());
        assert_eq!(number_of(&fine), Err(NoNumber::TooFine));
        assert_eq!(number_of(&Value::Null), Err(NoNumber::Null));
        assert_eq!(number_of(&Value::Float(1.0)), Err(NoNumber::OtherType));
    }
}
