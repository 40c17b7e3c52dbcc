//! Is a directory a whole store? Looked at before anything is opened, without changing a file.
//!
//! ```text
//! DIR/version            "FJL" 3, written when the store was created
//! DIR/N.jnl              journals; the one with the highest number is active, the others are sealed
//! DIR/keyspaces/0/       fjall's list of keyspaces: id → name
//! DIR/keyspaces/1/       the engine's records of its tables (keyspace `meta`)
//! DIR/keyspaces/ID/      the cells of one family
//!     current            which manifest is valid, and its checksum
//!     vN                 a manifest: the table files with their checksums
//!     tables/N           a table file (sorted, immutable)
//! DIR/checkpoint.json    what the journals held when the store was closed or first written to (see `checkpoint`)
//! DIR/tables.json        a second copy of the table records, for reading a damaged store (see `backup`)
//! DIR/clock              no timestamp of this store is later than this (see `clock`)
//! DIR/orphans/           keyspaces that no record names, and ends of journals that were cut off, moved aside
//! ```
//! The storage below takes any unreadable record for the end of a journal and removes keyspaces that it does not know.
//! That is right after a crash and fatal after damage; telling the two apart is the business of this module.

pub(crate) mod inspect;
pub(crate) mod journal;
pub(crate) mod keyspace;
pub(crate) mod layout;
mod tail;

use std::fmt;
use std::path::{Path, PathBuf};

/// A file that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file or directory.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: String,
    /// The keyspace that it belongs to; `None` for journals and what concerns the whole store.
    pub keyspace: Option<u64>,
    /// Tables whose cells may be missing, as far as the records tell.
    pub tables: Vec<String>,
}

impl Damage {
    pub(crate) fn new(path: &Path, problem: impl Into<String>) -> Self {
        Self { path: path.to_owned(), problem: problem.into(), keyspace: None, tables: Vec::new() }
    }

    pub(crate) fn of_keyspace(keyspace: u64, path: &Path, problem: impl Into<String>) -> Self {
        Self { keyspace: Some(keyspace), ..Self::new(path, problem) }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)?;
        match self.tables.as_slice() {
            [] => Ok(()),
            tables => write!(f, " ({})", tables.join(", ")),
        }
    }
}
