//! What the storage below reports, in sentences for the user.

use std::io;
use std::path::Path;

use tablesmith_model::bytes_text::to_text;
use tablesmith_store::StoreError;

use crate::integrity::Damage;
use crate::integrity::keyspace::{self, Depth};

/// An error of the storage below, once it is open.
pub(crate) fn from_fjall(error: fjall::Error) -> StoreError {
    match error {
        fjall::Error::Io(error) => from_io(&error),
        fjall::Error::Storage(error) => from_lsm(&error),
        fjall::Error::Poisoned => StoreError::Io(earlier_write_failed("the store")),
        fjall::Error::KeyspaceDeleted => StoreError::DoNotRetry("the table was dropped meanwhile".to_owned()),
        fjall::Error::Locked => StoreError::Locked("another process has the store open".to_owned()),
        other => damaged(&problem_of_fjall(&other)),
    }
}

/// An error of a write to the store in a directory.
pub(crate) fn from_write(dir: &Path, error: fjall::Error) -> StoreError {
    match &error {
        fjall::Error::Poisoned => StoreError::Io(earlier_write_failed(&dir.display().to_string())),
        other => match io_cause(other) {
            Some(io) => from_io_at(dir, io),
            None => from_fjall(error),
        },
    }
}

fn earlier_write_failed(what: &str) -> String {
    format!(
        "an earlier write to {what} failed in the background, most likely because its disk is full or faulty, so \
         nothing more is written: make room there, then run the command again (acknowledged writes are kept)"
    )
}

/// An error of reading a family's cells: names the damaged file and the table, which the storage below does not.
pub(crate) fn from_read(keyspace: &fjall::Keyspace, family: &[u8], error: fjall::Error) -> StoreError {
    let is_damage = matches!(
        &error,
        fjall::Error::Storage(error) if io_cause(error).is_none_or(|io| io.kind() == io::ErrorKind::UnexpectedEof)
    );
    if !is_damage {
        return from_fjall(error);
    }
    let dir = keyspace.path().parent().and_then(Path::parent).unwrap_or(keyspace.path());
    let tables = crate::backup::Backup::read(dir).map(|backup| backup.tables_of_keyspace(keyspace.name()));
    let what = match tables.as_deref() {
        Some([table, ..]) => table.clone(),
        _ => format!("family {}", to_text(family)),
    };
    let file = damaged_file(keyspace, &error);
    StoreError::Corrupt(format!(
        "{what} is damaged: {file}; `tablesmith store salvage` copies out what can still be read"
    ))
}

/// The file behind an error of reading a keyspace, and what is wrong with it. In a copy for reading, which links to the
/// files of the store, it is the store's own file.
pub(crate) fn damaged_file(keyspace: &fjall::Keyspace, error: &fjall::Error) -> String {
    let damage = keyspace::check(keyspace.id(), keyspace.path(), Depth::Full).unwrap_or_default();
    match damage.into_iter().next() {
        Some(damage) => {
            let path = std::fs::canonicalize(&damage.path).unwrap_or_else(|_| damage.path.clone());
            Damage { path, ..damage }.to_string()
        }
        None => format!("{}: {}", keyspace.path().display(), problem_of_fjall(error)),
    }
}

fn from_lsm(error: &lsm_tree::Error) -> StoreError {
    match io_cause(error) {
        Some(io) => from_io(io),
        None => damaged(&problem_of_lsm(error)),
    }
}

fn damaged(problem: &str) -> StoreError {
    StoreError::Corrupt(format!(
        "the store's files are damaged ({problem}): `tablesmith store check DIR` names them"
    ))
}

/// The error of the operating system behind an error of the storage below.
pub(crate) fn io_cause<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a io::Error> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(io) = error.downcast_ref::<io::Error>() {
            return Some(io);
        }
        cause = error.source();
    }
    None
}

/// What is wrong, without the numbers that only the storage below understands.
pub(crate) fn problem_of_fjall(error: &fjall::Error) -> String {
    match error {
        fjall::Error::Storage(error) => problem_of_lsm(error),
        fjall::Error::JournalRecovery(_) => "a journal cannot be read".to_owned(),
        fjall::Error::InvalidTrailer | fjall::Error::InvalidTag(_) => "a record cannot be read".to_owned(),
        fjall::Error::Decompress(_) => "a value cannot be decompressed".to_owned(),
        _ => "a file cannot be read".to_owned(),
    }
}

fn problem_of_lsm(error: &lsm_tree::Error) -> String {
    match error {
        lsm_tree::Error::ChecksumMismatch { .. } => "a checksum does not match".to_owned(),
        lsm_tree::Error::Decompress(_) => "a block cannot be decompressed".to_owned(),
        _ => "a file cannot be read".to_owned(),
    }
}

/// An I/O error.
pub(crate) fn from_io(error: &io::Error) -> StoreError {
    use io::ErrorKind;
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            StoreError::Io(format!("the disk is full, nothing of this write was acknowledged: {error}"))
        }
        ErrorKind::InvalidData | ErrorKind::UnexpectedEof => {
            StoreError::Corrupt(format!("a file of the store is damaged: {error}"))
        }
        _ => StoreError::Io(format!("reading or writing the store failed: {error}{}", advice(error))),
    }
}

/// An I/O error at a file or directory.
pub(crate) fn from_io_at(path: &Path, error: &io::Error) -> StoreError {
    use io::ErrorKind;
    let path = path.display();
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            StoreError::Io(format!("the disk of {path} is full: make room and try again ({error})"))
        }
        ErrorKind::InvalidData | ErrorKind::UnexpectedEof => {
            StoreError::Corrupt(format!("{path} is damaged: {error}"))
        }
        _ => StoreError::Io(format!("cannot read or write {path}: {error}{}", advice(error))),
    }
}

/// What to do about errors that are not the disk's.
fn advice(error: &io::Error) -> &'static str {
    const TOO_MANY_OPEN_FILES: [i32; 2] = [23, 24];
    match error.raw_os_error() {
        Some(code) if cfg!(unix) && TOO_MANY_OPEN_FILES.contains(&code) => {
            "; raise the limit on open files (ulimit -n)"
        }
        _ => "",
    }
}

/// A cell that cannot be decoded.
pub(crate) fn damaged_cell(family: &[u8]) -> StoreError {
    StoreError::Corrupt(format!("a stored cell of family {} is damaged", to_text(family)))
}
