//! Values from literals of SQL: `42`, `'it''s'`, `NULL`, `DATE '2024-02-29'`, `X'00FF'`.

use super::{ParseError, Value, ValueType};

/// Reads a literal of SQL as a value of a column's type. `NULL` is null; a quoted text is read as the type's own
/// text, so that `'42'` is a number where the column holds numbers.
pub fn from_sql_literal(value_type: ValueType, literal: &str) -> Result<Value, ParseError> {
    let literal = literal.trim();
    if literal.eq_ignore_ascii_case("null") {
        return Ok(Value::Null);
    }
    if value_type == ValueType::Bytes
        && let Some(digits) = hexadecimal_digits(literal)
    {
        let refused = |expected| ParseError { text: literal.to_owned(), value_type, expected };
        return from_hexadecimal(&digits)
            .map(Value::Bytes)
            .ok_or_else(|| refused("pairs of hexadecimal digits such as X'00FF'"));
    }
    match quoted(without_type_name(literal)) {
        Some(text) => Value::parse(value_type, &text),
        None if matches!(value_type, ValueType::String | ValueType::Bytes) && !is_number(literal) => {
            let expected = "a literal in single quotes";
            Err(ParseError { text: literal.to_owned(), value_type, expected })
        }
        None => Value::parse(value_type, literal),
    }
}

/// The digits of `X'00FF'`, or of `'\x00FF'` as PostgreSQL prints bytes.
fn hexadecimal_digits(literal: &str) -> Option<String> {
    match literal.strip_prefix(['X', 'x']) {
        Some(rest) => quoted(rest),
        None => {
            let digits = quoted(literal)?.strip_prefix("\\x")?.to_owned();
            digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(digits)
        }
    }
}

fn from_hexadecimal(digits: &str) -> Option<Vec<u8>> {
    let nibble = |byte: &u8| char::from(*byte).to_digit(16);
    let byte = |pair: &[u8]| match pair {
        [high, low] => u8::try_from(nibble(high)? * 16 + nibble(low)?).ok(),
        _ => None,
    };
    digits.as_bytes().chunks(2).map(byte).collect()
}

/// The literal without a type's name before its quote: `DATE '…'`, `TIMESTAMP WITH TIME ZONE '…'`, `N'…'`, `E'…'`.
fn without_type_name(literal: &str) -> &str {
    let name = literal.find(|c: char| !c.is_ascii_alphabetic() && c != ' ').unwrap_or(0);
    literal.get(name..).filter(|rest| rest.starts_with('\'')).unwrap_or(literal)
}

/// The text between single quotes, doubled quotes inside made one.
fn quoted(literal: &str) -> Option<String> {
    let inside = literal.strip_prefix('\'')?.strip_suffix('\'')?;
    // Every quote inside must be half of a pair.
    let single = inside.replace("''", "").contains('\'');
    (!single).then(|| inside.replace("''", "'"))
}

fn is_number(literal: &str) -> bool {
    literal.parse::<f64>().is_ok() && literal.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Date, Moment};

    #[test]
    fn literals_become_values_of_the_columns_type() {
        let date = Value::Date(Date::parse("2024-02-29").unwrap());
        let moment = Value::Timestamp(Moment::parse("2024-02-29 12:00").unwrap());
        for (value_type, literal, value) in [
            (ValueType::Int, "42", Value::Int(42)),
            (ValueType::Int, "'42'", Value::Int(42)),
            (ValueType::Float, "-1.5", Value::Float(-1.5)),
            (ValueType::String, "'it''s'", Value::String("it's".into())),
            (ValueType::String, "''", Value::String(String::new())),
            (ValueType::String, "N'x'", Value::String("x".into())),
            (ValueType::String, "42", Value::String("42".into())),
            (ValueType::Bool, "TRUE", Value::Bool(true)),
            (ValueType::Bytes, "X'00fF'", Value::Bytes(vec![0, 255])),
            (ValueType::Bytes, "'\\x00fF'", Value::Bytes(vec![0, 255])),
            (ValueType::Bytes, "'a\\x00'", Value::Bytes(vec![b'a', 0])),
            (ValueType::Date, "DATE '2024-02-29'", date),
            (ValueType::Timestamp, "timestamp '2024-02-29 12:00'", moment),
            (ValueType::Date, " null ", Value::Null),
        ] {
            assert_eq!(from_sql_literal(value_type, literal), Ok(value), "{literal}");
        }
    }

    #[test]
    fn what_is_no_literal_is_refused() {
        for (value_type, literal) in [
            (ValueType::Int, "other_column"),
            (ValueType::String, "other_column"),
            (ValueType::String, "'a' || 'b'"),
            (ValueType::String, "upper('a')"),
            (ValueType::String, "'"),
            (ValueType::Bytes, "X'0'"),
            (ValueType::Bytes, "X'é'"),
            (ValueType::Date, "DATE '2023-02-29'"),
        ] {
            assert!(from_sql_literal(value_type, literal).is_err(), "{literal}");
        }
    }
}
