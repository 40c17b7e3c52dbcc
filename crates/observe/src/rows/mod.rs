//! Typed rows of a data file: CSV, JSON lines or Parquet, batch by batch, by the columns that a workload declares.
//!
//! A value that is not of its column's type rejects its row, with the line and the reason; a line that does not fit the
//! file's shape is rejected too. Reading goes on after it.

mod error;
mod position;

pub use error::RowsError;
pub use position::Position;

use std::collections::VecDeque;
use std::path::Path;

use tablesmith_model::source_row::{RowError, SourceRow};
use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::{Column, Table};

use crate::profile::ProfileError;
use crate::profile::source::{self, Batch, Format, Kind, Source};

/// Opens the data file of a table.
pub fn open(path: &Path, table: &Table) -> Result<Rows, RowsError> {
    let format = source::format_of(path)?;
    let source = source::open(path)?;
    if format != Format::JsonLines {
        let missing = |column: &&Column| !source.columns().contains(&column.name);
        if let Some(column) = table.columns.iter().find(missing) {
            let (path, table) = (path.to_owned(), table.name.clone());
            return Err(RowsError::NoColumn { path, table, column: column.name.clone() });
        }
    }
    let wanted = |column: &Column| Wanted { column: column.clone(), place: None };
    let columns = table.columns.iter().map(wanted).collect();
    let position = Position::new(source.position().1);
    Ok(Rows { source, position, columns, waiting: VecDeque::new(), is_done: false })
}

/// The rows of a data file, in its order.
pub struct Rows {
    source: Box<dyn Source>,
    position: Position,
    columns: Vec<Wanted>,
    waiting: VecDeque<Result<SourceRow, RowError>>,
    is_done: bool,
}

/// A column of the table, and which one of the file it is.
struct Wanted {
    column: Column,
    place: Option<usize>,
}

impl Rows {
    /// How far the file has been read; goes on with it.
    pub fn position(&self) -> Position {
        self.position.clone()
    }

    /// Reads the next batch, or finds that there is none.
    fn read(&mut self) -> Result<(), ProfileError> {
        match self.source.next()? {
            Some(batch) => self.take(&batch),
            None => {
                self.is_done = true;
                let bad_lines = self.source.bad_lines().reasons();
                self.waiting.extend(bad_lines.map(|rejected| Err(RowError::Rejected(rejected))));
            }
        }
        self.position.set(self.source.position().0);
        Ok(())
    }

    /// Makes rows of a batch, column by column.
    fn take(&mut self, batch: &Batch) {
        let line = |line: u64| SourceRow { line, values: Vec::with_capacity(self.columns.len()) };
        let mut rows: Vec<Result<SourceRow, RowError>> = batch.lines().map(|at| Ok(line(at))).collect();
        for wanted in &mut self.columns {
            // Columns of JSON lines come up while reading.
            let names = self.source.columns();
            let place = wanted.place.or_else(|| names.iter().position(|name| *name == wanted.column.name));
            wanted.place = place;
            let declared = place.and_then(|place| self.source.declared(place));
            let mut fields = place.into_iter().flat_map(|place| batch.column(place));
            for row in &mut rows {
                let (kind, bytes) = fields.next().unwrap_or((Kind::Null, &[]));
                let Ok(good) = row else { continue };
                match value(&wanted.column, declared, kind, bytes) {
                    Ok(value) => good.values.push(value),
                    Err(reason) => *row = Err(RowError::rejected(good.line, reason)),
                }
            }
        }
        self.waiting.extend(rows);
    }
}

impl Iterator for Rows {
    type Item = Result<SourceRow, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.waiting.is_empty() && !self.is_done {
            if let Err(error) = self.read() {
                self.is_done = true;
                return Some(Err(RowError::Failed(error.to_string())));
            }
        }
        self.waiting.pop_front()
    }
}

/// The value of a field, or a reason that is the same for all fields with this trouble.
fn value(column: &Column, declared: Option<ValueType>, kind: Kind, bytes: &[u8]) -> Result<Value, String> {
    if kind == Kind::Null {
        return Ok(Value::Null);
    }
    if column.value_type == ValueType::Bytes && declared == Some(ValueType::Bytes) {
        // Such a file holds the bytes themselves, not a text for them.
        return Ok(Value::Bytes(bytes.to_vec()));
    }
    let name = &column.name;
    let text =
        std::str::from_utf8(bytes).map_err(|_| format!("the column {name:?} has text that is not UTF-8"))?;
    Value::parse(column.value_type, text).map_err(|error| {
        format!("the column {name:?} has what is no {}: expected {}", error.value_type, error.expected)
    })
}
