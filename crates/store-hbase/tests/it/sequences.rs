//! Random operations on the embedded engine and on a real HBase: the same answers.

use std::sync::Arc;

use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_store_testing::sequence::{SequenceConfig, compare, generate, shrink};
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use crate::support::{number_from_env, soaking, store};

/// Sequences in an ordinary run, and in a soak.
const SEQUENCES: u64 = 150;
const SOAK_SEQUENCES: u64 = 2_000;
/// Most of a sequence's time HBase makes, changes and drops its table: several do so at once.
const AT_ONCE: usize = 8;

/// HBase flushes and compacts also when nobody asks, the more so on a busy machine, and a compaction forgets markers: so
/// many of a hundred sequences may differ once, if they do not differ again.
const ONCE_PERCENT: u64 = 5;

/// `TABLESMITH_SEED` begins at another seed, `TABLESMITH_SEQUENCES` runs another number of them, `TABLESMITH_SHRINK`
/// makes a difference smaller before it is told, which takes minutes.
#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_answers_as_the_engine_does() {
    let sequences =
        number_from_env("TABLESMITH_SEQUENCES").unwrap_or(if soaking() { SOAK_SEQUENCES } else { SEQUENCES });
    let first = number_from_env("TABLESMITH_SEED").unwrap_or(1);
    println!("seeds {first} to {}", first + sequences - 1);
    let directory = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions::new(directory.path())).unwrap();
    let cluster = store().await;
    let seeds = Arc::new(Mutex::new(first..first + sequences));
    let mut workers = JoinSet::new();
    for _ in 0..AT_ONCE {
        let (engine, cluster, seeds) = (engine.clone(), cluster.clone(), Arc::clone(&seeds));
        workers.spawn(async move {
            let mut once = Vec::new();
            loop {
                let Some(seed) = seeds.lock().await.next() else { return Ok(once) };
                let sequence = generate(seed, &SequenceConfig::own_clocks());
                let Err(difference) = compare(&engine, &cluster, &[], &sequence).await else { continue };
                println!("seed {seed} differs, and runs again\n{difference}");
                let Err(again) = compare(&engine, &cluster, &[], &sequence).await else {
                    once.push(difference.to_string());
                    continue;
                };
                return Err(match std::env::var_os("TABLESMITH_SHRINK") {
                    Some(_) => shrink(&engine, &cluster, &[], again).await,
                    None => again,
                });
            }
        });
    }
    let (mut once, mut always) = (Vec::new(), Vec::new());
    for result in workers.join_all().await {
        match result {
            Ok(differences) => once.extend(differences),
            Err(difference) => always.push(difference.to_string()),
        }
    }
    assert!(always.is_empty(), "left: embedded, right: HBase\n{}", always.join("\n\n"));
    println!("{} of {sequences} differed once and not again", once.len());
    let many = once.len() as u64 * 100 > sequences.max(100) * ONCE_PERCENT;
    assert!(!many, "left: embedded, right: HBase\n{}", once.join("\n\n"));
}
