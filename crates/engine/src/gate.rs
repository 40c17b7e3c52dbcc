//! Lets writes through: before the first one of a process the checkpoint says that the journals may grow.
//!
//! A process that only reads never passes the gate, and leaves every file as it is.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use fjall::Database;
use tablesmith_store::StoreError;

use crate::checkpoint::{Checkpoint, JournalMark, State};
use crate::error::from_io_at;

/// The gate of one open store.
#[derive(Debug)]
pub(crate) struct WriteGate {
    dir: PathBuf,
    /// Why nothing may be written.
    closed_because: Option<String>,
    is_open: AtomicBool,
    /// The journals as they were found, until the gate opens.
    marks: Mutex<Vec<JournalMark>>,
}

impl WriteGate {
    pub fn new(dir: PathBuf, marks: Vec<JournalMark>) -> Self {
        Self { dir, closed_because: None, is_open: AtomicBool::new(false), marks: Mutex::new(marks) }
    }

    /// A gate that lets nothing through.
    pub fn read_only(dir: PathBuf, because: String) -> Self {
        Self { closed_because: Some(because), ..Self::new(dir, Vec::new()) }
    }

    pub fn is_read_only(&self) -> bool {
        self.closed_because.is_some()
    }

    /// Whether this process has written, or may have.
    pub fn is_open(&self) -> bool {
        self.is_open.load(Ordering::Acquire)
    }

    /// To be called before every write.
    #[inline]
    pub fn pass(&self, db: &Database) -> Result<(), StoreError> {
        if self.is_open() { Ok(()) } else { self.open(db) }
    }

    #[cold]
    fn open(&self, db: &Database) -> Result<(), StoreError> {
        if let Some(because) = &self.closed_because {
            return Err(StoreError::DoNotRetry(because.clone()));
        }
        let mut marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_open() {
            return Ok(());
        }
        // Numbers from here on are at least the next one.
        let seqno = db.seqno().saturating_sub(1);
        Checkpoint::new(State::Open, seqno, marks.clone())
            .write(&self.dir)
            .map_err(|error| from_io_at(&self.dir, &error))?;
        marks.clear();
        self.is_open.store(true, Ordering::Release);
        Ok(())
    }
}
