//! Values as bytes of a cell. A cell need not sort, so it is written as HBase's own tools write it.
//!
//! ```text
//!   encoding  bytes                                                  for the types
//!   --------  -----------------------------------------------------  -------------------------------------
//!   text      the value's text in UTF-8                              all
//!   i64       8 bytes, big-endian, two's complement                  int, bool (0, 1), date (days since
//!             (what counters and server-side sums work on)           1970-01-01), timestamp (microseconds)
//!   i32       4 bytes, the same                                      int, bool, date
//!   f64       8 bytes, big-endian, IEEE 754                          float
//!   bytes     the bytes themselves                                   string, bytes
//! ```
//!
//! Null is a cell that is not there.

use std::fmt;

use super::{Date, Moment, Value, ValueType};

/// How the values of a column are written into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellEncoding {
    /// The value's text.
    Text,
    /// A big-endian number of 8 bytes.
    I64,
    /// A big-endian number of 4 bytes.
    I32,
    /// A big-endian IEEE double.
    F64,
    /// The bytes themselves.
    Bytes,
}

/// Why a value does not go into a cell, or does not come out of one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CellError {
    /// The encoding is not for this type.
    #[error("a column of type {value_type} cannot be stored as {encoding}: use one of {}", names_for(*.value_type))]
    WrongType {
        /// The encoding asked for.
        encoding: CellEncoding,
        /// The type of the column.
        value_type: ValueType,
    },
    /// The number is too great for the encoding.
    #[error("the value {value} does not fit into {encoding}: use a wider encoding for this column")]
    DoesNotFit {
        /// The encoding asked for.
        encoding: CellEncoding,
        /// The value as text.
        value: String,
    },
    /// The bytes of a cell are not such a value.
    #[error("a cell of {length} bytes does not hold a value of type {value_type} as {encoding}")]
    BadBytes {
        /// The encoding asked for.
        encoding: CellEncoding,
        /// The type of the column.
        value_type: ValueType,
        /// How many bytes the cell has.
        length: usize,
    },
}

crate::schema::names_in_files!(CellEncoding);

impl CellEncoding {
    /// All encodings.
    pub const ALL: [Self; 5] = [Self::Text, Self::I64, Self::I32, Self::F64, Self::Bytes];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::I64 => "i64",
            Self::I32 => "i32",
            Self::F64 => "f64",
            Self::Bytes => "bytes",
        }
    }

    /// The encoding of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|encoding| encoding.name() == name)
    }

    /// The encoding that a column of a type gets when nothing else is said.
    pub fn default_for(value_type: ValueType) -> Self {
        match value_type {
            ValueType::Int | ValueType::Timestamp => Self::I64,
            ValueType::Float => Self::F64,
            ValueType::Bytes => Self::Bytes,
            ValueType::String | ValueType::Decimal | ValueType::Bool | ValueType::Date => Self::Text,
        }
    }

    /// Whether it can hold values of a type.
    pub fn takes(self, value_type: ValueType) -> bool {
        use ValueType::{Bool, Bytes, Date, Float, Int, String, Timestamp};
        match self {
            Self::Text => true,
            Self::I64 => matches!(value_type, Int | Bool | Date | Timestamp),
            Self::I32 => matches!(value_type, Int | Bool | Date),
            Self::F64 => value_type == Float,
            Self::Bytes => matches!(value_type, String | Bytes),
        }
    }

    /// Whether the cell of every value has bytes: an empty text has none.
    pub fn is_never_empty(self) -> bool {
        matches!(self, Self::I64 | Self::I32 | Self::F64)
    }

    /// The bytes of a value's cell; `None` for null, which has no cell.
    pub fn encode(self, value: &Value) -> Result<Option<Vec<u8>>, CellError> {
        let mut bytes = Vec::new();
        Ok(self.append(value, &mut bytes)?.then_some(bytes))
    }

    /// Appends these bytes, and says whether there is a cell.
    pub fn append(self, value: &Value, out: &mut Vec<u8>) -> Result<bool, CellError> {
        let Some(value_type) = value.value_type() else { return Ok(false) };
        let wrong_type = || CellError::WrongType { encoding: self, value_type };
        match (self, value) {
            (Self::Text | Self::Bytes, Value::String(text)) => out.extend_from_slice(text.as_bytes()),
            (Self::Text, _) => out.extend_from_slice(value.to_string().as_bytes()),
            (Self::I64, _) => out.extend(whole_number(value).ok_or_else(wrong_type)?.to_be_bytes()),
            (Self::I32, _) if !self.takes(value_type) => return Err(wrong_type()),
            (Self::I32, _) => {
                let narrow = whole_number(value).and_then(|number| i32::try_from(number).ok());
                let too_wide = || CellError::DoesNotFit { encoding: self, value: value.to_string() };
                out.extend(narrow.ok_or_else(too_wide)?.to_be_bytes());
            }
            (Self::F64, Value::Float(number)) => out.extend(number.to_be_bytes()),
            (Self::Bytes, Value::Bytes(bytes)) => out.extend_from_slice(bytes),
            (Self::F64 | Self::Bytes, _) => return Err(wrong_type()),
        }
        Ok(true)
    }

    /// The value of a cell's bytes.
    pub fn decode(self, value_type: ValueType, bytes: &[u8]) -> Result<Value, CellError> {
        if !self.takes(value_type) {
            return Err(CellError::WrongType { encoding: self, value_type });
        }
        let value = match self {
            Self::Text => {
                std::str::from_utf8(bytes).ok().and_then(|text| Value::parse(value_type, text).ok())
            }
            Self::I64 => {
                bytes.try_into().ok().map(i64::from_be_bytes).and_then(|n| from_number(value_type, n))
            }
            Self::I32 => {
                let number = bytes.try_into().ok().map(i32::from_be_bytes);
                number.and_then(|number| from_number(value_type, i64::from(number)))
            }
            Self::F64 => bytes.try_into().ok().map(f64::from_be_bytes).map(Value::Float),
            Self::Bytes if value_type == ValueType::String => {
                std::str::from_utf8(bytes).ok().map(|text| Value::String(text.to_owned()))
            }
            Self::Bytes => Some(Value::Bytes(bytes.to_vec())),
        };
        value.ok_or(CellError::BadBytes { encoding: self, value_type, length: bytes.len() })
    }
}

fn whole_number(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        Value::Bool(truth) => Some(i64::from(*truth)),
        Value::Date(date) => Some(i64::from(date.days())),
        Value::Timestamp(moment) => Some(moment.micros()),
        _ => None,
    }
}

fn from_number(value_type: ValueType, number: i64) -> Option<Value> {
    match value_type {
        ValueType::Int => Some(Value::Int(number)),
        ValueType::Bool => matches!(number, 0 | 1).then_some(Value::Bool(number == 1)),
        ValueType::Date => i32::try_from(number).ok().and_then(Date::from_days).map(Value::Date),
        ValueType::Timestamp => Moment::from_micros(number).map(Value::Timestamp),
        _ => None,
    }
}

/// The encodings that a type can have, for messages.
fn names_for(value_type: ValueType) -> String {
    let fitting = CellEncoding::ALL.into_iter().filter(|encoding| encoding.takes(value_type));
    fitting.map(CellEncoding::name).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for CellEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_hbase_counts() {
        assert_eq!(
            CellEncoding::I64.encode(&Value::Int(-2)),
            Ok(Some(vec![255, 255, 255, 255, 255, 255, 255, 254]))
        );
        assert_eq!(CellEncoding::I32.encode(&Value::Int(258)), Ok(Some(vec![0, 0, 1, 2])));
        assert_eq!(
            CellEncoding::F64.encode(&Value::Float(1.0)),
            Ok(Some(vec![0x3F, 0xF0, 0, 0, 0, 0, 0, 0]))
        );
        assert_eq!(CellEncoding::Text.encode(&Value::Int(-2)), Ok(Some(b"-2".to_vec())));
        assert_eq!(CellEncoding::I64.encode(&Value::Null), Ok(None));
    }

    #[test]
    fn what_does_not_go_says_what_does() {
        let told = CellEncoding::F64.encode(&Value::Int(1)).unwrap_err().to_string();
        assert_eq!(told, "a column of type int cannot be stored as f64: use one of text, i64, i32");
        assert!(CellEncoding::I32.encode(&Value::Int(1 << 40)).is_err());
        assert!(CellEncoding::I32.encode(&Value::Timestamp(Moment::MIN)).is_err());
        assert!(CellEncoding::I64.decode(ValueType::Int, b"1234").is_err());
        assert!(CellEncoding::I64.decode(ValueType::Bool, &2_i64.to_be_bytes()).is_err());
    }

    #[test]
    fn every_type_has_a_default_that_takes_it() {
        for value_type in ValueType::ALL {
            assert!(CellEncoding::default_for(value_type).takes(value_type), "{value_type}");
        }
    }
}
