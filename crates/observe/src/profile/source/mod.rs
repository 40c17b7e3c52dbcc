//! Where rows come from: a file of some format, read batch by batch.

mod batch;
mod csv;
mod format;
mod header;
mod json_lines;
mod parquet;

use std::collections::BTreeMap;
use std::path::Path;

use tablesmith_model::evidence::Rejected;
use tablesmith_model::value::ValueType;

pub use batch::{Batch, Kind};
pub use format::{Format, of as format_of};
pub use parquet::ParquetLimit;

use super::ProfileError;
use super::found::BadLine;

/// A file whose rows are read in order.
pub trait Source: Send {
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
    /// How many for each reason, and the first line of them.
    by_reason: BTreeMap<String, (u64, u64)>,
}

impl BadLines {
    /// So many are shown.
    const SHOWN: usize = 10;
    /// So much of a line is shown.
    const SHOWN_CHARACTERS: usize = 120;
    /// So many reasons are told apart.
    const REASONS: usize = 100;

    /// Adds a line.
    pub fn add(&mut self, line: u64, message: impl Into<String>, text: &[u8]) {
        let message = message.into();
        self.count += 1;
        let is_told_apart = self.by_reason.len() < Self::REASONS || self.by_reason.contains_key(&message);
        let reason = if is_told_apart { message.as_str() } else { "other lines that do not fit" };
        match self.by_reason.get_mut(reason) {
            Some((lines, _)) => *lines += 1,
            None => drop(self.by_reason.insert(reason.to_owned(), (1, line))),
        }
        if self.first.len() < Self::SHOWN {
            self.first.push(BadLine { line, message, text: beginning(text) });
        }
    }

    /// The lines, counted by reason.
    pub fn reasons(&self) -> impl Iterator<Item = Rejected> {
        let rejected = |(reason, (rows, first_line)): (&String, &(u64, u64))| Rejected {
            reason: reason.clone(),
            rows: *rows,
            first_line: *first_line,
        };
        self.by_reason.iter().map(rejected)
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
