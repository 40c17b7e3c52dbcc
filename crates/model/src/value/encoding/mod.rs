//! Values as bytes of a row key: sorted as the values are, and decoded back.
//!
//! No encoding of a value is the beginning of another one's, so parts of a key can follow each other without anything
//! between them: tuples sort as their bytes do, and decode from left to right. Null comes first everywhere and has a
//! code that no value uses.
//!
//! ```text
//! type       binary                                         text
//! ---------  ---------------------------------------------  ---------------------------------------------
//! string     escaped bytes, 00                              the same
//!            null: 00        empty: 01 00                   (see `escape`)
//! bytes      the same as string                             hexadecimal digits, 00; null and empty as string
//! int        8 bytes, big-endian, sign bit flipped          20 characters: 0 and 19 digits, or - and the
//!            null: 00×9      least: 00×8 01                 nines' complement of 19 digits; null: 00
//! float      8 bytes, big-endian, ordered bits              scientific, see `scientific`; null: 00
//!            null: 00×8
//! decimal    see `decimal_bytes`; null: 00                  scientific; null: 00
//! bool       01 false, 02 true; null: 00                    f, t; null: 00
//! date       4 bytes, days, sign bit flipped; null: 00×4    YYYY-MM-DD; null: 00
//! timestamp  8 bytes, microseconds, sign bit flipped;       YYYY-MM-DDTHH:MM:SS.ffffffZ; null: 00
//!            null: 00×8
//! ```

mod binary;
mod decimal_bytes;
pub mod escape;
mod input;
mod scientific;
mod text;

use std::fmt;

use super::{Value, ValueType};

/// How the parts of a key are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KeyEncoding {
    /// As few bytes as sorting allows.
    #[default]
    Binary,
    /// Zero-padded digits and plain letters, to be read by people.
    Text,
}

/// Why a value cannot be encoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the value {value} is not of the column's type {expected}: give a value of that type or null")]
pub struct EncodeError {
    /// The value as text.
    pub value: String,
    /// The type of the column.
    pub expected: ValueType,
}

/// Why bytes are not an encoded value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("these bytes do not hold a value of type {value_type} as {encoding}: {reason}")]
pub struct DecodeError {
    /// The type that was wanted.
    pub value_type: ValueType,
    /// The encoding that was wanted.
    pub encoding: KeyEncoding,
    /// What is wrong with the bytes.
    pub reason: &'static str,
}

crate::schema::names_in_files!(KeyEncoding);

impl KeyEncoding {
    /// Both encodings.
    pub const ALL: [Self; 2] = [Self::Binary, Self::Text];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Text => "text",
        }
    }

    /// The encoding of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|encoding| encoding.name() == name)
    }

    /// Appends the bytes of a column's value.
    pub fn encode(self, value_type: ValueType, value: &Value, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        if !value.fits(value_type) {
            return Err(EncodeError { value: value.to_string(), expected: value_type });
        }
        match (self, value) {
            (Self::Binary, Value::Null) => binary::null(value_type, out),
            (Self::Binary, _) => binary::encode(value, out),
            (Self::Text, Value::Null) => out.push(0),
            (Self::Text, _) => text::encode(value, out),
        }
        Ok(())
    }

    /// The value at the beginning of `bytes`, and what follows it.
    pub fn decode(self, value_type: ValueType, bytes: &[u8]) -> Result<(Value, &[u8]), DecodeError> {
        let mut input = input::Input::new(bytes);
        let decoded = match self {
            Self::Binary => binary::decode(value_type, &mut input),
            Self::Text => text::decode(value_type, &mut input),
        };
        match decoded {
            Ok(value) => Ok((value, input.rest())),
            Err(reason) => Err(DecodeError { value_type, encoding: self, reason }),
        }
    }

    /// How many bytes every value of a type takes, when that is the same for all that are not null.
    pub fn fixed_width(self, value_type: ValueType) -> Option<usize> {
        match (self, value_type) {
            (_, ValueType::String | ValueType::Bytes | ValueType::Decimal) => None,
            (_, ValueType::Bool) => Some(1),
            (Self::Binary, ValueType::Date) => Some(4),
            // The least of all whole numbers takes one byte more.
            (Self::Binary, ValueType::Int) => Some(8),
            (Self::Binary, ValueType::Float | ValueType::Timestamp) => Some(8),
            (Self::Text, ValueType::Float) => None,
            (Self::Text, ValueType::Int) => Some(20),
            (Self::Text, ValueType::Date) => Some(10),
            (Self::Text, ValueType::Timestamp) => Some(27),
        }
    }
}

impl fmt::Display for KeyEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Date, Decimal, Moment};

    fn encoded(encoding: KeyEncoding, value_type: ValueType, value: &Value) -> Vec<u8> {
        let mut bytes = Vec::new();
        encoding.encode(value_type, value, &mut bytes).unwrap();
        bytes
    }

    /// The bytes as they are drawn above: a change here makes tables unreadable that were written before.
    #[test]
    fn the_bytes_are_as_drawn() {
        let decimal = |text| Value::Decimal(Decimal::parse(text).unwrap());
        let date = Value::Date(Date::parse("1970-01-02").unwrap());
        let moment = Value::Timestamp(Moment::from_micros(-1).unwrap());
        let cases: [(ValueType, Value, &[u8], &[u8]); 22] = [
            (ValueType::String, Value::Null, b"\0", b"\0"),
            (ValueType::String, Value::String("".into()), b"\x01\0", b"\x01\0"),
            (
                ValueType::String,
                Value::String("a\0b\x01".into()),
                b"a\x01\x01b\x01\x02\0",
                b"a\x01\x01b\x01\x02\0",
            ),
            (ValueType::Bytes, Value::Bytes(vec![]), b"\x01\0", b"\x01\0"),
            (ValueType::Bytes, Value::Bytes(vec![0, 255]), b"\x01\x01\xff\0", b"00ff\0"),
            (ValueType::Int, Value::Null, &[0; 9], b"\0"),
            (ValueType::Int, Value::Int(i64::MIN), b"\0\0\0\0\0\0\0\0\x01", b"-0776627963145224191"),
            (ValueType::Int, Value::Int(-1), b"\x7f\xff\xff\xff\xff\xff\xff\xff", b"-9999999999999999998"),
            (ValueType::Int, Value::Int(42), b"\x80\0\0\0\0\0\0\x2a", b"00000000000000000042"),
            (ValueType::Float, Value::Null, &[0; 8], b"\0"),
            (ValueType::Float, Value::Float(1.5), b"\xbf\xf8\0\0\0\0\0\0", b"150000115\0"),
            (ValueType::Float, Value::Float(-1.5), b"\x40\x07\xff\xff\xff\xff\xff\xff", b"-49999884~\0"),
            (ValueType::Float, Value::Float(f64::NAN), b"\xff\xf8\0\0\0\0\0\0", b"9\0"),
            (ValueType::Decimal, decimal("0"), b"\x02", b"0\0"),
            (ValueType::Decimal, decimal("12.5"), b"\x03\x80\0\0\x02\x0d\x33\0", b"1500002125\0"),
            (ValueType::Decimal, decimal("-12.5"), b"\x01\x7f\xff\xff\xfd\xf2\xcc\xff", b"-499997874~\0"),
            (ValueType::Bool, Value::Bool(false), b"\x01", b"f"),
            (ValueType::Bool, Value::Bool(true), b"\x02", b"t"),
            (ValueType::Date, date, b"\x80\0\0\x01", b"1970-01-02"),
            (ValueType::Date, Value::Null, &[0; 4], b"\0"),
            (
                ValueType::Timestamp,
                moment,
                b"\x7f\xff\xff\xff\xff\xff\xff\xff",
                b"1969-12-31T23:59:59.999999Z",
            ),
            (ValueType::Timestamp, Value::Null, &[0; 8], b"\0"),
        ];
        for (value_type, value, binary, text) in cases {
            assert_eq!(
                encoded(KeyEncoding::Binary, value_type, &value),
                binary,
                "{value_type} {value} binary"
            );
            assert_eq!(encoded(KeyEncoding::Text, value_type, &value), text, "{value_type} {value} text");
        }
    }

    #[test]
    fn a_value_of_another_type_is_refused() {
        let told = KeyEncoding::Binary.encode(ValueType::Date, &Value::Int(3), &mut Vec::new()).unwrap_err();
        assert_eq!(
            told.to_string(),
            "the value 3 is not of the column's type date: give a value of that type or null"
        );
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        for encoding in KeyEncoding::ALL {
            for (value_type, value) in [
                (ValueType::String, Value::String("ab\0".into())),
                (ValueType::Int, Value::Int(i64::MIN)),
                (ValueType::Decimal, Value::Decimal(Decimal::parse("-1.25").unwrap())),
                (ValueType::Float, Value::Float(-2.5)),
                (ValueType::Timestamp, Value::Timestamp(Moment::MAX)),
            ] {
                let bytes = encoded(encoding, value_type, &value);
                for length in 0..bytes.len() {
                    let cut = encoding.decode(value_type, &bytes[..length]);
                    assert!(cut.is_err(), "{encoding} {value}: {length} bytes gave {cut:?}");
                }
            }
        }
    }
}
