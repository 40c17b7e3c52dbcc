//! The types that a column can have.

use std::fmt;

/// The type of a column's values, under the name that both files give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueType {
    /// Text in UTF-8, sorted by its bytes.
    String,
    /// A whole number of 64 bits with a sign.
    Int,
    /// A floating-point number of 64 bits.
    Float,
    /// A decimal number, exact, of any length.
    Decimal,
    /// True or false.
    Bool,
    /// Any bytes.
    Bytes,
    /// A day of the Gregorian calendar.
    Date,
    /// A moment, to the microsecond, in UTC.
    Timestamp,
}

crate::schema::names_in_files!(ValueType);

impl ValueType {
    /// All types, in the order in which they are explained.
    pub const ALL: [Self; 8] = [
        Self::String,
        Self::Int,
        Self::Float,
        Self::Decimal,
        Self::Bool,
        Self::Bytes,
        Self::Date,
        Self::Timestamp,
    ];

    /// The name in files: `string`, `int`, ….
    pub fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Int => "int",
            Self::Float => "float",
            Self::Decimal => "decimal",
            Self::Bool => "bool",
            Self::Bytes => "bytes",
            Self::Date => "date",
            Self::Timestamp => "timestamp",
        }
    }

    /// The type of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value_type| value_type.name() == name)
    }

    /// All names, for messages: `string, int, …`.
    pub fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        for value_type in ValueType::ALL {
            assert_eq!(ValueType::from_name(value_type.name()), Some(value_type));
        }
        assert_eq!(ValueType::from_name("text"), None);
        assert!(ValueType::names().starts_with("string, int, "));
    }
}
