//! What a cell's qualifier is made of, when it is not the column's name.

use std::fmt;

use crate::key::{Part, PartError};

/// A qualifier made of data, so that a row grows wide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Qualifier {
    /// The value of a field.
    Field(String),
    /// Several parts, or one that is more than a field, as in a key.
    Parts(Vec<Part>),
    /// `offset(field)`: how far a field lies after the start of its row's bucket.
    Offset(String),
}

impl Qualifier {
    /// Reads a field, `offset(field)`, or parts of a key with commas between them.
    pub fn parse(text: &str) -> Result<Self, PartError> {
        if let Some(field) = text.strip_prefix("offset(").and_then(|rest| rest.strip_suffix(')'))
            && is_bare(field.trim())
        {
            return Ok(Self::Offset(field.trim().to_owned()));
        }
        if is_bare(text) {
            return Ok(Self::Field(text.to_owned()));
        }
        let parts = Part::parse_list(text)?;
        Ok(match parts.as_slice() {
            [Part::Field(field)] => Self::Field(field.clone()),
            _ => Self::Parts(parts),
        })
    }

    /// The fields that it is made of.
    pub fn fields(&self) -> Vec<&str> {
        match self {
            Self::Field(field) | Self::Offset(field) => vec![field],
            Self::Parts(parts) => parts.iter().flat_map(Part::fields).map(String::as_str).collect(),
        }
    }

    /// What it is made of as parts of a key; none for an offset, which has a codec of its own.
    pub fn parts(&self) -> Option<Vec<Part>> {
        match self {
            Self::Field(field) => Some(vec![Part::Field(field.clone())]),
            Self::Parts(parts) => Some(parts.clone()),
            Self::Offset(_) => None,
        }
    }
}

/// Whether a text is a field's name and nothing else, whatever letters it has.
fn is_bare(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && !text.contains(['(', ')', ',', '"'])
}

impl fmt::Display for Qualifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(field) if is_bare(field) => f.write_str(field),
            Self::Field(field) => Part::Field(field.clone()).fmt(f),
            Self::Offset(field) => write!(f, "offset({field})"),
            Self::Parts(parts) => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                f.write_str(&parts.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qualifiers_print_as_they_were_read() {
        for text in [
            "followed",
            "offset(at)",
            "two words",
            "desc(at)",
            "desc(at), id",
            "md5(id, 4), \"a b\"",
            "\"a,b\"",
        ] {
            assert_eq!(Qualifier::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Qualifier::parse("\"a,b\""), Ok(Qualifier::Field("a,b".into())));
        for text in ["", "offset()", "offset(at", "other(at)", "desc(at),", "a b, c", "offset(at), id"] {
            assert!(Qualifier::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_qualifier_knows_its_fields() {
        let parsed = Qualifier::parse("desc(at), user.id").unwrap();
        assert_eq!(parsed.fields(), ["at", "user.id"]);
        assert_eq!(parsed.parts().map(|parts| parts.len()), Some(2));
        assert_eq!(Qualifier::parse("offset(at)").unwrap().parts(), None);
    }
}
