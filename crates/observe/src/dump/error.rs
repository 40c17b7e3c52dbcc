//! Why a dump cannot be read.

use std::io;
use std::path::{Path, PathBuf};

/// A dump that cannot be read, or whose rows cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// The dump cannot be opened or read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// Its path.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file for its rows cannot be written.
    #[error("cannot write the rows of the dump to {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file for its rows is there already.
    #[error("{} exists already, and the rows of the dump would go there: move it away, or say --force", .0.display())]
    Exists(PathBuf),
}

impl DumpError {
    /// Reading went wrong; the path is filled in where it is known.
    pub(super) fn reading(error: io::Error) -> Self {
        Self::Read { path: PathBuf::new(), error }
    }

    pub(super) fn in_dump(self, dump: &Path) -> Self {
        match self {
            Self::Read { error, .. } => Self::Read { path: dump.to_owned(), error },
            other => other,
        }
    }
}
