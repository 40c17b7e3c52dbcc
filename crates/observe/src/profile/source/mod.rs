//! Where rows come from: a file of some format, read batch by batch.

mod batch;
mod csv;
mod format;
mod header;
mod json_lines;
mod parquet;

use std::path::Path;

use tablesmith_model::value::ValueType;

pub use batch::{Batch, Kind};
pub use format::Format;

use super::ProfileError;
use super::found::BadLine;

/// A file whose rows are read in order.
pub trait Source {
    /// The columns known so far, in their order. More may come while reading.
    fn columns(&self) -> &[String];

    /// The type that the file itself gives a column.
    fn declared(&self, _column: usize) -> Option<ValueType> {
        None
    }

    /// The next rows; `None` at the end.
    fn next(&mut self) -> Result<Option<Batch>, ProfileError>;

    /// Bytes read so far and in all.
    fn position(&self) -> (u64, u64);

    /// The lines that were left out so far.
    fn bad_lines(&self) -> &BadLines;
}

/// Opens a data file.
pub fn open(path: &Path) -> Result<Box<dyn Source>, ProfileError> {
    match format::of(path)? {
        Format::Csv => Ok(Box::new(csv::Csv::open(path)?)),
        Format::Parquet => Ok(Box::new(parquet::Parquet::open(path)?)),
        Format::JsonLines => Ok(Box::new(json_lines::JsonLines::open(path)?)),
    }
}

/// Lines that were left out: how many, and the first of them.
#[derive(Clone, Debug, Default)]
pub struct BadLines {
    /// How many.
    pub count: u64,
    /// The first.
    pub first: Vec<BadLine>,
}

impl BadLines {
    /// So many are shown.
    const SHOWN: usize = 10;
    /// So much of a line is shown.
    const SHOWN_CHARACTERS: usize = 120;

    /// Adds a line.
    pub fn add(&mut self, line: u64, message: impl Into<String>, text: &[u8]) {
        self.count += 1;
        if self.first.len() < Self::SHOWN {
            self.first.push(BadLine { line, message: message.into(), text: beginning(text) });
        }
    }
}

/// The beginning of a line, as far as it is shown.
pub fn beginning(text: &[u8]) -> String {
    let head = text.get(..BadLines::SHOWN_CHARACTERS * 4).unwrap_or(text);
    let line = String::from_utf8_lossy(head);
    let line = line.lines().next().unwrap_or_default();
    let shown: String = line.chars().take(BadLines::SHOWN_CHARACTERS).collect();
    if shown.len() < line.len() || head.len() < text.len() { format!("{shown}…") } else { shown }
}
