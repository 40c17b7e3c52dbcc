//! Why a log cannot be read at all. A line that cannot be understood is no such reason.

use std::path::PathBuf;

use thiserror::Error;

/// Why a log cannot be read.
#[derive(Debug, Error)]
pub enum LogError {
    /// The file cannot be opened or read.
    #[error("cannot read the log {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A directory was named.
    #[error("{0} is a directory: name the log itself")]
    Directory(PathBuf),
    /// The file is no text.
    #[error("the log {0} is a binary file: expected SQL, JSON lines, CSV, or a log of PostgreSQL or MySQL")]
    Binary(PathBuf),
    /// The text is UTF-16.
    #[error("the log {0} is UTF-16: convert it to UTF-8 first")]
    Utf16(PathBuf),
    /// The file is compressed.
    #[error("the log {0} is compressed: unpack it first")]
    Compressed(PathBuf),
    /// The order of the log's calls could not be kept.
    #[error(
        "cannot keep the order of the log in a temporary file: {0}; make room in the directory for temporary files"
    )]
    Temporary(std::io::Error),
    /// CSV whose header names no column with statements.
    #[error("the header of {path} names no column with statements: call one of them {expected}")]
    NoStatementColumn {
        /// The file.
        path: PathBuf,
        /// The names that are understood.
        expected: String,
    },
}
