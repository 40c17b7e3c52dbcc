//! Names of namespaces, tables and families, and what they may contain.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The namespace of a table whose name has no colon.
pub const DEFAULT_NAMESPACE: &str = "default";
/// The namespace HBase keeps for itself.
pub const SYSTEM_NAMESPACE: &str = "hbase";

/// The table in it that says where regions are.
const META_TABLE: &str = "meta";

/// `namespace:table`; the namespace `default` is not printed. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableName {
    namespace: Arc<str>,
    table: Arc<str>,
}

/// Why a name is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing there.
    #[error("a {what} name must not be empty")]
    Empty {
        /// `table`, `namespace` or `family`.
        what: &'static str,
    },
    /// A table name that begins with a dot or a dash.
    #[error("table name {name:?} must not begin with {first:?}: start it with a letter, a digit or '_'")]
    BadStart {
        /// The name given.
        name: String,
        /// Its first character.
        first: char,
    },
    /// A character that the name must not contain.
    #[error("{what} name {name:?} contains {character:?}: {allowed}")]
    BadCharacter {
        /// `table`, `namespace` or `family`.
        what: &'static str,
        /// The name given.
        name: String,
        /// The first character that is not allowed.
        character: char,
        /// What is allowed there.
        allowed: &'static str,
    },
    /// A name that is too long.
    #[error("a {what} name has at most {MAX_TABLE_BYTES} bytes, this one has {bytes}")]
    LongTable {
        /// `table` or `namespace`.
        what: &'static str,
        /// Its length.
        bytes: usize,
    },
    /// A family name that begins with a dot.
    #[error("family name {name:?} must not begin with a dot")]
    DotFamily {
        /// The name given.
        name: String,
    },
    /// A family name that is too long.
    #[error("a family name has at most {MAX_FAMILY_BYTES} bytes, this one has {bytes}")]
    LongFamily {
        /// Its length.
        bytes: usize,
    },
}

/// The longest name of a table or a namespace: a directory of HDFS, and of most file systems, has no longer one.
pub const MAX_TABLE_BYTES: usize = 255;

/// The longest family name: an 8-bit signed length.
pub const MAX_FAMILY_BYTES: usize = i8::MAX as usize;

impl TableName {
    /// A table of a namespace.
    pub fn new(namespace: &str, table: &str) -> Result<Self, NameError> {
        check_namespace(namespace)?;
        check_table(table)?;
        Ok(Self { namespace: namespace.into(), table: table.into() })
    }

    /// The table that says where all regions are: `hbase:meta`.
    pub fn meta() -> Self {
        Self { namespace: SYSTEM_NAMESPACE.into(), table: META_TABLE.into() }
    }

    /// Whether it is the table in which HBase keeps where regions are.
    pub fn is_meta(&self) -> bool {
        &*self.namespace == SYSTEM_NAMESPACE && &*self.table == META_TABLE
    }

    /// The namespace.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The name without the namespace.
    pub fn table(&self) -> &str {
        &self.table
    }
}

impl FromStr for TableName {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        match name.split_once(':') {
            Some((namespace, table)) => Self::new(namespace, table),
            None => Self::new(DEFAULT_NAMESPACE, name),
        }
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if &*self.namespace != DEFAULT_NAMESPACE {
            write!(f, "{}:", self.namespace)?;
        }
        f.write_str(&self.table)
    }
}

/// A namespace has letters, digits and `_`.
pub fn check_namespace(name: &str) -> Result<(), NameError> {
    check_length("namespace", name)?;
    if name.is_empty() {
        return Err(NameError::Empty { what: "namespace" });
    }
    match name.chars().find(|&character| !(character.is_alphanumeric() || character == '_')) {
        Some(character) => Err(NameError::BadCharacter {
            what: "namespace",
            name: name.to_owned(),
            character,
            allowed: "letters, digits and '_' are allowed",
        }),
        None => Ok(()),
    }
}

fn check_length(what: &'static str, name: &str) -> Result<(), NameError> {
    let bytes = name.len();
    if bytes > MAX_TABLE_BYTES { Err(NameError::LongTable { what, bytes }) } else { Ok(()) }
}

fn check_table(name: &str) -> Result<(), NameError> {
    let first = name.chars().next().ok_or(NameError::Empty { what: "table" })?;
    check_length("table", name)?;
    if first == '.' || first == '-' {
        return Err(NameError::BadStart { name: name.to_owned(), first });
    }
    let allowed = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | '.');
    match name.chars().find(|&character| !allowed(character)) {
        Some(character) => Err(NameError::BadCharacter {
            what: "table",
            name: name.to_owned(),
            character,
            allowed: "letters, digits, '_', '-' and '.' are allowed, and one ':' after a namespace",
        }),
        None => Ok(()),
    }
}

/// A family name is printable, has no colon, slash or backslash and does not begin with a dot.
pub fn check_family(name: &[u8]) -> Result<(), NameError> {
    let text = || String::from_utf8_lossy(name).into_owned();
    match name.first() {
        None => return Err(NameError::Empty { what: "family" }),
        Some(b'.') => return Err(NameError::DotFamily { name: text() }),
        Some(_) => {}
    }
    if name.len() > MAX_FAMILY_BYTES {
        return Err(NameError::LongFamily { bytes: name.len() });
    }
    match name.iter().find(|&&byte| byte.is_ascii_control() || matches!(byte, b':' | b'/' | b'\\')) {
        Some(&byte) => Err(NameError::BadCharacter {
            what: "family",
            name: text(),
            character: char::from(byte),
            allowed: "control characters, ':', '/' and '\\' are not allowed",
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_and_print() {
        assert_eq!("t".parse::<TableName>().unwrap().namespace(), DEFAULT_NAMESPACE);
        assert_eq!("ns:t-1.x".parse::<TableName>().unwrap().to_string(), "ns:t-1.x");
        assert_eq!("default:t".parse::<TableName>().unwrap().to_string(), "t");
    }

    #[test]
    fn bad_names_are_refused() {
        for name in ["", ".t", "-t", "a b", "a/b", ":t", "n:", "n-s:t", "a:b:c", "t\0"] {
            assert!(name.parse::<TableName>().is_err(), "{name:?} should be refused");
        }
        assert!("x".repeat(255).parse::<TableName>().is_ok());
        for name in ["x".repeat(256), format!("{}:t", "n".repeat(256))] {
            assert!(name.parse::<TableName>().is_err(), "{} bytes should be refused", name.len());
        }
        for family in [&b""[..], b".f", b"a:b", b"a/b", b"a\\b", b"a\nb", &[b'x'; 128]] {
            assert!(check_family(family).is_err(), "{family:?} should be refused");
        }
        assert!(check_family(b"m").is_ok() && check_family("größe".as_bytes()).is_ok());
    }
}
