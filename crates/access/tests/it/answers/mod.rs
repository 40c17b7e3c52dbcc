//! Random workloads, designs and statements: every answer is the one that SQLite gives on the same data.

mod plans;
mod trial;

use std::sync::Arc;

use tablesmith_engine::{Engine, EngineOptions};

use crate::random::seed;
use crate::stores::{far, memory};
use trial::trial;

/// The seeds of a run: the one that is asked for, else these.
fn seeds(usual: std::ops::RangeInclusive<u64>) -> Vec<u64> {
    match std::env::var("TABLESMITH_SEED") {
        Ok(_) => vec![seed()],
        Err(_) => usual.collect(),
    }
}

/// A directory in memory where the system has one: making many tables waits for the disk, and nothing here is about what
/// survives a crash.
fn directory() -> tempfile::TempDir {
    let in_memory = tempfile::tempdir_in("/dev/shm");
    in_memory.or_else(|_| tempfile::tempdir()).unwrap()
}

/// Trials that share a store: one that has many tables takes longer to make another.
const AT_A_TIME: usize = 10;

#[tokio::test]
async fn the_embedded_store_answers_as_sqlite_does() {
    for seeds in seeds(1..=200).chunks(AT_A_TIME) {
        let directory = directory();
        let engine = Engine::open(EngineOptions::new(directory.path())).unwrap();
        for seed in seeds {
            trial(&engine, *seed, &format!("s{seed}")).await;
        }
    }
}

#[tokio::test]
async fn the_memory_store_answers_as_sqlite_does() {
    for seed in seeds(1_001..=1_060) {
        trial(&memory(), seed, "s").await;
    }
}

#[tokio::test]
async fn a_store_that_writes_one_row_at_a_time_answers_as_sqlite_does() {
    for seed in seeds(2_001..=2_020) {
        trial(&far(Arc::new(memory())), seed, "s").await;
    }
}
