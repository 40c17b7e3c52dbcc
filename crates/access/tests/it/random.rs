//! The seed of the random tests.

/// The seed of a run: `TABLESMITH_SEED`, else always the same.
pub fn seed() -> u64 {
    std::env::var("TABLESMITH_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(7)
}
