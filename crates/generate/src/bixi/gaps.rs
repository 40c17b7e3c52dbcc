//! Minutes of which nothing is known, because the collector was down.

use fastrand::Rng;

/// Of 100,800 minutes the paper has 96,842: 3.9 % are missing.
const MISSING_PER_MILLE: u64 = 39;
/// The collector is down for up to so many minutes.
const LONGEST_OUTAGE: u64 = 90;

/// Says which minutes are missing, asked minute by minute.
#[derive(Clone, Debug)]
pub(super) struct Gaps {
    random: Rng,
    down_for: u64,
}

impl Gaps {
    pub fn new(seed: u64) -> Self {
        Self { random: Rng::with_seed(seed.wrapping_add(1)), down_for: 0 }
    }

    /// Whether the next minute is missing.
    pub fn is_missing(&mut self) -> bool {
        if self.down_for > 0 {
            self.down_for -= 1;
            return true;
        }
        // An outage takes half the longest on average, and the rest of the time must be as much longer.
        let mean_between = LONGEST_OUTAGE.div_ceil(2) * (1_000 - MISSING_PER_MILLE) / MISSING_PER_MILLE;
        if self.random.u64(0..mean_between.max(1)) == 0 {
            self.down_for = self.random.u64(0..LONGEST_OUTAGE);
            return true;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_minutes_are_missing_as_in_the_papers_data() {
        let missing: usize = (0..20)
            .map(|seed| {
                let mut gaps = Gaps::new(seed);
                (0..100_800).filter(|_| gaps.is_missing()).count()
            })
            .sum();
        let mean = missing / 20;
        assert!((3_400..4_500).contains(&mean), "the paper misses 3,958: {mean}");
    }
}
