//! A row of a data file with typed values, and why a row is none.

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

/// The values of a row as a line, with commas between them: what `md5_line_mod` hashes. A row need not come from a line of
/// text, and rows with the same values get the same key however they were written.
pub fn line_of(values: &[Value]) -> Vec<u8> {
    let mut line = Vec::new();
    write_line(values, &mut line);
    line
}

/// Appends that line.
pub fn write_line(values: &[Value], out: &mut Vec<u8>) {
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        crate::key::digest::append_text(value, out);
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
