//! What a value must be, for those who want a number, a name or bytes.

use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_model::cell::{LATEST_TIMESTAMP, Timestamp};

use crate::error::ShellError;
use crate::language::Value;

/// A whole number of 64 bits; fractions are cut off, as the shell does on the way into Java.
pub fn long(value: &Value, what: &str) -> Result<i64, ShellError> {
    match value {
        Value::Int(number) => i64::try_from(*number).map_err(|_| ShellError::Client {
            exception: "RangeError",
            message: format!("{what}: {number} does not fit into 64 bits"),
        }),
        Value::Float(number) if number.is_finite() => Ok(*number as i64),
        other => Err(wrong_type(what, "a number", other)),
    }
}

/// True or false.
pub fn flag(value: &Value, what: &str) -> Result<bool, ShellError> {
    match value {
        Value::Bool(flag) => Ok(*flag),
        other => Err(wrong_type(what, "true or false", other)),
    }
}

/// A list.
pub fn array(value: Value, what: &str) -> Result<Vec<Value>, ShellError> {
    match value {
        Value::Array(values) => Ok(values),
        other => Err(ShellError::Argument(format!("{what} should be an array, not {}", other.inspect()))),
    }
}

/// Keys with values.
pub fn hash(value: Value, what: &str) -> Result<Vec<(Value, Value)>, ShellError> {
    match value {
        Value::Hash(pairs) => Ok(pairs),
        other => Err(ShellError::Argument(format!("{what} must be a hash, not {}", other.inspect()))),
    }
}

/// A text that is no list and no hash; numbers are taken as their digits.
pub fn text(value: &Value, what: &str) -> Result<String, ShellError> {
    match value {
        Value::Array(_) | Value::Hash(_) | Value::New { .. } => Err(wrong_type(what, "a text", value)),
        plain => Ok(plain.to_text()),
    }
}

/// A text and nothing else, for names that HBase's shell takes only quoted.
pub fn name(value: &Value, what: &str) -> Result<String, ShellError> {
    match value {
        Value::Text(_) => Ok(value.to_text()),
        other => Err(ShellError::Argument(format!("{what} must be a text, not {}", other.inspect()))),
    }
}

/// Bytes of a key or a value: a text, or the digits of a number.
pub fn bytes(value: &Value, what: &str) -> Result<Bytes, ShellError> {
    match value {
        Value::Array(_) | Value::Hash(_) | Value::New { .. } => Err(wrong_type(what, "a text", value)),
        plain => Ok(plain.to_bytes()),
    }
}

/// A table's name.
pub fn table(value: &Value) -> Result<TableName, ShellError> {
    Ok(text(value, "the table's name")?.parse()?)
}

/// A timestamp of a write; `None` where the store's clock decides, which HBase also writes as the greatest number.
pub fn write_timestamp(value: &Value) -> Result<Option<Timestamp>, ShellError> {
    let timestamp = long(value, "the timestamp")?;
    if timestamp < 0 {
        return Err(ShellError::illegal(format!("Timestamp cannot be negative. ts={timestamp}")));
    }
    Ok((timestamp != LATEST_TIMESTAMP).then_some(timestamp))
}

fn wrong_type(what: &str, wanted: &str, value: &Value) -> ShellError {
    ShellError::Type(format!("{what} should be {wanted}, not {}", value.inspect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fit_or_are_refused() {
        assert_eq!(long(&Value::Float(1.9), "x").unwrap(), 1);
        assert_eq!(long(&Value::Int(1 << 63), "x").unwrap_err().exception(), "RangeError");
        assert_eq!(long(&Value::text("5"), "x").unwrap_err().exception(), "TypeError");
        assert_eq!(write_timestamp(&Value::Int(i64::MAX.into())).unwrap(), None);
        assert_eq!(write_timestamp(&Value::Int(-1)).unwrap_err().exception(), "IllegalArgumentException");
    }

    #[test]
    fn keys_may_be_numbers() {
        assert_eq!(bytes(&Value::Int(5), "row").unwrap(), "5");
        assert_eq!(table(&Value::text("a b")).unwrap_err().exception(), "IllegalArgumentException");
    }
}
