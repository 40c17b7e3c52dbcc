//! The store of the tests.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use tablesmith_store::{Clock, Store, SystemClock};
use tablesmith_store_testing::memory::MemoryStore;

/// A clock that never shows a time twice: between two commands to a real cluster some time passes as well.
#[derive(Debug)]
struct TickingClock(AtomicI64);

impl Clock for TickingClock {
    fn now_ms(&self) -> i64 {
        self.0.fetch_add(1, Ordering::SeqCst)
    }
}

/// A store in memory on three servers, without tables.
pub fn ticking_store() -> Arc<dyn Store> {
    let clock = TickingClock(AtomicI64::new(SystemClock.now_ms()));
    Arc::new(MemoryStore::new(Arc::new(clock), 3))
}
