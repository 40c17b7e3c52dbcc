//! A token bucket in simulated time: the arithmetic of the throttled store's, in seconds.

/// The bucket of a server or of a region's thread, kept as the time at which it would be full again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bucket {
    per_request_s: f64,
    burst_requests: f64,
    full_at_s: f64,
}

/// When requests are served.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Service {
    /// The first is taken up.
    pub(super) begins_s: f64,
    /// The last is done.
    pub(super) ready_s: f64,
}

impl Bucket {
    /// A full bucket; the burst is at least one request.
    pub(super) fn new(requests_per_second: f64, burst_requests: u32) -> Self {
        Self {
            per_request_s: requests_per_second.recip(),
            burst_requests: f64::from(burst_requests.max(1)),
            full_at_s: 0.0,
        }
    }

    /// From now on so many requests a second; what stands in line stays there.
    pub(super) fn set_rate(&mut self, requests_per_second: f64) {
        self.per_request_s = requests_per_second.recip();
    }

    /// Takes tokens and says when they are there: at once, or later. Who comes after stands in line behind.
    pub(super) fn take(&mut self, requests: u64, now_s: f64) -> Service {
        let burst_s = self.burst_requests * self.per_request_s;
        let begins_s = (self.full_at_s - burst_s).max(now_s);
        self.full_at_s = self.full_at_s.max(now_s) + requests as f64 * self.per_request_s;
        Service { begins_s, ready_s: (self.full_at_s - burst_s).max(now_s) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ready(bucket: &mut Bucket, requests: u64, now_s: f64) -> f64 {
        (bucket.take(requests, now_s).ready_s * 1e6).round() / 1e6
    }

    #[test]
    fn a_burst_is_free_and_then_the_rate_holds() {
        // The cases of the throttled store's own bucket.
        let mut bucket = Bucket::new(100.0, 5);
        for _ in 0..5 {
            assert_eq!(ready(&mut bucket, 1, 0.0), 0.0);
        }
        assert_eq!(ready(&mut bucket, 1, 0.0), 0.01);
        assert_eq!(ready(&mut bucket, 3, 0.0), 0.04);
        assert_eq!(ready(&mut bucket, 5, 1.0), 1.0);
        assert_eq!(ready(&mut bucket, 1, 1.0), 1.01);
    }

    #[test]
    fn who_comes_later_is_served_after_who_came_before() {
        let mut bucket = Bucket::new(10.0, 1);
        let first = bucket.take(11, 0.0);
        let second = bucket.take(10, 0.5);
        assert!((first.ready_s - 1.0).abs() < 1e-9 && (second.begins_s - 1.0).abs() < 1e-9);
        assert!((second.ready_s - 2.0).abs() < 1e-9, "{second:?}");
    }
}
