//! What conditions say about each column: one of some values, or a stretch of them.

use std::collections::BTreeMap;
use std::ops::Bound;

use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::value::{Date, Value};

/// What is known of the rows that are wanted.
#[derive(Debug, Default)]
pub(super) struct Known<'c> {
    /// Columns whose value is one of these, sorted and none twice.
    pub values: BTreeMap<&'c str, Vec<Value>>,
    /// Columns whose value lies between these.
    pub stretches: BTreeMap<&'c str, (Bound<Value>, Bound<Value>)>,
}

impl<'c> Known<'c> {
    /// All that the conditions say.
    pub fn of(conditions: &'c [Condition]) -> Self {
        let mut known = Self::default();
        for condition in conditions {
            let column = condition.column.as_str();
            match &condition.test {
                Test::IsNull => known.one_of(column, vec![Value::Null]),
                // Nothing equals null.
                Test::In(values) => {
                    known.one_of(column, values.iter().filter(|value| !value.is_null()).cloned().collect());
                }
                Test::Between(low, high) => known.between(column, low, high),
            }
        }
        known
    }

    fn one_of(&mut self, column: &'c str, mut values: Vec<Value>) {
        values.sort();
        values.dedup();
        if let Some(before) = self.values.get_mut(column) {
            before.retain(|value| values.binary_search(value).is_ok());
        } else {
            self.values.insert(column, values);
        }
    }

    fn between(&mut self, column: &'c str, low: &Bound<Value>, high: &Bound<Value>) {
        let (old_low, old_high) =
            self.stretches.entry(column).or_insert((Bound::Unbounded, Bound::Unbounded));
        if is_tighter(low, old_low, |new, old| new > old) {
            *old_low = low.clone();
        }
        if is_tighter(high, old_high, |new, old| new < old) {
            *old_high = high.clone();
        }
    }

    /// Where the values of a column are too many to look for each, the stretch from the least to the greatest.
    pub fn stretch_instead(&mut self, column: &str) {
        let Some((column, values)) = self.values.remove_entry(column) else { return };
        if let (Some(low), Some(high)) = (values.first().cloned(), values.last().cloned()) {
            self.between(column, &Bound::Included(low), &Bound::Included(high));
        }
    }

    /// Where a stretch has fewer values than `below`, these values.
    pub fn list_instead(&mut self, column: &str, below: u64) {
        let values = self.stretches.get(column).and_then(|(low, high)| few(low, high, below));
        if let (Some(values), Some((column, _))) = (values, self.stretches.get_key_value(column)) {
            let column = *column;
            self.one_of(column, values);
            self.stretches.remove(column);
        }
    }
}

/// The values between two bounds, when they can be counted and are fewer than `below`.
fn few(low: &Bound<Value>, high: &Bound<Value>, below: u64) -> Option<Vec<Value>> {
    let number = |value: &Value| match value {
        Value::Int(number) => Some(i128::from(*number)),
        Value::Date(date) => Some(i128::from(date.days())),
        _ => None,
    };
    let first = match low {
        Bound::Included(value) => number(value)?,
        Bound::Excluded(value) => number(value)? + 1,
        Bound::Unbounded => return None,
    };
    let (last, is_date) = match high {
        Bound::Included(value) => (number(value)?, matches!(value, Value::Date(_))),
        Bound::Excluded(value) => (number(value)? - 1, matches!(value, Value::Date(_))),
        Bound::Unbounded => return None,
    };
    if last - first + 1 >= i128::from(below) {
        return None;
    }
    let value = |number: i128| {
        if is_date {
            Date::from_days(i32::try_from(number).ok()?).map(Value::Date)
        } else {
            i64::try_from(number).ok().map(Value::Int)
        }
    };
    (first..=last).map(value).collect()
}

fn is_tighter(new: &Bound<Value>, old: &Bound<Value>, is_inside: impl Fn(&Value, &Value) -> bool) -> bool {
    match (new, old) {
        (Bound::Unbounded, _) => false,
        (_, Bound::Unbounded) => true,
        (Bound::Excluded(new), Bound::Included(old)) => new == old || is_inside(new, old),
        (Bound::Included(new) | Bound::Excluded(new), Bound::Included(old) | Bound::Excluded(old)) => {
            is_inside(new, old)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_on_one_column_are_put_together() {
        let numbers = |numbers: &[i64]| numbers.iter().copied().map(Value::Int).collect::<Vec<_>>();
        let upper = |bound| Condition::new("b", Test::Between(Bound::Unbounded, bound));
        let conditions = [
            Condition::new("a", Test::In(numbers(&[3, 1, 3, 2]))),
            Condition::new("a", Test::In(numbers(&[2, 3, 5]))),
            upper(Bound::Included(Value::Int(9))),
            upper(Bound::Excluded(Value::Int(9))),
            upper(Bound::Included(Value::Int(20))),
            Condition::new("c", Test::equals(Value::Null)),
        ];
        let mut known = Known::of(&conditions);
        assert_eq!(known.values["a"], numbers(&[2, 3]));
        assert!(known.values["c"].is_empty(), "nothing equals null");
        assert_eq!(known.stretches["b"], (Bound::Unbounded, Bound::Excluded(Value::Int(9))));
        known.list_instead("b", 5);
        assert!(known.stretches.contains_key("b"), "without a lower bound nothing can be counted");
        known.stretch_instead("a");
        assert_eq!(known.stretches["a"], (Bound::Included(Value::Int(2)), Bound::Included(Value::Int(3))));
    }

    #[test]
    fn few_values_are_listed() {
        let numbers = |low: i64, high: i64, below: u64| {
            few(&Bound::Excluded(Value::Int(low)), &Bound::Included(Value::Int(high)), below)
        };
        assert_eq!(numbers(3, 5, 3), Some(vec![Value::Int(4), Value::Int(5)]));
        assert_eq!(numbers(3, 5, 2), None, "as many as there are prefixes");
        assert_eq!(numbers(5, 5, 3), Some(Vec::new()), "between them lies nothing");
        assert_eq!(numbers(i64::MIN, i64::MAX, u64::MAX), None);
        assert_eq!(numbers(i64::MAX, i64::MAX, 9), Some(Vec::new()));
        let day = |day| Value::Date(Date::from_days(day).unwrap());
        let days = few(&Bound::Included(day(-1)), &Bound::Excluded(day(1)), 9);
        assert_eq!(days, Some(vec![day(-1), day(0)]));
    }
}
