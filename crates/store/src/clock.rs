//! Where timestamps come from. Tests set the clock; everyone else reads the system's.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use tablesmith_model::Timestamp;

/// A source of the present time.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Milliseconds since 1970.
    fn now_ms(&self) -> Timestamp;
}

/// The system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> Timestamp {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::try_from(since_epoch.as_millis()).unwrap_or(Timestamp::MAX)
    }
}

/// A clock that stands until it is set.
#[derive(Debug, Default)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// A clock that shows `now_ms`.
    pub fn at(now_ms: Timestamp) -> Self {
        Self(AtomicI64::new(now_ms))
    }

    /// Moves the clock to `now_ms`.
    pub fn set(&self, now_ms: Timestamp) {
        self.0.store(now_ms, Ordering::SeqCst);
    }

    /// Moves the clock on.
    pub fn advance(&self, by_ms: Timestamp) {
        self.0.fetch_add(by_ms, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> Timestamp {
        self.0.load(Ordering::SeqCst)
    }
}
