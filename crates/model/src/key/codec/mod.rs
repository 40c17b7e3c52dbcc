//! A key with the types of its fields: rows become bytes, and bytes become what they were made of.

mod decode;
mod encode;
mod input;

pub use decode::Decoded;
pub use encode::KeyPrefix;
pub use input::KeyInput;

use super::{Key, KeyError, Part, bucket, pad};
use crate::value::{KeyEncoding, ValueType};

/// What encodes and decodes the keys of a table; made by [`Key::codec`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyCodec {
    encoding: KeyEncoding,
    parts: Vec<TypedPart>,
}

/// A part with the type of its first field, which is the only one whose type matters.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TypedPart {
    part: Part,
    value_type: Option<ValueType>,
}

impl KeyCodec {
    /// The codec of a key, once all its parts go with the fields' types.
    pub(super) fn new(key: &Key, type_of: impl Fn(&str) -> Option<ValueType>) -> Result<Self, KeyError> {
        if key.parts.is_empty() {
            return Err(KeyError::NoParts);
        }
        let parts = key.parts.iter().map(|part| typed(part, &type_of)).collect::<Result<_, _>>()?;
        Ok(Self { encoding: key.encoding, parts })
    }
}

fn typed(part: &Part, type_of: impl Fn(&str) -> Option<ValueType>) -> Result<TypedPart, KeyError> {
    let mut value_type = None;
    for field in part.fields() {
        let unknown = || KeyError::UnknownField { part: part.to_string(), field: field.clone() };
        let found = type_of(field).ok_or_else(unknown)?;
        if let Some(expected) = refuses(part, found) {
            let (part, field) = (part.to_string(), field.clone());
            return Err(KeyError::WrongType { part, field, value_type: found, expected });
        }
        value_type = value_type.or(Some(found));
    }
    Ok(TypedPart { part: part.clone(), value_type })
}

/// What a part takes instead, when it does not take a type.
fn refuses(part: &Part, value_type: ValueType) -> Option<&'static str> {
    use ValueType::{Decimal, Int, String};
    match part {
        Part::Pad { .. } if !pad::takes(value_type) => Some(pad::TAKES),
        Part::Mod { .. } if !matches!(value_type, Int | Decimal | String) => {
            Some("int, decimal, or a string of digits")
        }
        Part::Bucket { width, .. } if !width.takes(value_type) => Some(bucket::TAKES),
        _ => None,
    }
}
