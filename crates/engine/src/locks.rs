//! Row locks: whoever writes to a row, or reads it in order to write, holds its lock.

use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHasher;

/// Locks for all rows of a table, shared by rows with the same hash.
#[derive(Debug)]
pub(crate) struct RowLocks(Box<[Mutex<()>]>);

/// A power of two, far above the number of threads: rows that do not meet seldom wait for each other.
const STRIPES: usize = 1 << 10;

/// The hash by which a row is locked and remembered.
pub(crate) fn row_hash(row: &[u8]) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(row)
}

impl Default for RowLocks {
    fn default() -> Self {
        Self((0..STRIPES).map(|_| Mutex::new(())).collect())
    }
}

impl RowLocks {
    /// Locks one row.
    pub fn lock(&self, row_hash: u64) -> Option<MutexGuard<'_, ()>> {
        self.stripe(stripe_of(row_hash))
    }

    /// Locks many rows, always in the same order, so that two callers never wait for each other in a circle.
    pub fn lock_all(&self, row_hashes: impl IntoIterator<Item = u64>) -> Vec<MutexGuard<'_, ()>> {
        let mut stripes: Vec<usize> = row_hashes.into_iter().map(stripe_of).collect();
        stripes.sort_unstable();
        stripes.dedup();
        stripes.into_iter().filter_map(|stripe| self.stripe(stripe)).collect()
    }

    fn stripe(&self, stripe: usize) -> Option<MutexGuard<'_, ()>> {
        // The lock guards no data, so one that was held by a thread that panicked is as good as any.
        self.0.get(stripe).map(|lock| lock.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn stripe_of(row_hash: u64) -> usize {
    usize::try_from(row_hash % STRIPES as u64).unwrap_or_default()
}
