//! The time that passes inside the calls of a store.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tablesmith_access::Stopwatch;
use tablesmith_store::wrap::{Counting, Counts, Intercept, Op, Outcome};
use tablesmith_store::{Store, StoreError};

/// The time inside the store's calls, and what they were: designs are compared, not how cleverly their answers are put
/// together here.
#[derive(Default)]
pub struct StoreTime {
    counting: Counting,
    under_way: Arc<Mutex<UnderWay>>,
}

/// Calls that are under way. While there are several the time counts once.
#[derive(Default)]
struct UnderWay {
    calls: usize,
    since: Option<Stopwatch>,
    time: Duration,
}

/// A call that is under way until this is dropped, also when nobody waits for its answer any more.
pub struct Call(Arc<Mutex<UnderWay>>);

impl Call {
    fn begin(under_way: &Arc<Mutex<UnderWay>>) -> Self {
        let call = Self(Arc::clone(under_way));
        let mut now = call.0.lock().unwrap_or_else(PoisonError::into_inner);
        now.calls += 1;
        if now.calls == 1 {
            now.since = Some(Stopwatch::start());
        }
        drop(now);
        call
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        now.calls -= 1;
        if now.calls == 0
            && let Some(since) = now.since.take()
        {
            now.time += since.lap().time;
        }
    }
}

impl StoreTime {
    /// What was taken up to now.
    pub fn taken(&self) -> (Duration, Counts) {
        let time = self.under_way.lock().unwrap_or_else(PoisonError::into_inner).time;
        (time, self.counting.snapshot())
    }
}

#[async_trait]
impl Intercept for StoreTime {
    type Ticket = (<Counting as Intercept>::Ticket, Call);

    async fn before(&self, store: &dyn Store, op: &Op<'_>) -> Result<Self::Ticket, StoreError> {
        Ok((self.counting.before(store, op).await?, Call::begin(&self.under_way)))
    }

    async fn after(&self, (ticket, call): Self::Ticket, outcome: Outcome<'_>) -> Result<(), StoreError> {
        drop(call);
        self.counting.after(ticket, outcome).await
    }
}
