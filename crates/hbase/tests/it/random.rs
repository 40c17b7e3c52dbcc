//! A random generator whose seed is printed and replays.

use fastrand::Rng;

/// From `TABLESMITH_SEED`, else from the process id; prints which.
pub fn seeded() -> Rng {
    let seed = std::env::var("TABLESMITH_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| u64::from(std::process::id()));
    println!("TABLESMITH_SEED={seed}");
    Rng::with_seed(seed)
}

/// At most so many bytes.
pub fn bytes(random: &mut Rng, most: usize) -> Vec<u8> {
    (0..random.usize(..=most)).map(|_| random.u8(..)).collect()
}
