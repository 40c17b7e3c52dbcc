//! From a row to the bytes of its key.

use super::super::{KeyEncodeError, MAX_KEY_BYTES, Modulus, Part, digest, pad, reverse};
use super::{KeyCodec, KeyInput, TypedPart};
use crate::value::{KeyEncoding, Value, ValueType, escape};

/// What is known of a key from its beginning on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPrefix {
    /// The bytes: every key that agrees with what is known begins with them.
    pub bytes: Vec<u8>,
    /// How many parts they are.
    pub parts: usize,
}

impl KeyCodec {
    /// The key of a row.
    pub fn encode(&self, row: &mut impl KeyInput) -> Result<Vec<u8>, KeyEncodeError> {
        let mut bytes = Vec::new();
        self.encode_into(row, &mut bytes)?;
        Ok(bytes)
    }

    /// Appends the key of a row; nothing when there is none.
    pub fn encode_into(&self, row: &mut impl KeyInput, out: &mut Vec<u8>) -> Result<(), KeyEncodeError> {
        let begin = out.len();
        let mut encoded = self.parts.iter().try_for_each(|part| part.encode(self.encoding, row, out));
        let length = out.len() - begin;
        if encoded.is_ok() && length > MAX_KEY_BYTES {
            encoded = Err(KeyEncodeError::TooLong { length });
        }
        if encoded.is_err() {
            out.truncate(begin);
        }
        encoded
    }

    /// The first parts of a key, as many as what is known of a row gives.
    pub fn encode_prefix(&self, known: &mut impl KeyInput) -> Result<KeyPrefix, KeyEncodeError> {
        let mut bytes = Vec::new();
        for (index, part) in self.parts.iter().enumerate() {
            let length = bytes.len();
            match part.encode(self.encoding, known, &mut bytes) {
                Ok(()) => {}
                Err(KeyEncodeError::Missing { .. }) => {
                    bytes.truncate(length);
                    return Ok(KeyPrefix { bytes: within_limit(bytes)?, parts: index });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(KeyPrefix { bytes: within_limit(bytes)?, parts: self.parts.len() })
    }
}

fn within_limit(bytes: Vec<u8>) -> Result<Vec<u8>, KeyEncodeError> {
    let length = bytes.len();
    if length > MAX_KEY_BYTES { Err(KeyEncodeError::TooLong { length }) } else { Ok(bytes) }
}

impl TypedPart {
    fn encode(
        &self,
        encoding: KeyEncoding,
        row: &mut impl KeyInput,
        out: &mut Vec<u8>,
    ) -> Result<(), KeyEncodeError> {
        let text = encoding == KeyEncoding::Text;
        match &self.part {
            Part::Field(field) => self.write_in_order(encoding, self.value(row, field)?, out)?,
            Part::Desc(field) => {
                let begin = out.len();
                self.write_in_order(encoding, self.value(row, field)?, out)?;
                out.iter_mut().skip(begin).for_each(|byte| *byte = !*byte);
            }
            Part::Bucket { field, width } => {
                let start = width.start(self.value(row, field)?);
                self.write_in_order(encoding, &start, out)?;
            }
            Part::Pad { field, width } => {
                let value = self.value(row, field)?;
                if !pad::encode(value, *width, out) {
                    return Err(self.does_not_fit(value, pad::expected(self.of_type(), *width)));
                }
            }
            Part::Reverse(field) => match reverse::backwards(self.value(row, field)?) {
                Some(bytes) => escape::escape(&bytes, out),
                None => out.push(escape::END),
            },
            Part::Md5 { field, bytes } => {
                let digest = digest::of_value(self.value(row, field)?);
                let digest = digest.iter().take(bytes.unwrap_or(digest::DIGEST_BYTES));
                if text {
                    out.extend(digest.map(|byte| format!("{byte:02x}")).collect::<String>().bytes());
                } else {
                    out.extend(digest);
                }
            }
            Part::RowNumber => {
                let number = row.row_number().ok_or_else(|| self.missing("the row's number"))?;
                if text {
                    out.extend(format!("{number:020}").bytes());
                } else {
                    out.extend(number.to_be_bytes());
                }
            }
            Part::Const(bytes) => out.extend(bytes),
            Part::Mod { modulus, .. }
            | Part::Md5Mod { modulus, .. }
            | Part::Random(modulus)
            | Part::Md5LineMod(modulus) => modulus.encode(encoding, self.prefix(*modulus, row)?, out),
        }
        Ok(())
    }

    /// The number of the prefix that a row gets.
    fn prefix(&self, modulus: Modulus, row: &mut impl KeyInput) -> Result<u64, KeyEncodeError> {
        match &self.part {
            Part::Mod { field, .. } => {
                let value = self.value(row, field)?;
                let fits = || self.does_not_fit(value, "a whole number".to_owned());
                modulus.remainder_of(value).ok_or_else(fits)
            }
            Part::Random(_) => row.random_below(modulus.get()).ok_or_else(|| self.missing("a random number")),
            Part::Md5LineMod(_) => {
                let line = row.line().ok_or_else(|| self.missing("the line it was read from"))?;
                Ok(digest::reduce(digest::of_bytes(line), modulus))
            }
            part => {
                let values: Vec<&Value> =
                    part.fields().iter().map(|field| self.value(row, field)).collect::<Result<_, _>>()?;
                Ok(digest::reduce(digest::of_values(&values), modulus))
            }
        }
    }

    fn write_in_order(
        &self,
        encoding: KeyEncoding,
        value: &Value,
        out: &mut Vec<u8>,
    ) -> Result<(), KeyEncodeError> {
        let wrong_type = |source| KeyEncodeError::WrongType { part: self.part.to_string(), source };
        encoding.encode(self.of_type(), value, out).map_err(wrong_type)
    }

    fn value<'r>(&self, row: &'r impl KeyInput, field: &str) -> Result<&'r Value, KeyEncodeError> {
        row.value(field).ok_or_else(|| self.missing(&format!("a value of {field:?}")))
    }

    /// The type of the part's field. Parts without a field never ask.
    pub(super) fn of_type(&self) -> ValueType {
        self.value_type.unwrap_or(ValueType::Bytes)
    }

    fn missing(&self, needs: &str) -> KeyEncodeError {
        KeyEncodeError::Missing { part: self.part.to_string(), needs: needs.to_owned() }
    }

    fn does_not_fit(&self, value: &Value, expected: String) -> KeyEncodeError {
        KeyEncodeError::DoesNotFit { part: self.part.to_string(), value: value.to_string(), expected }
    }
}
