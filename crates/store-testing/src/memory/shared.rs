//! What a store and its scanners share: the state, and the clock.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tablesmith_model::Timestamp;
use tablesmith_store::Clock;

use super::cluster::Cluster;

/// The state of a store, for one at a time.
#[derive(Debug)]
pub(super) struct Shared {
    cluster: Mutex<Cluster>,
    clock: Arc<dyn Clock>,
}

impl Shared {
    /// An empty store.
    pub(super) fn new(clock: Arc<dyn Clock>, servers: usize) -> Self {
        Self { cluster: Mutex::new(Cluster::new(servers)), clock }
    }

    /// The state. A panic elsewhere leaves it as it is: every change is made by one call that does not fail half-way.
    pub(super) fn lock(&self) -> MutexGuard<'_, Cluster> {
        self.cluster.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The present time.
    pub(super) fn now_ms(&self) -> Timestamp {
        self.clock.now_ms()
    }
}
