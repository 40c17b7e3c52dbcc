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
    /// The file is no text of SQL.
    #[error("{} is no SQL: {what}", path.display())]
    OtherFormat {
        /// Its path.
        path: PathBuf,
        /// What it is, and what to do.
        what: &'static str,
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

/// What a file is that is no text of SQL, by its first bytes, and what to do.
pub(super) fn other_format(beginning: &[u8]) -> Option<&'static str> {
    let formats: [(&[u8], &str); 6] = [
        (b"\x1F\x8B", "it is compressed: unpack it with gunzip first"),
        (b"BZh", "it is compressed: unpack it with bunzip2 first"),
        (b"\x28\xB5\x2F\xFD", "it is compressed: unpack it with unzstd first"),
        (b"PGDMP", "it is PostgreSQL's custom format: make text of it with `pg_restore -f dump.sql`"),
        (b"SQLite format 3", "it is a database of SQLite: dump it with `sqlite3 FILE .dump`"),
        (b"<?xml", "it is XML: dump the database as SQL"),
    ];
    let utf16 = [&b"\xFF\xFE"[..], b"\xFE\xFF"].iter().any(|mark| beginning.starts_with(mark));
    let known = formats.iter().find(|(head, _)| beginning.starts_with(head)).map(|(_, what)| *what);
    known.or(utf16.then_some("it is UTF-16: make UTF-8 of it with iconv"))
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
