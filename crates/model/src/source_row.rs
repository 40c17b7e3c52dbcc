//! A row of a data file with typed values, and why a row is none.

use std::io::Write as _;

use crate::evidence::Rejected;
use crate::value::Value;

/// A row of a data file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceRow {
    /// The line that it begins in, from 1; for files without lines its number.
    pub line: u64,
    /// Its values, in the order of the table's columns.
    pub values: Vec<Value>,
}

impl SourceRow {
    /// Appends the row as a line: the texts of its values with commas between. It is what `md5_line_mod` hashes, the same
    /// for every kind of file.
    pub fn write_line(&self, out: &mut Vec<u8>) {
        for (index, value) in self.values.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            match value {
                Value::Null => {}
                Value::String(text) => out.extend_from_slice(text.as_bytes()),
                Value::Bytes(bytes) => out.extend_from_slice(bytes),
                // Writing to memory does not fail.
                other => drop(write!(out, "{other}")),
            }
        }
    }
}

/// Why there is no row.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RowError {
    /// Lines that are left out; reading goes on.
    #[error("line {}: {}", .0.first_line, .0.reason)]
    Rejected(Rejected),
    /// The file cannot be read any further.
    #[error("{0}")]
    Failed(String),
}

impl RowError {
    /// One line that is left out.
    pub fn rejected(line: u64, reason: impl Into<String>) -> Self {
        Self::Rejected(Rejected { reason: reason.into(), rows: 1, first_line: line })
    }
}
