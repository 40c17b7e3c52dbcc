//! Row keys: a list of parts, each made of the fields of a row.
//!
//! ```text
//!   part                    bytes, binary                    bytes, text                 comes back
//!   ----------------------  -------------------------------  --------------------------  -------------------
//!   field                   the value, in order              the value, in order         the field
//!   desc(field)             the same, every bit turned       the same                    the field
//!   pad(field, n)           n digits, or n bytes of a        the same                    the field
//!                           string with 00 after it
//!   reverse(field)          the value's text backwards,      the same                    the field
//!                           escaped, 00
//!   bucket(field, "1h")     where the value's bucket         the same as text            the bucket's start
//!                           begins, as the field is written
//!   md5(field)              16 bytes                         32 hexadecimal digits       nothing
//!   md5(field, n)           its first n bytes                2n hexadecimal digits       nothing
//!   mod(field, m)           ┐ as few bytes as hold m − 1,    ┐ as many digits as         the number
//!   md5_mod(field…, m)      │ big-endian                     │ m − 1 has                 the number
//!   md5_line_mod(m)         │                                │                           the number
//!   random(m)               ┘                                ┘                           the number
//!   const("x")              its bytes                        its bytes                   nothing
//!   row_number()            8 bytes, big-endian              20 digits                   the number
//! ```
//!
//! `field`, `desc` and `bucket` sort as the values do (`desc` the other way round); no part's bytes begin another's of
//! the same part, so keys sort as tuples of their parts do. `row_number()` is what a table without a key gets.

mod bucket;
mod codec;
mod cursor;
pub mod digest;
mod error;
mod loss;
mod modulus;
mod pad;
mod parse;
mod part;
mod quoted;
mod reverse;

pub use bucket::BucketWidth;
pub use codec::{Decoded, KeyCodec, KeyInput, KeyPrefix};
pub use error::{KeyDecodeError, KeyEncodeError, KeyError, PartError};
pub use modulus::Modulus;
pub use part::Part;

use schemars::JsonSchema;

use crate::value::{KeyEncoding, ValueType};

/// The longest row key that HBase takes, in bytes.
pub const MAX_KEY_BYTES: usize = 32_767;

/// A row key: what it is made of, and how that is written.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema)]
pub struct Key {
    /// Parts of the row key, in order: field, pad(field, n), md5(field), md5(field, bytes), md5_mod(field, m), mod(field, m),
    /// random(m), md5_line_mod(m), reverse(field), desc(field), bucket(field, "1h"), const("x"), row_number().
    #[schemars(rename = "key", with = "Vec<String>", length(min = 1))]
    pub parts: Vec<Part>,
    /// How the parts are written; binary when not said.
    #[schemars(rename = "key_encoding", default)]
    pub encoding: KeyEncoding,
}

impl Key {
    /// A binary key of plain fields.
    pub fn of_fields<S: Into<String>>(fields: impl IntoIterator<Item = S>) -> Self {
        let parts = fields.into_iter().map(|field| Part::Field(field.into())).collect();
        Self { parts, encoding: KeyEncoding::Binary }
    }

    /// A binary key that numbers the rows as they come.
    pub fn row_number() -> Self {
        Self { parts: vec![Part::RowNumber], encoding: KeyEncoding::Binary }
    }

    /// Reads the parts from their texts.
    pub fn parse<S: AsRef<str>>(parts: &[S], encoding: KeyEncoding) -> Result<Self, PartError> {
        let parts = parts.iter().map(|part| part.as_ref().parse()).collect::<Result<_, _>>()?;
        Ok(Self { parts, encoding })
    }

    /// What encodes and decodes this key, given the type of each field.
    pub fn codec(&self, type_of: impl Fn(&str) -> Option<ValueType>) -> Result<KeyCodec, KeyError> {
        KeyCodec::new(self, type_of)
    }
}
