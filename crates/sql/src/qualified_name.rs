//! A table's name as a statement has it: with the schema before it, or without.

use std::fmt;

/// A table's name, and the schema or database before it where there is one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct QualifiedName {
    /// What stands before the name, with dots between its parts.
    pub schema: Option<String>,
    /// The table's own name.
    pub name: String,
}

impl QualifiedName {
    /// The name of these parts, the last of which is the table's own.
    pub fn of_parts(mut parts: Vec<String>) -> Self {
        let name = parts.pop().unwrap_or_default();
        let schema = (!parts.is_empty()).then(|| parts.join("."));
        Self { schema, name }
    }
}

impl From<&str> for QualifiedName {
    fn from(name: &str) -> Self {
        Self { schema: None, name: name.to_owned() }
    }
}

impl fmt::Display for QualifiedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.schema {
            Some(schema) => write!(f, "{schema}.{}", self.name),
            None => f.write_str(&self.name),
        }
    }
}
