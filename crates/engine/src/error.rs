//! What the storage below reports, in sentences for the user.

use tablesmith_model::bytes_text::to_text;
use tablesmith_store::StoreError;

/// An error of the storage below, once it is open.
pub(crate) fn from_fjall(error: fjall::Error) -> StoreError {
    match error {
        fjall::Error::Io(error) => from_io(&error),
        fjall::Error::Storage(error) => from_lsm(error),
        fjall::Error::Poisoned => StoreError::Io(
            "an earlier write failed (see the message before), so nothing more is written: \
             make room or mend the disk, then open the store again"
                .to_owned(),
        ),
        fjall::Error::KeyspaceDeleted => StoreError::DoNotRetry("the table was removed meanwhile".to_owned()),
        fjall::Error::Locked => StoreError::Locked("another process has the store open".to_owned()),
        other => StoreError::Corrupt(format!("the store's files are damaged: {other:?}")),
    }
}

fn from_lsm(error: impl std::error::Error + 'static) -> StoreError {
    match std::error::Error::source(&error).and_then(|source| source.downcast_ref::<std::io::Error>()) {
        Some(io) => from_io(io),
        None => StoreError::Corrupt(format!("the store's files are damaged: {error:?}")),
    }
}

/// An I/O error.
pub(crate) fn from_io(error: &std::io::Error) -> StoreError {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            StoreError::Io(format!("the disk is full, nothing of this write was acknowledged: {error}"))
        }
        ErrorKind::InvalidData | ErrorKind::UnexpectedEof => {
            StoreError::Corrupt(format!("a file of the store is damaged: {error}"))
        }
        _ => StoreError::Io(format!("reading or writing the store failed: {error}")),
    }
}

/// A cell that cannot be decoded.
pub(crate) fn damaged_cell(family: &[u8]) -> StoreError {
    StoreError::Corrupt(format!("a stored cell of family {} is damaged", to_text(family)))
}
