//! Where the times of experiments come from. A simulated store has its own, which it moves on itself.

use std::time::{Duration, Instant};

/// A clock that only goes forward.
pub trait Stopwatch: Send + Sync {
    /// The time since some moment that stays the same.
    fn now(&self) -> Duration;
}

/// The time of the machine.
#[derive(Clone, Copy, Debug)]
pub struct RealTime(Instant);

impl Default for RealTime {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Stopwatch for RealTime {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
