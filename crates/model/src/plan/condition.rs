//! A condition on one column that every row of an answer meets.

use std::fmt;
use std::ops::Bound;

use crate::value::Value;

/// A condition on one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The column.
    pub column: String,
    /// What its value must be.
    pub test: Test,
}

/// What a value must be. As in SQL, null meets no comparison, and nothing is compared with null.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// One of these values; a single one is an equality.
    In(Vec<Value>),
    /// Between these bounds.
    Between(Bound<Value>, Bound<Value>),
    /// No value.
    IsNull,
}

impl Condition {
    /// A condition on a column.
    pub fn new(column: impl Into<String>, test: Test) -> Self {
        Self { column: column.into(), test }
    }
}

impl Test {
    /// The value equals this one.
    pub fn equals(value: Value) -> Self {
        Self::In(vec![value])
    }

    /// Whether a value meets it.
    pub fn holds(&self, value: &Value) -> bool {
        match self {
            Self::IsNull => value.is_null(),
            _ if value.is_null() => false,
            Self::In(values) => values.contains(value),
            Self::Between(low, high) => {
                let above = match low {
                    Bound::Unbounded => true,
                    Bound::Included(low) => !low.is_null() && value >= low,
                    Bound::Excluded(low) => !low.is_null() && value > low,
                };
                let below = match high {
                    Bound::Unbounded => true,
                    Bound::Included(high) => !high.is_null() && value <= high,
                    Bound::Excluded(high) => !high.is_null() && value < high,
                };
                above && below
            }
        }
    }

    /// Whether null fails it: a row that meets it has a value.
    pub fn wants_value(&self) -> bool {
        !matches!(self, Self::IsNull)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = &self.column;
        match &self.test {
            Test::IsNull => write!(f, "{column} IS NULL"),
            Test::In(values) => match values.as_slice() {
                [value] => write!(f, "{column} = {value}"),
                values => write!(f, "{column} IN ({} values)", values.len()),
            },
            Test::Between(low, high) => {
                let low = match low {
                    Bound::Included(low) => Some(format!("{column} >= {low}")),
                    Bound::Excluded(low) => Some(format!("{column} > {low}")),
                    Bound::Unbounded => None,
                };
                let high = match high {
                    Bound::Included(high) => Some(format!("{column} <= {high}")),
                    Bound::Excluded(high) => Some(format!("{column} < {high}")),
                    Bound::Unbounded => None,
                };
                let both: Vec<String> = low.into_iter().chain(high).collect();
                f.write_str(&both.join(" AND "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_meets_only_is_null() {
        let unbounded = Test::Between(Bound::Unbounded, Bound::Unbounded);
        assert!(!unbounded.holds(&Value::Null) && unbounded.holds(&Value::Int(1)));
        assert!(!Test::equals(Value::Null).holds(&Value::Null));
        assert!(Test::IsNull.holds(&Value::Null) && !Test::IsNull.holds(&Value::Int(0)));
        let below_null = Test::Between(Bound::Unbounded, Bound::Included(Value::Null));
        let above_null = Test::Between(Bound::Excluded(Value::Null), Bound::Unbounded);
        assert!(!below_null.holds(&Value::Int(1)) && !above_null.holds(&Value::Int(1)));
    }

    #[test]
    fn bounds_are_in_or_out() {
        let (one, three) = (Value::Int(1), Value::Int(3));
        let between = Test::Between(Bound::Excluded(one.clone()), Bound::Included(three.clone()));
        let met: Vec<i64> = (0..5).filter(|number| between.holds(&Value::Int(*number))).collect();
        assert_eq!(met, [2, 3]);
        assert_eq!(Condition::new("x", between).to_string(), "x > 1 AND x <= 3");
        assert_eq!(Condition::new("x", Test::equals(one)).to_string(), "x = 1");
    }
}
