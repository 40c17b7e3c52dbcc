//! A token bucket: so many requests a second, and some at once when it was quiet before.

use std::time::Duration;

use tokio::time::Instant;

/// The bucket of one server, kept as the time at which it would be full again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bucket {
    per_request: Duration,
    burst: Duration,
    full_at: Instant,
}

impl Bucket {
    /// A full bucket of `burst_requests` tokens into which `requests_per_second` flow. A rate that is not a positive
    /// number means no limit; one below a request an hour counts as that, so that no time overflows.
    pub(super) fn new(requests_per_second: f64, burst_requests: u32, now: Instant) -> Self {
        const LONGEST_S: f64 = 3_600.0;
        let per_request = if requests_per_second > 0.0 {
            Duration::from_secs_f64(requests_per_second.recip().min(LONGEST_S))
        } else {
            Duration::ZERO
        };
        Self { per_request, burst: per_request.saturating_mul(burst_requests.max(1)), full_at: now }
    }

    /// Takes tokens and says when they are there: at once, or later. Who comes after stands in line behind.
    pub(super) fn take(&mut self, requests: u32, now: Instant) -> Instant {
        self.full_at = self.full_at.max(now) + self.per_request.saturating_mul(requests);
        match self.full_at.checked_sub(self.burst) {
            Some(ready) => ready.max(now),
            None => now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_free_and_then_the_rate_holds() {
        let start = Instant::now();
        let mut bucket = Bucket::new(100.0, 5, start);
        for _ in 0..5 {
            assert_eq!(bucket.take(1, start), start);
        }
        assert_eq!(bucket.take(1, start), start + Duration::from_millis(10));
        assert_eq!(bucket.take(3, start), start + Duration::from_millis(40));
        let later = start + Duration::from_secs(1);
        assert_eq!(bucket.take(5, later), later);
        assert_eq!(bucket.take(1, later), later + Duration::from_millis(10));
    }

    #[test]
    fn a_rate_of_zero_or_nonsense_does_not_panic() {
        for rate in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-300] {
            let now = Instant::now();
            let _ = Bucket::new(rate, 0, now).take(u32::MAX, now);
        }
    }
}
