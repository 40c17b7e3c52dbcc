//! Values from text, as a CSV file or a log writes them.

use super::{Date, Decimal, Moment, Value, ValueType};
use crate::bytes_text;

/// Why a text is not a value of a type. The sentence says what is expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a value of type {value_type}: expected {expected}")]
pub struct ParseError {
    /// What was given.
    pub text: String,
    /// The type that it should have.
    pub value_type: ValueType,
    /// What is expected.
    pub expected: &'static str,
}

impl Value {
    /// Reads what [`Value::text`] prints, and the other usual ways to write a value. What stands for null is the
    /// caller's business: an empty text is an empty string, and no number.
    pub fn parse(value_type: ValueType, text: &str) -> Result<Self, ParseError> {
        let value = match value_type {
            ValueType::String => Some(Self::String(text.to_owned())),
            ValueType::Int => text.trim().parse().ok().map(Self::Int),
            ValueType::Float => float(text.trim()).map(Self::Float),
            ValueType::Decimal => Decimal::parse(text.trim()).map(Self::Decimal),
            ValueType::Bool => boolean(text.trim()).map(Self::Bool),
            ValueType::Bytes => Some(Self::Bytes(bytes_text::from_text(text.as_bytes()))),
            ValueType::Date => Date::parse(text.trim()).map(Self::Date),
            ValueType::Timestamp => Moment::parse(text.trim()).map(Self::Timestamp),
        };
        value.ok_or_else(|| ParseError { text: text.to_owned(), value_type, expected: expected(value_type) })
    }
}

/// What a text of a type looks like.
fn expected(value_type: ValueType) -> &'static str {
    match value_type {
        ValueType::String => "any text",
        ValueType::Int => "a whole number of 64 bits such as -42",
        ValueType::Float => "a number such as 1.5, -2e10, inf or NaN",
        ValueType::Decimal => "a number such as 12.50",
        ValueType::Bool => "true or false",
        ValueType::Bytes => "bytes such as a\\x00b",
        ValueType::Date => "a date such as 2024-02-29",
        ValueType::Timestamp => "a time such as 2024-02-29T12:30:00Z",
    }
}

/// A finite number too great for a double is refused rather than made infinite.
fn float(text: &str) -> Option<f64> {
    let number: f64 = text.parse().ok()?;
    let says_infinite = || text.trim_start_matches(['+', '-']).starts_with(['i', 'I']);
    (!number.is_infinite() || says_infinite()).then_some(number)
}

fn boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "t" | "1" => Some(true),
        "false" | "f" | "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_back() {
        let values = [
            Value::String("naïve \0 'text'".into()),
            Value::Int(i64::MIN),
            Value::Float(f64::MAX),
            Value::Float(5e-324),
            Value::Float(f64::NEG_INFINITY),
            Value::Float(f64::NAN),
            Value::Decimal(Decimal::parse("-12.50").unwrap()),
            Value::Bool(true),
            Value::Bytes((0..=255).collect()),
            Value::Date(Date::MAX),
            Value::Timestamp(Moment::MIN),
        ];
        for value in values {
            let text = value.text().unwrap();
            assert_eq!(Value::parse(value.value_type().unwrap(), &text), Ok(value));
        }
    }

    #[test]
    fn what_does_not_fit_says_what_does() {
        for (value_type, text) in [
            (ValueType::Int, ""),
            (ValueType::Int, "1.0"),
            (ValueType::Int, "9223372036854775808"),
            (ValueType::Float, "1e999"),
            (ValueType::Float, "one"),
            (ValueType::Decimal, "NaN"),
            (ValueType::Bool, "yes and no"),
            (ValueType::Date, "29.2.2024"),
            (ValueType::Timestamp, "noon"),
        ] {
            let told = Value::parse(value_type, text).unwrap_err().to_string();
            assert!(told.contains(expected(value_type)) && told.contains(value_type.name()), "{told}");
        }
    }

    #[test]
    fn spaces_around_numbers_do_no_harm() {
        assert_eq!(Value::parse(ValueType::Int, " 42 "), Ok(Value::Int(42)));
        assert_eq!(Value::parse(ValueType::String, " 42 "), Ok(Value::String(" 42 ".into())));
    }
}
