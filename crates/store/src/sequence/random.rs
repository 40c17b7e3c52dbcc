//! Random numbers that are the same on every machine and with every version of every library: a seed found once
//! replays for ever.
//!
//! The generator is SplitMix64 (Steele, Lea, Flood: *Fast Splittable Pseudorandom Number Generators*, OOPSLA 2014,
//! figure 17): a counter that grows by a constant, scrambled. It is small, quick, and good enough to choose tests by;
//! it keeps no secrets.

/// The golden ratio's fraction in 64 bits, made odd.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// A source of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The source of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, not including, `bound`; 0 when there is none.
    pub fn below(&mut self, bound: u64) -> u64 {
        // The high half of a product spreads the bits evenly enough and needs no division.
        let product = u128::from(self.bits()) * u128::from(bound);
        u64::try_from(product >> 64).unwrap_or(0)
    }

    /// A number from 0 up to, not including, 1.
    pub fn fraction(&mut self) -> f64 {
        const BITS: u32 = f64::MANTISSA_DIGITS;
        (self.bits() >> (u64::BITS - BITS)) as f64 / (1_u64 << BITS) as f64
    }

    /// True in `percent` of 100 cases.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of these; the default of its type when there are none.
    pub fn one_of<T: Clone + Default>(&mut self, choices: &[T]) -> T {
        usize::try_from(self.below(choices.len() as u64))
            .ok()
            .and_then(|at| choices.get(at))
            .cloned()
            .unwrap_or_default()
    }

    /// The place of one of these weights, each as likely as it is heavy.
    pub fn weighted(&mut self, weights: &[u64]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (place, &weight) in weights.iter().enumerate() {
            match left.checked_sub(weight) {
                Some(rest) => left = rest,
                None => return place,
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of SplitMix64 with seed 1234567, as published with the reference implementation.
    #[test]
    fn is_the_published_generator() {
        let mut random = Random::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.bits()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn numbers_stay_in_bounds_and_reach_them() {
        let mut random = Random::new(1);
        let mut seen = [0_u32; 5];
        for _ in 0..1_000 {
            seen[usize::try_from(random.below(5)).unwrap()] += 1;
            assert!((0.0..1.0).contains(&random.fraction()));
        }
        assert!(seen.iter().all(|&count| count > 150), "{seen:?}");
        assert_eq!((random.below(0), random.below(1)), (0, 0));
    }

    #[test]
    fn heavier_weights_come_more_often() {
        let mut random = Random::new(2);
        let mut seen = [0_u32; 3];
        for _ in 0..1_000 {
            seen[random.weighted(&[1, 0, 9])] += 1;
        }
        assert!(seen[1] == 0 && seen[2] > 5 * seen[0], "{seen:?}");
    }
}
