//! Sums of numbers: exact for whole and decimal ones, with little error for floats.

use tablesmith_model::value::{Decimal, Value};

use crate::answer::error::AnswerError;

/// A sum so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Total {
    /// Of nothing.
    #[default]
    None,
    /// Of whole numbers.
    Int(i128),
    /// Of floats, with what was lost of it: the summation of Neumaier (1974), which SQLite uses, too.
    Float(f64, f64),
    /// Of decimals.
    Decimal(Decimal),
}

impl Total {
    /// Adds a value; null adds nothing.
    pub fn add(&mut self, value: &Value) {
        let own = match value {
            Value::Int(number) => Self::Int((*number).into()),
            Value::Float(number) => Self::Float(*number, 0.0),
            Value::Decimal(number) => Self::Decimal(number.clone()),
            _ => return,
        };
        self.merge(own);
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: Self) {
        *self = match (std::mem::take(self), other) {
            (Self::None, other) => other,
            (own, Self::None) => own,
            (Self::Int(one), Self::Int(two)) => Self::Int(one.saturating_add(two)),
            (Self::Decimal(one), Self::Decimal(two)) => Self::Decimal(one.plus(&two)),
            (one, two) => {
                let ((one, lost), (two, more)) = (one.float(), two.float());
                let sum = one + two;
                let error = if one.abs() >= two.abs() { (one - sum) + two } else { (two - sum) + one };
                Self::Float(sum, lost + more + error)
            }
        };
    }

    fn float(&self) -> (f64, f64) {
        match self {
            Self::None => (0.0, 0.0),
            Self::Int(sum) => (*sum as f64, 0.0),
            Self::Float(sum, lost) => (*sum, *lost),
            Self::Decimal(sum) => (sum.to_string().parse().unwrap_or(f64::NAN), 0.0),
        }
    }

    /// As a float; what is infinite has lost nothing.
    fn as_f64(&self) -> f64 {
        let (sum, lost) = self.float();
        if sum.is_finite() && lost.is_finite() { sum + lost } else { sum }
    }

    /// The sum as a value; null of nothing, and of infinities that cancel out.
    pub fn sum(&self) -> Result<Value, AnswerError> {
        match self {
            Self::None => Ok(Value::Null),
            Self::Int(sum) => i64::try_from(*sum).map(Value::Int).map_err(|_| AnswerError::SumTooGreat),
            Self::Float(..) => Ok(number(self.as_f64())),
            Self::Decimal(sum) => Ok(Value::Decimal(sum.clone())),
        }
    }

    /// The mean of so many values; null of nothing.
    pub fn mean(&self, count: i64) -> Value {
        if count == 0 { Value::Null } else { number(self.as_f64() / count as f64) }
    }

    /// The sum as values that [`Total::from_values`] reads: two of them.
    pub fn to_values(&self) -> [Value; 2] {
        match self {
            Self::None => [Value::Null, Value::Null],
            Self::Int(sum) => [Value::Int((*sum >> 64) as i64), Value::Int(*sum as i64)],
            Self::Float(sum, lost) => [Value::Float(*sum), Value::Float(*lost)],
            Self::Decimal(sum) => [Value::Decimal(sum.clone()), Value::Null],
        }
    }

    /// The sum of two values of [`Total::to_values`].
    pub fn from_values(first: &Value, second: &Value) -> Self {
        match (first, second) {
            (Value::Int(high), Value::Int(low)) => {
                Self::Int((i128::from(*high) << 64) | i128::from(u64::from_be_bytes(low.to_be_bytes())))
            }
            (Value::Float(sum), Value::Float(lost)) => Self::Float(*sum, *lost),
            (Value::Decimal(sum), _) => Self::Decimal(sum.clone()),
            _ => Self::None,
        }
    }
}

fn number(number: f64) -> Value {
    if number.is_nan() { Value::Null } else { Value::Float(number) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(values: &[Value]) -> Total {
        values.iter().fold(Total::None, |mut total, value| {
            total.add(value);
            total
        })
    }

    #[test]
    fn sums_are_exact_or_nearly_so() {
        let floats = total(&[1e100, 1.0, -1e100].map(Value::Float));
        assert_eq!(floats.sum().unwrap(), Value::Float(1.0));
        assert_eq!(total(&[Value::Int(i64::MAX), Value::Int(-1)]).sum().unwrap(), Value::Int(i64::MAX - 1));
        assert!(total(&[Value::Int(i64::MAX), Value::Int(1)]).sum().is_err());
        assert_eq!(
            total(&[Value::Int(i64::MAX), Value::Int(1)]).mean(2),
            Value::Float(4611686018427387904.0)
        );
        let decimals = ["0.1", "0.2", "-0.3"].map(|text| Value::Decimal(Decimal::parse(text).unwrap()));
        assert_eq!(total(&decimals).sum().unwrap(), Value::Decimal(Decimal::parse("0").unwrap()));
        assert_eq!(total(&[Value::Null]).sum().unwrap(), Value::Null);
        let infinities = [f64::INFINITY, 1.0].map(Value::Float);
        assert_eq!(total(&infinities).sum().unwrap(), Value::Float(f64::INFINITY));
        let cancelled = [f64::INFINITY, f64::NEG_INFINITY].map(Value::Float);
        assert_eq!(total(&cancelled).sum().unwrap(), Value::Null);
    }

    #[test]
    fn sums_come_back_from_values() {
        for sum in [
            Total::None,
            Total::Int(-1),
            Total::Int(i128::from(i64::MIN) * 5),
            Total::Int(i128::from(i64::MAX) * 5),
            Total::Float(1.5, 0.25),
            Total::Decimal(Decimal::parse("2.5").unwrap()),
        ] {
            let [first, second] = sum.to_values();
            assert_eq!(Total::from_values(&first, &second), sum);
        }
    }
}
