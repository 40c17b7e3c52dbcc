//! A random generator for the fuzz tests, from a seed that is printed and can be given.

use fastrand::Rng;

/// The seed of `TABLESMITH_SEED`, or a new one; printed, so that a failure can be repeated.
pub fn seeded(test: &str) -> Rng {
    let given = std::env::var("TABLESMITH_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or_else(|| fastrand::u64(..));
    println!("{test}: TABLESMITH_SEED={seed}");
    Rng::with_seed(seed)
}
