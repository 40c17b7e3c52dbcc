//! Who is asked.

use std::time::Duration;

use async_trait::async_trait;
use tablesmith_store::{OpStats, StoreError};

/// A design on a store that can be asked a call.
#[async_trait]
pub trait Subject<C>: Send + Sync {
    /// Makes a call, and says what it answered and how long that took.
    async fn ask(&self, call: &C) -> Result<Outcome, StoreError>;
}

/// What a call answered. Only what is the same on every design may go into the hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Rows of the answer.
    pub rows: u64,
    /// A hash of the answer.
    pub hash: u64,
    /// The time of the calls to the store; neither planning nor hashing nor waiting for a processor is in it.
    pub time: Duration,
    /// The time that those calls waited for a processor of this machine, where that is known.
    pub waited: Duration,
    /// What the store counted.
    pub stats: OpStats,
}
