//! What the writing commands have in common: the options of a put, an increment and an append.

use bytes::Bytes;

use crate::arguments::{Column, Options, convert};
use crate::error::ShellError;
use crate::language::Value;

/// The options that a write takes.
pub const OPTIONS: &[&str] = &["ATTRIBUTES", "TTL", "VISIBILITY"];

/// What the options of a write say.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// The cells live so many milliseconds.
    pub ttl_ms: Option<i64>,
    /// Notes on options that are not known.
    pub notes: Vec<String>,
}

impl WriteOptions {
    /// Reads the options of `command`. Attributes are for a server's extensions, which no store here has: they are
    /// checked and go no further.
    pub fn read(command: &str, value: Option<Value>) -> Result<Self, ShellError> {
        let Some(value) = value else { return Ok(Self::default()) };
        let mut options = Options::new(convert::hash(value, "the options")?);
        if let Some(attributes) = options.take("ATTRIBUTES") {
            convert::hash(attributes, "ATTRIBUTES")?;
        }
        if options.take("VISIBILITY").is_some() {
            return Err(ShellError::unsupported(
                "VISIBILITY labels are not supported: write the cell without them",
            ));
        }
        let ttl_ms = options.long("TTL")?;
        Ok(Self { ttl_ms, notes: options.ignored(command, OPTIONS) })
    }
}

/// The family and qualifier of a column to write; a family alone means its column without a name.
pub fn column(value: &Value) -> Result<(Bytes, Bytes), ShellError> {
    let column = Column::new(&convert::bytes(value, "the column")?);
    Ok((column.family, column.qualifier.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(key: &'static str, value: Value) -> Result<WriteOptions, ShellError> {
        WriteOptions::read("put", Some(Value::Hash(vec![(Value::text(key), value)])))
    }

    #[test]
    fn options_of_a_write() {
        assert_eq!(read("TTL", Value::Int(5)).unwrap().ttl_ms, Some(5));
        assert_eq!(read("TTL", Value::text("x")).unwrap_err().exception(), "TypeError");
        assert_eq!(
            read("VISIBILITY", Value::text("A")).unwrap_err().exception(),
            "UnsupportedOperationException"
        );
        assert_eq!(read("ATTRIBUTES", Value::Int(1)).unwrap_err().exception(), "ArgumentError");
        assert_eq!(read("TLT", Value::Int(5)).unwrap().notes.len(), 1);
    }
}
