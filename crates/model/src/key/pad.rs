//! `pad(field, n)`: every value in exactly n bytes. Numbers get zeros before them, strings get 00 after them.

use crate::value::{Value, ValueType};

/// The greatest width.
pub(super) const MAX_WIDTH: usize = 1_000;

/// What `pad` takes, for messages.
pub(super) const TAKES: &str = "int, string or bytes";

/// Whether `pad` goes with a type.
pub(super) fn takes(value_type: ValueType) -> bool {
    matches!(value_type, ValueType::Int | ValueType::String | ValueType::Bytes)
}

/// Appends a value in `width` bytes; `false` when it does not fit.
pub(super) fn encode(value: &Value, width: usize, out: &mut Vec<u8>) -> bool {
    let bytes = match value {
        Value::Int(number) if *number >= 0 => {
            let digits = format!("{number:0width$}");
            let fits = digits.len() == width;
            if fits {
                out.extend(digits.bytes());
            }
            return fits;
        }
        Value::String(text) => text.as_bytes(),
        Value::Bytes(bytes) => bytes,
        _ => return false,
    };
    // A 00 inside could not be told from the padding.
    let fits = bytes.len() <= width && !bytes.contains(&0);
    if fits {
        out.extend(bytes.iter().copied().chain(std::iter::repeat(0)).take(width));
    }
    fits
}

/// What fits, for messages.
pub(super) fn expected(value_type: ValueType, width: usize) -> String {
    match value_type {
        ValueType::Int => format!("a whole number of at most {width} digits, not negative and not null"),
        _ => format!("at most {width} bytes without a 00 among them, and no null"),
    }
}

/// The value of `width` bytes.
pub(super) fn decode(value_type: ValueType, padded: &[u8]) -> Option<Value> {
    let text = std::str::from_utf8(padded);
    if value_type == ValueType::Int {
        let digits = text.ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
        return digits.parse().ok().map(Value::Int);
    }
    let end = padded.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let bytes = padded.get(..end).filter(|bytes| !bytes.contains(&0))?.to_vec();
    match value_type {
        ValueType::String => String::from_utf8(bytes).ok().map(Value::String),
        _ => Some(Value::Bytes(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn padded(value: Value, width: usize) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        encode(&value, width, &mut out).then_some(out)
    }

    #[test]
    fn numbers_get_zeros_and_strings_get_nothing_after_them() {
        assert_eq!(padded(Value::Int(42), 5).unwrap(), b"00042");
        assert_eq!(padded(Value::String("ab".into()), 4).unwrap(), b"ab\0\0");
        assert_eq!(decode(ValueType::Int, b"00042"), Some(Value::Int(42)));
        assert_eq!(decode(ValueType::String, b"ab\0\0"), Some(Value::String("ab".into())));
        assert_eq!(decode(ValueType::Bytes, b"\0\0"), Some(Value::Bytes(vec![])));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for value in
            [Value::Int(100_000), Value::Int(-1), Value::Null, Value::Bytes(vec![1, 0]), Value::Bool(true)]
        {
            assert_eq!(padded(value.clone(), 5), None, "{value}");
        }
        assert_eq!(decode(ValueType::Int, b"+0042"), None);
        assert_eq!(decode(ValueType::String, b"a\0b\0"), None);
    }
}
