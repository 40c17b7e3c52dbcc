//! One process at a time: a lock on the store's directory, taken before anything in it is looked at.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use tablesmith_store::StoreError;

use crate::error::from_io_at;

const FILE: &str = "tablesmith.lock";
/// A process that is about to end gets this long to do so.
const ATTEMPTS: u32 = 4;
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(100);

/// The lock; released when dropped.
#[derive(Debug)]
pub(crate) struct DirLock {
    _file: File,
}

impl DirLock {
    /// For the only process that may write.
    pub fn exclusive(dir: &Path) -> io::Result<Result<Self, StoreError>> {
        let path = dir.join(FILE);
        let file = OpenOptions::new().create(true).write(true).truncate(false).open(&path)?;
        Ok(Self::acquire(dir, file, File::try_lock))
    }

    /// For processes that only read; `None` when no process ever locked the directory for writing.
    pub fn shared(dir: &Path) -> Result<Option<Self>, StoreError> {
        match File::open(dir.join(FILE)) {
            Ok(file) => Self::acquire(dir, file, File::try_lock_shared).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(from_io_at(&dir.join(FILE), &error)),
        }
    }

    fn acquire(
        dir: &Path,
        file: File,
        try_lock: impl Fn(&File) -> Result<(), TryLockError>,
    ) -> Result<Self, StoreError> {
        for attempt in 1..=ATTEMPTS {
            match try_lock(&file) {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::Error(error)) => return Err(from_io_at(&dir.join(FILE), &error)),
                Err(TryLockError::WouldBlock) if attempt < ATTEMPTS => sleep(BETWEEN_ATTEMPTS),
                Err(TryLockError::WouldBlock) => {}
            }
        }
        Err(locked(dir))
    }
}

/// What is said when another process has the store.
pub(crate) fn locked(dir: &Path) -> StoreError {
    StoreError::Locked(format!(
        "another process has the store in {} open: end it, or choose another directory with --store embedded:DIR",
        dir.display()
    ))
}
