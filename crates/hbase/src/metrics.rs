//! What the client did, counted.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counters that go on as long as the client lives.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub calls: AtomicU64,
    pub batched_actions: AtomicU64,
    pub retries: AtomicU64,
    pub failures: AtomicU64,
    pub connections: AtomicU64,
    pub lookups: AtomicU64,
    pub bytes_sent: AtomicU64,
    pub bytes_received: AtomicU64,
    pub scanners_reopened: AtomicU64,
}

impl Counters {
    pub(crate) fn add(counter: &AtomicU64, more: u64) {
        counter.fetch_add(more, Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> Metrics {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Metrics {
            calls: of(&self.calls),
            batched_actions: of(&self.batched_actions),
            retries: of(&self.retries),
            failures: of(&self.failures),
            connections: of(&self.connections),
            lookups: of(&self.lookups),
            bytes_sent: of(&self.bytes_sent),
            bytes_received: of(&self.bytes_received),
            scanners_reopened: of(&self.scanners_reopened),
        }
    }
}

/// What the client did up to a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    /// Calls sent to servers.
    pub calls: u64,
    /// Gets and writes that went together with others in one call.
    pub batched_actions: u64,
    /// Attempts after a first one.
    pub retries: u64,
    /// Operations that failed in the end.
    pub failures: u64,
    /// Connections made.
    pub connections: u64,
    /// Questions to `hbase:meta`.
    pub lookups: u64,
    /// Bytes written to sockets.
    pub bytes_sent: u64,
    /// Bytes read from sockets.
    pub bytes_received: u64,
    /// Scanners opened again after a failure in mid-scan.
    pub scanners_reopened: u64,
}
