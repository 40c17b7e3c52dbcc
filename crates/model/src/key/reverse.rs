//! `reverse(field)`: the value's text backwards, so that what changes fastest comes first: `12345` becomes `54321`.

use crate::value::{Value, ValueType};

/// The bytes of a value turned round; `None` for null. Strings turn by characters and so stay UTF-8.
pub(super) fn backwards(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::Null => None,
        Value::Bytes(bytes) => Some(bytes.iter().rev().copied().collect()),
        _ => Some(value.to_string().chars().rev().collect::<String>().into_bytes()),
    }
}

/// The value whose bytes were turned round.
pub(super) fn forwards(value_type: ValueType, bytes: &[u8]) -> Option<Value> {
    if value_type == ValueType::Bytes {
        return Some(Value::Bytes(bytes.iter().rev().copied().collect()));
    }
    let text: String = std::str::from_utf8(bytes).ok()?.chars().rev().collect();
    Value::parse(value_type, &text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_turned_twice_is_the_same() {
        for value in [
            Value::Int(-1_230),
            Value::String("größe\0".into()),
            Value::Float(-1.5e-7),
            Value::Bytes(vec![1, 2, 255]),
            Value::String(String::new()),
        ] {
            let value_type = value.value_type().unwrap();
            assert_eq!(forwards(value_type, &backwards(&value).unwrap()), Some(value));
        }
        assert_eq!(backwards(&Value::Int(1_230)).unwrap(), b"0321");
        assert_eq!(forwards(ValueType::Int, b"x"), None);
    }
}
