//! Numbers by which a server recognises an increment or append that it has done already.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

static GROUP: LazyLock<u64> = LazyLock::new(|| random() | 1);
static NEXT: LazyLock<AtomicU64> = LazyLock::new(|| AtomicU64::new(random()));

/// The number of this process. Not 0, which means none.
pub(crate) fn group() -> u64 {
    *GROUP
}

/// A number for one operation, the same in all its attempts.
pub(crate) fn next() -> u64 {
    NEXT.fetch_add(1, Ordering::Relaxed).max(1)
}

/// A number from 0 to 1, for pauses.
pub(crate) fn jitter() -> f64 {
    (random() >> 11) as f64 / (1u64 << 53) as f64
}

/// The standard library seeds each `RandomState` anew: enough for numbers that need only be different.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}
