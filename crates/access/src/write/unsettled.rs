//! What a writer knows of moves that stopped clients have left.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::moves::Logged;

/// The log of moves, as far as it was read.
#[derive(Debug, Default)]
pub(crate) struct Unsettled(Mutex<Known>);

#[derive(Debug, Default)]
enum Known {
    /// Nobody has looked, or a move has begun since.
    #[default]
    Unknown,
    /// It was read a moment ago.
    Read(Vec<Logged>),
    /// This writer has left nothing, and has looked after what others had.
    Settled,
}

impl Unsettled {
    /// Whether this writer has nothing to look after.
    pub fn is_settled(&self) -> bool {
        matches!(*self.lock(), Known::Settled)
    }

    /// What was read of the log a moment ago; others may write to it, so that it counts once.
    pub fn take(&self) -> Option<Vec<Logged>> {
        let mut known = self.lock();
        match std::mem::take(&mut *known) {
            Known::Read(logged) => Some(logged),
            other => {
                *known = other;
                None
            }
        }
    }

    /// Remembers what was read of the log.
    pub fn note(&self, logged: Vec<Logged>) {
        *self.lock() = Known::Read(logged);
    }

    /// Nothing is left to do.
    pub fn nothing_left(&self) {
        *self.lock() = Known::Settled;
    }

    /// A move begins.
    pub fn forget(&self) {
        *self.lock() = Known::Unknown;
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
