//! What can be wrong with a key, with a row that is to get one, and with bytes that should be one.

use crate::value::{DecodeError, EncodeError, ValueType};

/// Why a text is not a part of a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("character {} of {text:?}: {message}; expected {expected}", .text.get(..*.offset).unwrap_or_default().chars().count() + 1)]
pub struct PartError {
    /// The text of the whole part.
    pub text: String,
    /// Where in it the trouble begins, in bytes.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
    /// What is expected there.
    pub expected: String,
}

/// Why a key does not go with the fields of a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// There are no parts.
    #[error("a key needs at least one part")]
    NoParts,
    /// A part names a field that does not exist.
    #[error("the key part {part} names the field {field:?}, which does not exist")]
    UnknownField {
        /// The part.
        part: String,
        /// The field.
        field: String,
    },
    /// A part does not go with the field's type.
    #[error("the key part {part} does not go with the type {value_type} of {field:?}: it takes {expected}")]
    WrongType {
        /// The part.
        part: String,
        /// The field.
        field: String,
        /// Its type.
        value_type: ValueType,
        /// What the part takes.
        expected: &'static str,
    },
}

/// Why a row gets no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyEncodeError {
    /// What a part is made of is not there.
    #[error("the key part {part} needs {needs}, which this row does not have")]
    Missing {
        /// The part.
        part: String,
        /// What it needs.
        needs: String,
    },
    /// The value is of another type than the field.
    #[error("the key part {part}: {source}")]
    WrongType {
        /// The part.
        part: String,
        /// What is wrong with the value.
        source: EncodeError,
    },
    /// The value is not one that the part takes.
    #[error("the key part {part} does not take the value {value}: it takes {expected}")]
    DoesNotFit {
        /// The part.
        part: String,
        /// The value as text.
        value: String,
        /// What the part takes.
        expected: String,
    },
    /// The key would be longer than HBase takes.
    #[error(
        "the key would have {length} bytes, more than the 32767 that HBase takes: hash or leave out a part"
    )]
    TooLong {
        /// How many bytes it would have.
        length: usize,
    },
}

/// Why bytes are not a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyDecodeError {
    /// A value cannot be read.
    #[error("the key part {part}: {source}")]
    Value {
        /// The part.
        part: String,
        /// What is wrong.
        source: DecodeError,
    },
    /// The bytes of a part are not what it writes.
    #[error("the key part {part}: {reason}")]
    Bytes {
        /// The part.
        part: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// Bytes follow the last part.
    #[error("{length} bytes follow the last part of the key: it was written by another design")]
    Trailing {
        /// How many.
        length: usize,
    },
}
