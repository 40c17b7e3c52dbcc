//! Pseudo-random numbers from a seed.

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014, figure 17). By hand because
/// a dozen lines are less than a dependency, and the same seed must replay with any version of it.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A generator for one of many uses of the same seed.
    pub(crate) fn fork(seed: u64, number: u64) -> Self {
        Self::new(Self::new(seed ^ number.wrapping_mul(Self::GOLDEN_GAMMA)).next())
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(Self::GOLDEN_GAMMA);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, 0 if there is none.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        // The remainder favours small numbers by less than one in 2^32 for all ends that are used here.
        self.next().checked_rem(end).unwrap_or(0)
    }

    /// True with this probability.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        // The upper 53 bits are all that a float between 0 and 1 can tell apart.
        ((self.next() >> 11) as f64) < probability * (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers() {
        let mut random = Random::new(0);
        assert_eq!(random.next(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(random.next(), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn chances_come_true_as_often_as_they_should() {
        let mut random = Random::new(1);
        let count = (0..100_000).filter(|_| random.chance(0.01)).count();
        assert!((900..1100).contains(&count), "{count}");
        assert!(!random.chance(0.0) && random.chance(1.0));
        assert_eq!(random.below(0), 0);
    }
}
