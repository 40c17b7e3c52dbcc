//! Why a data file cannot be measured.

use std::io;
use std::path::PathBuf;

use super::source::ParquetLimit;

/// A data file that cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// The file cannot be opened or read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// Its path.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A directory was named.
    #[error("{} is a directory: name the data files in it", .0.display())]
    Directory(PathBuf),
    /// There is nothing in the file, not even a header.
    #[error("{} is empty: a CSV file begins with a line of column names", .0.display())]
    Empty(PathBuf),
    /// The file is not what it should be.
    #[error("{}:{}:{}: {}; expected {}", path.display(), misfit.line, misfit.column, misfit.message, misfit.expected)]
    Shape {
        /// Its path.
        path: PathBuf,
        /// What is wrong and where.
        misfit: Box<Misfit>,
    },
    /// A temporary file that could not be written or read.
    #[error(
        "cannot use a temporary file to compare rows: {0}; make room in the directory for temporary files, or name another one in TMPDIR"
    )]
    Temporary(io::Error),
    /// A Parquet file that its reader refuses.
    #[error("{} cannot be read as Parquet: {message}", path.display())]
    Parquet {
        /// Its path.
        path: PathBuf,
        /// What the reader says.
        message: String,
    },
    /// A Parquet file that would take too much memory.
    #[error("{}: {limit}", path.display())]
    ParquetLimit {
        /// Its path.
        path: PathBuf,
        /// Which limit, and what the file has instead.
        limit: ParquetLimit,
    },
}

/// A place in a text file that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The line, from 1.
    pub line: u64,
    /// The character of that line, from 1.
    pub column: u64,
    /// The beginning of the line itself.
    pub text: String,
    /// What is wrong.
    pub message: String,
    /// What is expected there.
    pub expected: String,
}
