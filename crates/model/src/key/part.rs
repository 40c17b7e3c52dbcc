//! One part of a key, as `design.toml` writes it.

use std::fmt;

use super::quoted::quote;
use super::{BucketWidth, Modulus};

/// One part of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A field, in order.
    Field(String),
    /// `pad(field, n)`: a field in exactly `width` bytes.
    Pad {
        /// The field.
        field: String,
        /// Bytes, 1 to 1000.
        width: usize,
    },
    /// `md5(field)` or `md5(field, bytes)`: the beginning of a field's digest.
    Md5 {
        /// The field.
        field: String,
        /// Bytes of the digest, 1 to 16; all when not said.
        bytes: Option<usize>,
    },
    /// `md5_mod(field…, m)`: the digest of fields, reduced.
    Md5Mod {
        /// The fields, at least one.
        fields: Vec<String>,
        /// How many prefixes there are.
        modulus: Modulus,
    },
    /// `mod(field, m)`: a whole number, reduced.
    Mod {
        /// The field.
        field: String,
        /// How many prefixes there are.
        modulus: Modulus,
    },
    /// `random(m)`: a prefix by chance.
    Random(Modulus),
    /// `md5_line_mod(m)`: the digest of the whole line that a row was read from, reduced.
    Md5LineMod(Modulus),
    /// `reverse(field)`: a field's text backwards.
    Reverse(String),
    /// `desc(field)`: a field in falling order.
    Desc(String),
    /// `bucket(field, "1h")`: where the stretch of time begins that a field lies in.
    Bucket {
        /// The field.
        field: String,
        /// How wide a bucket is.
        width: BucketWidth,
    },
    /// `const("x")`: the same bytes in every key.
    Const(Vec<u8>),
    /// `row_number()`: the number of the row as it was loaded, for tables without a key.
    RowNumber,
}

impl Part {
    /// The fields that it is made of.
    pub fn fields(&self) -> &[String] {
        match self {
            Self::Field(field) | Self::Reverse(field) | Self::Desc(field) => std::slice::from_ref(field),
            Self::Pad { field, .. } | Self::Md5 { field, .. } | Self::Mod { field, .. } => {
                std::slice::from_ref(field)
            }
            Self::Bucket { field, .. } => std::slice::from_ref(field),
            Self::Md5Mod { fields, .. } => fields,
            Self::Random(_) | Self::Md5LineMod(_) | Self::Const(_) | Self::RowNumber => &[],
        }
    }

    /// The field whose value comes back when the key is decoded.
    pub fn gives_back(&self) -> Option<&str> {
        match self {
            Self::Field(field) | Self::Reverse(field) | Self::Desc(field) | Self::Pad { field, .. } => {
                Some(field)
            }
            _ => None,
        }
    }

    /// How many prefixes it spreads rows over; `None` when it is no such prefix.
    pub fn prefixes(&self) -> Option<Modulus> {
        match self {
            Self::Md5Mod { modulus, .. } | Self::Mod { modulus, .. } => Some(*modulus),
            Self::Random(modulus) | Self::Md5LineMod(modulus) => Some(*modulus),
            _ => None,
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(field) => f.write_str(&name(field)),
            Self::Pad { field, width } => write!(f, "pad({}, {width})", name(field)),
            Self::Md5 { field, bytes: None } => write!(f, "md5({})", name(field)),
            Self::Md5 { field, bytes: Some(bytes) } => write!(f, "md5({}, {bytes})", name(field)),
            Self::Md5Mod { fields, modulus } => {
                let fields: Vec<String> = fields.iter().map(|field| name(field)).collect();
                write!(f, "md5_mod({}, {})", fields.join(", "), modulus.get())
            }
            Self::Mod { field, modulus } => write!(f, "mod({}, {})", name(field), modulus.get()),
            Self::Random(modulus) => write!(f, "random({})", modulus.get()),
            Self::Md5LineMod(modulus) => write!(f, "md5_line_mod({})", modulus.get()),
            Self::Reverse(field) => write!(f, "reverse({})", name(field)),
            Self::Desc(field) => write!(f, "desc({})", name(field)),
            Self::Bucket { field, width } => write!(f, "bucket({}, \"{width}\")", name(field)),
            Self::Const(bytes) => write!(f, "const({})", quote(bytes)),
            Self::RowNumber => f.write_str("row_number()"),
        }
    }
}

/// Whether a field's name can stand without quotes.
pub(super) fn is_plain_name(name: &str) -> bool {
    name.starts_with(begins_name) && name.chars().all(continues_name)
}

/// Whether a name without quotes can begin so.
pub(super) fn begins_name(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

/// Whether a name without quotes can go on so.
pub(super) fn continues_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '.' | '-' | '$')
}

fn name(field: &str) -> String {
    if is_plain_name(field) { field.to_owned() } else { quote(field.as_bytes()) }
}
