//! A column: its type, and what was measured or declared about its values.

use schemars::JsonSchema;

use crate::schema::Scalar;
use crate::value::ValueType;

/// A column of a table, with what is known of its values.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Column {
    /// The name, unique in its table.
    #[schemars(skip)]
    pub name: String,
    /// The type of its values.
    #[schemars(rename = "type")]
    pub value_type: ValueType,
    /// How many different values it has; nulls are none.
    pub distinct: Option<u64>,
    /// Bytes of a value as text, on average over those that are not null.
    #[schemars(range(min = 0))]
    pub bytes: Option<f64>,
    /// The share of rows without a value, 0 to 1.
    #[schemars(range(min = 0, max = 1))]
    pub nulls: Option<f64>,
    /// The least value in the order of the type.
    #[schemars(with = "Option<Scalar>")]
    pub min: Option<String>,
    /// The greatest value.
    #[schemars(with = "Option<Scalar>")]
    pub max: Option<String>,
    /// Whether values never fall in the order in which rows arrive, as times and running numbers do.
    #[schemars(default)]
    pub monotone: bool,
    /// Values so frequent that they make a hot spot, the most frequent first.
    #[schemars(default)]
    pub heavy: Vec<Heavy>,
}

/// A value that many rows have.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Heavy {
    /// The value.
    #[schemars(with = "Scalar")]
    pub value: String,
    /// The share of rows that have it, 0 to 1.
    #[schemars(range(min = 0, max = 1))]
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
