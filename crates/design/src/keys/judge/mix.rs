//! Hashes of row numbers: what is chosen by chance is the same for the same seed, in any order and on any thread.

/// A number that looks random, from a seed and a row's number (the finisher of SplitMix64).
#[inline]
pub(super) fn mix(seed: u64, number: u64) -> u64 {
    let mut mixed = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// Makes samples independent of random prefixes.
pub(super) const SAMPLE_SALT: u64 = 0x5AA5_17E5_0F0F_3C3C;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread() {
        let mut counts = [0_u32; 16];
        (0..160_000).for_each(|number| counts[(mix(7, number) >> 60) as usize] += 1);
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }
}
