//! How often chance is taken for a difference, and a difference for chance.

use std::sync::Arc;

use tablesmith_verify::evidence::LEVEL;
use tablesmith_verify::replay::{QUERIES, REPEATS};

use crate::simulated::{Simulated, replay_of, run};

/// Replays a design and one that is slower by a factor; whether they are called different.
async fn is_different(queries: u64, slowness: f64, seed: u64) -> bool {
    let subjects = vec![Arc::new(Simulated::new(seed, 1.0)), Arc::new(Simulated::new(!seed, slowness))];
    let calls = queries.div_ceil(REPEATS as u64);
    let (_, evidence) = run(replay_of(calls, subjects, queries as usize, seed)).await;
    evidence.pairs[0].p < LEVEL
}

/// The level is 0.01: of 1,000 runs some 10 are expected, and 24 or more come in one case of 10,000.
#[tokio::test]
async fn identical_designs_are_seldom_called_different() {
    for queries in [50, 200] {
        let mut different = 0;
        for seed in 0..1_000 {
            different += u32::from(is_different(queries, 1.0, seed).await);
        }
        assert!(different < 24, "{different} of 1,000 runs of {queries} queries");
    }
}

#[tokio::test]
async fn a_difference_of_5_percent_is_found() {
    let queries = QUERIES as u64;
    let mut found = 0;
    for seed in 0..20 {
        found += u32::from(is_different(queries, 1.05, seed).await);
    }
    assert!(found >= 18, "found in {found} of 20 runs of {queries} queries");
}
