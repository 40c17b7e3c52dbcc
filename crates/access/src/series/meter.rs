//! What work on a store took.

use std::time::Duration;

use tablesmith_store::{OpStats, StoreError};

use crate::stopwatch::Stopwatch;

/// Calls to a store, their time, and what the store counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meter {
    pub stats: OpStats,
    pub calls: u64,
    /// The time of the calls alone, without waiting for a processor.
    pub store_time: Duration,
    /// The time that those calls waited for a processor of this machine, where that is known.
    pub waited: Duration,
}

impl Meter {
    /// Waits for the store and counts the time that it takes.
    pub async fn timed<T>(
        &mut self,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let stopwatch = Stopwatch::start();
        let answer = call.await;
        let lap = stopwatch.lap();
        self.store_time += lap.time;
        self.waited += lap.waited;
        self.calls += 1;
        answer
    }

    /// With what others did at the same time: the longest counts.
    pub fn beside(self, other: Self) -> Self {
        let (mut stats, longer) = (self.stats, if self.store_time < other.store_time { other } else { self });
        stats += other.stats;
        Self { stats, calls: self.calls + other.calls, ..longer }
    }
}
