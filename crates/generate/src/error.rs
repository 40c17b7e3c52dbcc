//! Why nothing could be made.

use std::io;
use std::path::PathBuf;

/// Data that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The scale is not a number that makes sense.
    #[error("the scale {0} makes no data: give a number from 0.0001 to 100")]
    Scale(f64),
    /// So many files are not made.
    #[error("the data cannot be divided over {0} files: give a number from 1 to 80")]
    Files(u32),
    /// The directory to write into is a file.
    #[error("{} is a file: name a directory to write into", .0.display())]
    NotADirectory(PathBuf),
    /// A file or directory cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// Its path.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}
