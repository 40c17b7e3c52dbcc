//! What a cell's qualifier is made of, when it is not the column's name.

use std::fmt;

/// A qualifier made of data, so that a row grows wide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Qualifier {
    /// The value of a field.
    Field(String),
    /// `offset(field)`: how far a field lies after the start of its row's bucket.
    Offset(String),
}

impl Qualifier {
    /// Reads a field or `offset(field)`; `None` when it is neither.
    pub fn parse(text: &str) -> Option<Self> {
        let is_field =
            |field: &str| !field.is_empty() && !field.contains(['(', ')']) && field.trim() == field;
        match text.strip_prefix("offset(").and_then(|rest| rest.strip_suffix(')')) {
            Some(field) => {
                Some(field.trim()).filter(|field| is_field(field)).map(|field| Self::Offset(field.to_owned()))
            }
            None => is_field(text).then(|| Self::Field(text.to_owned())),
        }
    }

    /// The field that it is made of.
    pub fn field(&self) -> &str {
        match self {
            Self::Field(field) | Self::Offset(field) => field,
        }
    }
}

impl fmt::Display for Qualifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(field) => f.write_str(field),
            Self::Offset(field) => write!(f, "offset({field})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qualifiers_print_as_they_were_read() {
        for text in ["followed", "offset(at)", "two words"] {
            assert_eq!(Qualifier::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "offset()", "offset(at", "other(at)", " x"] {
            assert_eq!(Qualifier::parse(text), None, "{text}");
        }
    }
}
