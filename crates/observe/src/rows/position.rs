//! How far a file has been read, for others to look at while it is read on another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How far a file has been read.
#[derive(Clone, Debug, Default)]
pub struct Position {
    read: Arc<AtomicU64>,
    bytes: u64,
}

impl Position {
    pub(super) fn new(bytes: u64) -> Self {
        Self { bytes, ..Self::default() }
    }

    pub(super) fn set(&self, read: u64) {
        self.read.store(read, Ordering::Relaxed);
    }

    /// Bytes that were read.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// All bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}
