//! Random operations on the embedded engine and on a real HBase: the same answers.

use std::sync::Arc;

use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_store::sequence::{SequenceConfig, compare, generate, shrink};
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use crate::support::{number_from_env, soaking, store};

/// Sequences in an ordinary run, and in a soak.
const SEQUENCES: u64 = 150;
const SOAK_SEQUENCES: u64 = 2_000;
/// Most of a sequence's time HBase makes, changes and drops its table: several do so at once.
const AT_ONCE: usize = 8;

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
            loop {
                let Some(seed) = seeds.lock().await.next() else { return Ok(()) };
                let sequence = generate(seed, &SequenceConfig::own_clocks());
                if let Err(difference) = compare(&engine, &cluster, &[], &sequence).await {
                    return Err(match std::env::var_os("TABLESMITH_SHRINK") {
                        Some(_) => shrink(&engine, &cluster, &[], difference).await,
                        None => difference,
                    });
                }
            }
        });
    }
    let differences: Vec<String> =
        workers.join_all().await.into_iter().filter_map(|result| Some(result.err()?.to_string())).collect();
    assert!(differences.is_empty(), "left: embedded, right: HBase\n{}", differences.join("\n\n"));
}
