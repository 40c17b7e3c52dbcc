//! A column: its type, and what was measured or declared about its values.

use crate::value::ValueType;

/// A column of a table, with what is known of its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The name, unique in its table.
    pub name: String,
    /// The type of its values.
    pub value_type: ValueType,
    /// How many different values it has; nulls are none.
    pub distinct: Option<u64>,
    /// Bytes of a value as text, on average over those that are not null.
    pub bytes: Option<f64>,
    /// The share of rows without a value, 0 to 1.
    pub nulls: Option<f64>,
    /// The least value, as text, in the order of the type.
    pub min: Option<String>,
    /// The greatest value, as text.
    pub max: Option<String>,
    /// Whether values never fall in the order in which rows arrive, as times and running numbers do.
    pub monotone: bool,
    /// Values so frequent that they make a hot spot, the most frequent first.
    pub heavy: Vec<Heavy>,
}

/// A value that many rows have.
#[derive(Clone, Debug, PartialEq)]
pub struct Heavy {
    /// The value, as text.
    pub value: String,
    /// The share of rows that have it, 0 to 1.
    pub share: f64,
}

impl Column {
    /// A column of which only the type is known.
    pub fn new(name: impl Into<String>, value_type: ValueType) -> Self {
        Self {
            name: name.into(),
            value_type,
            distinct: None,
            bytes: None,
            nulls: None,
            min: None,
            max: None,
            monotone: false,
            heavy: Vec::new(),
        }
    }

    /// The same column with this many bytes a value.
    pub fn with_bytes(self, bytes: f64) -> Self {
        Self { bytes: Some(bytes), ..self }
    }
}
