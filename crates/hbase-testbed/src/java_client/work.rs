//! What the Java client can be told to do.

use std::fmt;

/// Which of the Java client's ways to use. The fastest one differs from task to task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// `Table`, in as many threads as operations may be in flight; for scans its scanner.
    Blocking,
    /// `AsyncTable`, started from one thread; for scans its scanner.
    Async,
    /// `BufferedMutator`, for batches.
    Mutator,
    /// `Table`'s scanner that fetches ahead, for scans.
    Prefetch,
}

/// A column that is scanned, by names without spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScannedColumn {
    /// Its family.
    pub family: String,
    /// Its name in it.
    pub qualifier: String,
    /// Versions of a cell that are read at most.
    pub versions: u32,
}

/// One command. Rows are those of [`rows`](super::rows), by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// Creates a table with the family of the rows.
    Create {
        /// Its name.
        table: String,
        /// How many regions it begins with.
        regions: u32,
    },
    /// Disables and drops a table.
    Drop {
        /// Its name.
        table: String,
    },
    /// Single puts; an operation is a put.
    Put {
        /// Into which table.
        table: String,
        /// The number of the first row.
        first: u64,
        /// How many rows.
        count: u64,
        /// How many at a time.
        in_flight: u32,
        /// How long each value is.
        value_bytes: u32,
        /// How.
        way: Way,
    },
    /// Single gets of rows drawn at random, which must be there; an operation is a get.
    Get {
        /// From which table.
        table: String,
        /// How many gets.
        count: u64,
        /// How many at a time.
        in_flight: u32,
        /// Draw from the rows with smaller numbers than this.
        rows: u32,
        /// How.
        way: Way,
    },
    /// Puts in batches; an operation is a batch.
    Batch {
        /// Into which table.
        table: String,
        /// The number of the first row.
        first: u64,
        /// How many rows in all.
        count: u64,
        /// How many rows in a batch.
        batch: u32,
        /// How many batches at a time.
        in_flight: u32,
        /// How many columns in a row.
        columns: u32,
        /// How long each value is.
        value_bytes: u32,
        /// How.
        way: Way,
    },
    /// Reads a table.
    Scan {
        /// Which one.
        table: String,
        /// What of it; without it, everything.
        column: Option<ScannedColumn>,
        /// How.
        way: Way,
    },
    /// Single puts of which the progress can be watched, to kill a server in the middle; the answer of interest is
    /// [`longest_gap`](super::Measured::longest_gap).
    Stall {
        /// Into which table.
        table: String,
        /// The number of the first row.
        first: u64,
        /// How many rows.
        count: u64,
        /// How many at a time.
        in_flight: u32,
        /// How long each value is.
        value_bytes: u32,
    },
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blocking => "blocking",
            Self::Async => "async",
            Self::Mutator => "mutator",
            Self::Prefetch => "prefetch",
        })
    }
}

/// As `Work.java` reads it.
impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Create { table, regions } => write!(f, "create {table} {regions}"),
            Self::Drop { table } => write!(f, "drop {table}"),
            Self::Put { table, first, count, in_flight, value_bytes, way } => {
                write!(f, "put {table} {first} {count} {in_flight} {value_bytes} {way}")
            }
            Self::Get { table, count, in_flight, rows, way } => {
                write!(f, "get {table} {count} {in_flight} {rows} {way}")
            }
            Self::Batch { table, first, count, batch, in_flight, columns, value_bytes, way } => {
                write!(f, "batch {table} {first} {count} {batch} {in_flight} {columns} {value_bytes} {way}")
            }
            Self::Scan { table, column: None, way } => write!(f, "scan {table} {way}"),
            Self::Scan { table, column: Some(ScannedColumn { family, qualifier, versions }), way } => {
                write!(f, "scan {table} {way} {family} {qualifier} {versions}")
            }
            Self::Stall { table, first, count, in_flight, value_bytes } => {
                write!(f, "stall {table} {first} {count} {in_flight} {value_bytes}")
            }
        }
    }
}
