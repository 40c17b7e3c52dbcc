//! A column as it is written: `family`, `family:qualifier`, and for reading `family:qualifier:converter`.

use bytes::Bytes;

use crate::error::ShellError;
use crate::output::Converter;

/// A family, or one column of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The family.
    pub family: Bytes,
    /// The qualifier, which may be empty; `None` for the whole family.
    pub qualifier: Option<Bytes>,
}

impl Column {
    /// Cuts a column at its first colon.
    pub fn new(written: &Bytes) -> Self {
        match written.iter().position(|&byte| byte == b':') {
            Some(colon) => {
                Self { family: written.slice(..colon), qualifier: Some(written.slice(colon + 1..)) }
            }
            None => Self { family: written.clone(), qualifier: None },
        }
    }

    /// Cuts a column and a converter behind its last colon, if what stands there is one.
    pub fn with_converter(written: &Bytes) -> Result<(Self, Option<Converter>), ShellError> {
        let whole = Self::new(written);
        let Some(qualifier) = &whole.qualifier else { return Ok((whole, None)) };
        let Some(colon) = qualifier.iter().rposition(|&byte| byte == b':') else { return Ok((whole, None)) };
        let suffix = String::from_utf8_lossy(&qualifier.slice(colon + 1..)).into_owned();
        match Converter::from_suffix(&suffix)? {
            Some(converter) => {
                let qualifier = Some(qualifier.slice(..colon));
                Ok((Self { family: whole.family, qualifier }, Some(converter)))
            }
            None => Ok((whole, None)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(family: &'static str, qualifier: Option<&'static str>) -> Column {
        Column { family: family.into(), qualifier: qualifier.map(Into::into) }
    }

    #[test]
    fn the_first_colon_ends_the_family() {
        assert_eq!(Column::new(&"f".into()), column("f", None));
        assert_eq!(Column::new(&"f:".into()), column("f", Some("")));
        assert_eq!(Column::new(&"f:a:b".into()), column("f", Some("a:b")));
    }

    #[test]
    fn a_converter_stands_behind_the_last_colon() {
        let read = |written: &'static str| Column::with_converter(&written.into()).unwrap();
        assert_eq!(read("f:a:toInt"), (column("f", Some("a")), Some(Converter::Int)));
        let class = "f:a:c(org.apache.hadoop.hbase.util.Bytes).toLong";
        assert_eq!(read(class), (column("f", Some("a")), Some(Converter::Long)));
        assert_eq!(read("f:toInt"), (column("f", Some("toInt")), None));
        assert_eq!(read("f:a:b"), (column("f", Some("a:b")), None));
        assert_eq!(read("f"), (column("f", None), None));
    }
}
