//! One metric alone in a cell: its value as [`CellEncoding`] writes it, or [`NOTHING`].
//!
//! Bytes of a column of type `bytes` can be anything: values of 0xFF only get one more of them, so that none is [`NOTHING`].

use super::entry::NOTHING;
use crate::value::{CellEncoding, CellError, Value, ValueType};

/// The bytes of a metric's cell; null is [`NOTHING`].
pub fn encode(encoding: CellEncoding, value: &Value) -> Result<Vec<u8>, CellError> {
    let Some(mut bytes) = encoding.encode(value)? else { return Ok(NOTHING.to_vec()) };
    if encoding == CellEncoding::Bytes && is_escaped(&bytes) {
        bytes.extend_from_slice(NOTHING);
    }
    Ok(bytes)
}

/// The value of a metric's cell.
pub fn decode(encoding: CellEncoding, value_type: ValueType, bytes: &[u8]) -> Result<Value, CellError> {
    match bytes {
        NOTHING => Ok(Value::Null),
        [rest @ .., _] if encoding == CellEncoding::Bytes && is_escaped(bytes) => {
            encoding.decode(value_type, rest)
        }
        _ => encoding.decode(value_type, bytes),
    }
}

fn is_escaped(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().all(|byte| NOTHING == [*byte])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_comes_back_and_only_null_is_nothing() {
        let bytes = |length| Value::Bytes(vec![0xFF; length]);
        for (value_type, value) in [
            (ValueType::Int, Value::Int(-1)),
            (ValueType::Int, Value::Null),
            (ValueType::Float, Value::Float(f64::NAN)),
            (ValueType::String, Value::String(String::new())),
            (ValueType::String, Value::String("ÿ".into())),
            (ValueType::String, Value::Null),
            (ValueType::Bool, Value::Bool(false)),
            (ValueType::Bytes, bytes(0)),
            (ValueType::Bytes, bytes(1)),
            (ValueType::Bytes, bytes(2)),
            (ValueType::Bytes, Value::Bytes(vec![0xFF, 0])),
            (ValueType::Bytes, Value::Null),
        ] {
            let encoding = CellEncoding::default_for(value_type);
            let encoded = encode(encoding, &value).unwrap();
            assert_eq!(encoded == NOTHING, value.is_null(), "{value}");
            assert_eq!(decode(encoding, value_type, &encoded), Ok(value));
        }
        assert!(decode(CellEncoding::I64, ValueType::Int, &[1]).is_err());
    }
}
