//! The values of a statement's parameters.

use std::collections::BTreeMap;

use tablesmith_model::value::Value;

/// The values of parameters, by name: `:who` and `@who` are `who`, `$2` and `?2` are `2`, and every plain `?` is its number
/// from 1 on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    values: BTreeMap<String, ParameterValue>,
}

/// A parameter of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, as [`Parameters`] takes it.
    pub name: String,
    /// The column that it is compared with or written to; none for a limit, a pattern or an aggregate.
    pub column: Option<ParameterColumn>,
}

/// The column that a parameter is compared with or written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterColumn {
    /// The table of the workload.
    pub table: String,
    /// The place of the table among the sources of the statement.
    pub source: usize,
    /// The column.
    pub column: String,
    /// Which row of an INSERT; 0 in other statements.
    pub row: usize,
}

/// What a parameter is bound to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ParameterValue {
    /// A text, which is read as a value of the column that it meets.
    Text(String),
    /// A value.
    Value(Value),
}

impl Parameters {
    /// None.
    pub fn none() -> Self {
        Self::default()
    }

    /// Values for `?`, `?`, … in their order.
    pub fn in_order(values: impl IntoIterator<Item = Value>) -> Self {
        let numbered = values.into_iter().enumerate();
        let values =
            numbered.map(|(at, value)| ((at + 1).to_string(), ParameterValue::Value(value))).collect();
        Self { values }
    }

    /// And this value.
    pub fn with(mut self, name: impl Into<String>, value: Value) -> Self {
        self.values.insert(name.into(), ParameterValue::Value(value));
        self
    }

    /// And this text, which is read as a value of the column that it meets.
    pub fn with_text(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.values.insert(name.into(), ParameterValue::Text(text.into()));
        self
    }

    /// The names of all.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    pub(super) fn get(&self, name: &str) -> Option<&ParameterValue> {
        self.values.get(name)
    }
}
