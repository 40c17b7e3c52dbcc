//! Random sequences: the store in memory does the same twice, and a wrong store does not.

use std::sync::Arc;

use tablesmith_store::{Clock, ManualClock};
use tablesmith_store_testing::memory::MemoryStore;
use tablesmith_store_testing::sequence::{SequenceConfig, compare_seeds};

use crate::flawed::{Flaw, Flawed};

fn pair() -> (Arc<ManualClock>, MemoryStore, MemoryStore) {
    let clock = Arc::new(ManualClock::at(0));
    let store = || MemoryStore::new(clock.clone(), 3);
    (Arc::clone(&clock), store(), store())
}

#[tokio::test]
async fn memory_stores_agree() {
    let (clock, left, right) = pair();
    let config = SequenceConfig { tables: 2, ..SequenceConfig::default() };
    for config in [SequenceConfig::default(), config] {
        let result = compare_seeds(&left, &right, &[&clock], 0..200, &config).await;
        assert!(result.is_ok(), "{}", result.unwrap_err());
    }
}

/// A clock that shows another time than the one it follows, as the clock of another machine would.
#[derive(Debug)]
struct Ahead(Arc<ManualClock>);

impl Clock for Ahead {
    fn now_ms(&self) -> i64 {
        self.0.now_ms() + 100_000_000_000
    }
}

/// Times that stores choose are not compared when their clocks are their own. The test's time is paused: the pauses
/// between steps cost none.
#[tokio::test(start_paused = true)]
async fn stores_with_own_clocks_agree() {
    let clock = Arc::new(ManualClock::at(0));
    let left = MemoryStore::new(clock.clone(), 3);
    let right = MemoryStore::new(Arc::new(Ahead(clock.clone())), 3);
    let result = compare_seeds(&left, &right, &[&clock], 0..100, &SequenceConfig::own_clocks()).await;
    assert!(result.is_ok(), "{}", result.unwrap_err());
    let exact = SequenceConfig { own_clocks: false, ..SequenceConfig::own_clocks() };
    assert!(compare_seeds(&left, &right, &[&clock], 0..100, &exact).await.is_err());
}

/// A difference found is small enough to read, and says how to find it again.
#[tokio::test]
async fn every_flaw_is_found_and_shrunk() {
    for flaw in Flaw::ALL {
        let (clock, left, right) = pair();
        let right = Flawed::new(right, flaw);
        let seeds = 0..2_000;
        let result = compare_seeds(&left, &right, &[&clock], seeds, &SequenceConfig::default()).await;
        let difference = result.expect_err(&format!("{flaw:?} is not found"));
        let text = difference.to_string();
        assert!(difference.sequence.steps.len() <= 6, "{flaw:?} is not shrunk: {text}");
        assert!(text.contains(&format!("seed {}", difference.sequence.seed)), "{text}");
        assert_ne!(difference.left, difference.right);
    }
}
