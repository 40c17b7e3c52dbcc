//! A reading: what the metrics of an entity were at one time.

use super::time::{NoNumber, number_of};
use super::{ReadingError, SeriesLayout};
use crate::value::Value;
use crate::workload::Table;

/// What the metrics of an entity were at one time. A reading whose metrics are all null is none: writing it removes what
/// was there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reading {
    /// Whose reading it is, in the order of the layout's entity.
    pub entity: Vec<Value>,
    /// Milliseconds since 1970, or the number of the sequence.
    pub at: i64,
    /// The values, in the order of the metrics asked for; null where there is none.
    pub metrics: Vec<Value>,
}

impl Reading {
    /// The reading of a table's row, whose values are in the order of the table's columns.
    pub fn of_row(layout: &SeriesLayout, table: &Table, values: &[Value]) -> Result<Self, ReadingError> {
        let value = |name: &String| {
            let index = table.column_index(name);
            index.and_then(|index| values.get(index)).cloned().unwrap_or(Value::Null)
        };
        let time = value(&layout.time);
        let at = number_of(&time).map_err(|why| no_time(layout, &time, why))?;
        // Stretches of time end before their last number.
        if at == i64::MAX {
            return Err(ReadingError::TooGreat { column: layout.time.clone(), value: at });
        }
        Ok(Self {
            entity: layout.entity.iter().map(value).collect(),
            at,
            metrics: layout.metrics.iter().map(value).collect(),
        })
    }

    /// Whether no metric has a value.
    pub fn is_empty(&self) -> bool {
        self.metrics.iter().all(Value::is_null)
    }
}

fn no_time(layout: &SeriesLayout, time: &Value, why: NoNumber) -> ReadingError {
    let (column, value) = (layout.time.clone(), time.to_string());
    match why {
        NoNumber::Null => ReadingError::NoTime { column },
        NoNumber::TooFine => ReadingError::TooFine { column, value },
        NoNumber::OtherType => ReadingError::NotATime { column, value },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::testing;
    use crate::value::Moment;

    #[test]
    fn a_row_becomes_a_reading_by_the_names_of_its_columns() {
        let table = testing::table();
        let layout = SeriesLayout::tall(&table).unwrap();
        let at = Value::Timestamp(Moment::from_millis(60_000).unwrap());
        let row = [at, Value::String("s1".into()), Value::Int(3), Value::Null];
        let reading = Reading::of_row(&layout, &table, &row).unwrap();
        let expected = Reading {
            entity: vec![Value::String("s1".into())],
            at: 60_000,
            metrics: vec![Value::Int(3), Value::Null],
        };
        assert_eq!(reading, expected);
        assert!(!reading.is_empty());
    }

    #[test]
    fn a_row_without_a_usable_time_is_refused() {
        let table = testing::table();
        let layout = SeriesLayout::tall(&table).unwrap();
        let told = |time| Reading::of_row(&layout, &table, &[time]).unwrap_err().to_string();
        assert!(told(Value::Null).contains("has no time"));
        assert!(
            told(Value::Timestamp(Moment::from_micros(1).unwrap())).contains("fraction of a millisecond")
        );
        assert!(told(Value::String("noon".into())).contains("noon is no time"));
        assert!(told(Value::Int(i64::MAX)).contains("must be less than 2^63 - 1"));
    }
}
