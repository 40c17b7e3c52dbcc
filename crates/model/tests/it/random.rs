//! A random generator for the property tests, from a seed that is printed and can be given, and what they draw with it.

use fastrand::Rng;

/// The seed of `TABLESMITH_SEED`, or 1; printed, so that a failure can be repeated.
pub fn seeded(test: &str) -> Rng {
    let given = std::env::var("TABLESMITH_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or(1);
    println!("{test}: TABLESMITH_SEED={seed}");
    Rng::with_seed(seed)
}

/// Fewer than `limit` things.
pub fn many<T>(random: &mut Rng, limit: usize, mut make: impl FnMut(&mut Rng) -> T) -> Vec<T> {
    (0..random.usize(..limit)).map(|_| make(random)).collect()
}

/// Fewer than `limit` bytes, those that need escapes more often than others.
pub fn bytes(random: &mut Rng, limit: usize) -> Vec<u8> {
    many(random, limit, |random| match random.usize(..3) {
        0 => *random.choice(&[0x00, 0x01, 0x02, 0x7F, 0xFE, 0xFF, b'-', b'0', b'9', b'~']).unwrap(),
        _ => random.u8(..),
    })
}

/// Fewer than `limit` characters, odd ones more often than others.
pub fn text(random: &mut Rng, limit: usize) -> String {
    let odd =
        ['\0', '\u{1}', '\u{2}', '"', '\'', '\\', '\n', 'ß', '\u{10FFFF}', ' ', '.', '(', ',', '\u{7F}', '#'];
    many(random, limit, |random| match random.usize(..3) {
        0 => *random.choice(&odd).unwrap(),
        _ => random.lowercase(),
    })
    .into_iter()
    .collect()
}
