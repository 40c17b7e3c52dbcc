//! The time that passes inside the calls of a store: what a design takes, apart from what this program does with its answers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tablesmith_access::{Lap, Stopwatch};
use tablesmith_store::wrap::{Intercept, Op, Outcome};
use tablesmith_store::{OpStats, Store, StoreError};

/// Measures the time inside a store's calls and sums up what the store counts.
#[derive(Default)]
pub struct StoreTime(Arc<Mutex<CallsInFlight>>);

/// What the calls of a store took up to now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreUsage {
    /// The time inside calls.
    pub time: Duration,
    /// The time that they waited for a processor of this machine, where that is known.
    pub waited: Duration,
    /// What the store counted.
    pub stats: OpStats,
}

/// Calls that are under way. While there are several the time counts once.
#[derive(Default)]
struct CallsInFlight {
    calls: usize,
    since: Option<Stopwatch>,
    usage: StoreUsage,
}

/// A call that is under way until this is dropped, also when nobody waits for its answer any more.
pub struct CallInFlight(Arc<Mutex<CallsInFlight>>);

fn locked(in_flight: &Mutex<CallsInFlight>) -> MutexGuard<'_, CallsInFlight> {
    in_flight.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CallInFlight {
    fn begin(in_flight: &Arc<Mutex<CallsInFlight>>) -> Self {
        let mut now = locked(in_flight);
        now.calls += 1;
        if now.calls == 1 {
            now.since = Some(Stopwatch::start());
        }
        drop(now);
        Self(Arc::clone(in_flight))
    }
}

impl Drop for CallInFlight {
    fn drop(&mut self) {
        let mut now = locked(&self.0);
        now.calls -= 1;
        if now.calls == 0
            && let Some(since) = now.since.take()
        {
            let Lap { time, waited } = since.lap();
            now.usage.time += time;
            now.usage.waited += waited;
        }
    }
}

impl StoreTime {
    /// What was usage up to now.
    pub fn usage(&self) -> StoreUsage {
        locked(&self.0).usage
    }
}

#[async_trait]
impl Intercept for StoreTime {
    type Ticket = CallInFlight;

    async fn before(&self, _: &dyn Store, _: &Op<'_>) -> Result<CallInFlight, StoreError> {
        Ok(CallInFlight::begin(&self.0))
    }

    fn counted(&self, stats: &OpStats) {
        locked(&self.0).usage.stats += *stats;
    }

    async fn after(&self, call: CallInFlight, _: Outcome<'_>) -> Result<(), StoreError> {
        drop(call);
        Ok(())
    }
}
