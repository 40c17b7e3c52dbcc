//! One thing that is done to a store, and how many operations that is.

use std::fmt;

use tablesmith_model::cost::Operations;

use super::shape::Shape;

/// A call on a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Experiment {
    pub shape: Shape,
    pub task: Task,
    /// Families that it reads or writes.
    pub families: usize,
    /// Columns of each of them that it asks for or writes.
    pub columns: usize,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Reads a row by its key.
    Get,
    /// Reads so many rows side by side, over the borders of so many regions.
    Scan { rows: u64, borders: u64 },
    /// Writes so many rows in one call.
    Put { rows: u64 },
}

impl Experiment {
    /// What it takes.
    pub fn operations(&self) -> Operations {
        let (families, columns) = (self.families as f64, self.columns as f64);
        let width = self.shape.width as f64;
        let cell_bytes = self.shape.cell_bytes();
        let read = |rows: f64| Operations {
            calls: 1.0,
            rows,
            family_rows: rows * families,
            cells: rows * families * width,
            bytes: rows * families * width * cell_bytes,
            cells_returned: rows * families * columns,
            bytes_returned: rows * families * columns * cell_bytes,
            ..Operations::NONE
        };
        match self.task {
            Task::Get => Operations { seeks: families, ..read(1.0) },
            Task::Scan { rows, borders } => {
                let regions = borders as f64 + 1.0;
                Operations { regions, seeks: regions * families, ..read(rows as f64) }
            }
            Task::Put { rows } => {
                let cells_written = rows as f64 * families * columns;
                Operations {
                    calls: 1.0,
                    write_calls: 1.0,
                    puts: rows as f64,
                    family_puts: rows as f64 * families,
                    cells_written,
                    bytes_written: cells_written * cell_bytes,
                    ..Operations::NONE
                }
            }
        }
    }

    /// Whether whole families are asked for, rather than some of their columns.
    pub fn is_whole(&self) -> bool {
        self.columns == self.shape.width
    }
}

impl fmt::Display for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shape, task, families, columns } = self;
        match task {
            Task::Get => write!(f, "a get")?,
            Task::Scan { rows, borders: 0 } => write!(f, "a scan of {rows} rows")?,
            Task::Scan { rows, borders } => write!(f, "a scan of {rows} rows in {} regions", borders + 1)?,
            Task::Put { rows } => write!(f, "a put of {rows} rows")?,
        }
        write!(
            f,
            ", {columns} of {} columns of {} bytes in {families} of {} families",
            shape.width, shape.value_bytes, shape.families
        )
    }
}
