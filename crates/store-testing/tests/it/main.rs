//! The tests of this crate that need a whole store: one binary, so that it is linked once.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that panics has failed"
)]

mod conformance;
mod flawed;
mod sequence;
mod wrap;

use std::sync::Arc;

use tablesmith_model::TableName;
use tablesmith_store::ManualClock;
use tablesmith_store_testing::memory::MemoryStore;

/// A day in 2023: the suite takes timestamps from 2001 on for those of a store's clock.
const PRESENT_MS: i64 = 1_700_000_000_000;

/// A store in memory with three servers.
fn memory() -> MemoryStore {
    MemoryStore::new(Arc::new(ManualClock::at(PRESENT_MS)), 3)
}

/// The name of a table in the default namespace.
fn table(name: &str) -> TableName {
    name.parse().unwrap()
}
