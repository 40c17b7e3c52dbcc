//! From the bytes of a key to what they were made of.

use super::super::{KeyDecodeError, Modulus, Part, digest, pad, reverse};
use super::{KeyCodec, TypedPart};
use crate::value::{KeyEncoding, Value, ValueType};

/// What comes back of one part of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decoded {
    /// A field's value.
    Field {
        /// The field.
        name: String,
        /// Its value.
        value: Value,
    },
    /// Where the bucket of a field's value begins.
    Bucket {
        /// The field.
        name: String,
        /// The start of its bucket.
        start: Value,
    },
    /// The number of a prefix.
    Prefix(u64),
    /// The bytes of a digest.
    Digest(Vec<u8>),
    /// A constant, as it should be.
    Const,
    /// The row's number.
    RowNumber(u64),
}

impl KeyCodec {
    /// What comes back of each part of a key.
    pub fn decode(&self, key: &[u8]) -> Result<Vec<Decoded>, KeyDecodeError> {
        let mut rest = key;
        let mut decoded = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let (one, after) = part.decode(self.encoding, rest)?;
            decoded.push(one);
            rest = after;
        }
        if rest.is_empty() { Ok(decoded) } else { Err(KeyDecodeError::Trailing { length: rest.len() }) }
    }

    /// The fields that come back of a key.
    pub fn decode_fields(&self, key: &[u8]) -> Result<Vec<(String, Value)>, KeyDecodeError> {
        let field = |part| match part {
            Decoded::Field { name, value } => Some((name, value)),
            _ => None,
        };
        Ok(self.decode(key)?.into_iter().filter_map(field).collect())
    }
}

impl TypedPart {
    fn decode<'b>(
        &self,
        encoding: KeyEncoding,
        bytes: &'b [u8],
    ) -> Result<(Decoded, &'b [u8]), KeyDecodeError> {
        let field = |name: &String, value| Decoded::Field { name: name.clone(), value };
        match &self.part {
            Part::Field(name) => {
                self.read_in_order(encoding, bytes).map(|(value, rest)| (field(name, value), rest))
            }
            Part::Bucket { field: name, .. } => {
                let (start, rest) = self.read_in_order(encoding, bytes)?;
                Ok((Decoded::Bucket { name: name.clone(), start }, rest))
            }
            Part::Desc(name) => {
                let turned: Vec<u8> = bytes.iter().map(|byte| !byte).collect();
                let (value, left) = self.read_in_order(encoding, &turned)?;
                let rest = bytes.get(bytes.len() - left.len()..).unwrap_or_default();
                Ok((field(name, value), rest))
            }
            Part::Pad { field: name, width } => {
                let (padded, rest) = self.split(bytes, *width)?;
                let value = pad::decode(self.of_type(), padded);
                Ok((field(name, self.or_bad(value, "the bytes are not a padded value")?), rest))
            }
            Part::Reverse(name) => {
                // What is reversed is escaped as bytes are, whatever the type and the encoding.
                let (turned, rest) = self.raw_string(bytes)?;
                let value = match turned {
                    Value::Bytes(turned) => reverse::forwards(self.of_type(), &turned),
                    null => Some(null),
                };
                Ok((field(name, self.or_bad(value, "the bytes are not a reversed value")?), rest))
            }
            Part::Md5 { bytes: length, .. } => {
                self.digest(encoding, length.unwrap_or(digest::DIGEST_BYTES), bytes)
            }
            Part::Const(constant) => {
                let rest = bytes.strip_prefix(constant.as_slice());
                Ok((Decoded::Const, self.or_bad(rest, "another constant stands there")?))
            }
            Part::RowNumber => self.row_number(encoding, bytes),
            Part::Mod { modulus, .. }
            | Part::Md5Mod { modulus, .. }
            | Part::Random(modulus)
            | Part::Md5LineMod(modulus) => self.prefix_number(*modulus, encoding, bytes),
        }
    }

    fn read_in_order<'b>(
        &self,
        encoding: KeyEncoding,
        bytes: &'b [u8],
    ) -> Result<(Value, &'b [u8]), KeyDecodeError> {
        let bad = |source| KeyDecodeError::Value { part: self.part.to_string(), source };
        encoding.decode(self.of_type(), bytes).map_err(bad)
    }

    fn raw_string<'b>(&self, bytes: &'b [u8]) -> Result<(Value, &'b [u8]), KeyDecodeError> {
        let bad = |source| KeyDecodeError::Value { part: self.part.to_string(), source };
        KeyEncoding::Binary.decode(ValueType::Bytes, bytes).map_err(bad)
    }

    fn digest<'b>(
        &self,
        encoding: KeyEncoding,
        length: usize,
        bytes: &'b [u8],
    ) -> Result<(Decoded, &'b [u8]), KeyDecodeError> {
        let (digest, rest) = match encoding {
            KeyEncoding::Binary => {
                let (digest, rest) = self.split(bytes, length)?;
                (digest.to_vec(), rest)
            }
            KeyEncoding::Text => {
                let (digits, rest) = self.split(bytes, length * 2)?;
                (self.or_bad(from_hexadecimal(digits), "there are not hexadecimal digits")?, rest)
            }
        };
        Ok((Decoded::Digest(digest), rest))
    }

    fn row_number<'b>(
        &self,
        encoding: KeyEncoding,
        bytes: &'b [u8],
    ) -> Result<(Decoded, &'b [u8]), KeyDecodeError> {
        let (number, rest) = match encoding {
            KeyEncoding::Binary => {
                let (number, rest) = self.split(bytes, size_of::<u64>())?;
                (number.try_into().ok().map(u64::from_be_bytes), rest)
            }
            KeyEncoding::Text => {
                let (digits, rest) = self.split(bytes, 20)?;
                let digits = digits.iter().all(u8::is_ascii_digit).then_some(digits);
                let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
                (digits.and_then(|digits| digits.parse().ok()), rest)
            }
        };
        Ok((Decoded::RowNumber(self.or_bad(number, "there is no number of a row")?), rest))
    }

    fn prefix_number<'b>(
        &self,
        modulus: Modulus,
        encoding: KeyEncoding,
        bytes: &'b [u8],
    ) -> Result<(Decoded, &'b [u8]), KeyDecodeError> {
        let (number, rest) = self.or_bad(modulus.decode(encoding, bytes), "there is no such prefix")?;
        Ok((Decoded::Prefix(number), rest))
    }

    fn split<'b>(&self, bytes: &'b [u8], length: usize) -> Result<(&'b [u8], &'b [u8]), KeyDecodeError> {
        self.or_bad(bytes.split_at_checked(length), "the key ends too early")
    }

    fn or_bad<T>(&self, found: Option<T>, reason: &'static str) -> Result<T, KeyDecodeError> {
        found.ok_or_else(|| KeyDecodeError::Bytes { part: self.part.to_string(), reason })
    }
}

fn from_hexadecimal(digits: &[u8]) -> Option<Vec<u8>> {
    let nibble = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    digits
        .chunks_exact(2)
        .map(|pair| match pair {
            [high, low] => Some(nibble(*high)? << 4 | nibble(*low)?),
            _ => None,
        })
        .collect()
}
