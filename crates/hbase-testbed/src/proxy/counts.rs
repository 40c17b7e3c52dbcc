//! What a set of proxies did.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a set of proxies did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Connections that clients made.
    pub connections: u64,
    /// Frames that began to pass, both ways.
    pub frames: u64,
    /// Bytes that passed, both ways.
    pub bytes: u64,
    /// Frames that were held.
    pub delays: u64,
    /// Connections that were closed before a frame, or by [`cut_all`](super::ProxySet::cut_all).
    pub cuts: u64,
    /// Connections that were closed within a frame.
    pub truncations: u64,
    /// Connections that were left open without anything passing any more.
    pub stalls: u64,
}

/// The same, counted by many threads.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) connections: AtomicU64,
    pub(super) frames: AtomicU64,
    pub(super) bytes: AtomicU64,
    pub(super) delays: AtomicU64,
    pub(super) cuts: AtomicU64,
    pub(super) truncations: AtomicU64,
    pub(super) stalls: AtomicU64,
}

/// Adds to a counter; gives what it was before.
pub(super) fn add(counter: &AtomicU64, count: u64) -> u64 {
    counter.fetch_add(count, Ordering::Relaxed)
}

impl Counters {
    pub(super) fn read(&self) -> Counts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counts {
            connections: read(&self.connections),
            frames: read(&self.frames),
            bytes: read(&self.bytes),
            delays: read(&self.delays),
            cuts: read(&self.cuts),
            truncations: read(&self.truncations),
            stalls: read(&self.stalls),
        }
    }
}
