//! Choices that are not even: a few are taken often, many rarely.

use fastrand::Rng;

/// Numbers from 0 to `size - 1`, of which number k has the weight 1 / (k + flatness): Zipf's law with a flat head.
#[derive(Clone, Debug)]
pub struct Skewed {
    /// The sum of the weights up to each number.
    sums: Vec<f64>,
}

impl Skewed {
    /// The larger `flatness`, the more even.
    pub fn new(size: usize, flatness: f64) -> Self {
        Self::of_weights((0..size.max(1)).map(|number| 1.0 / (number as f64 + flatness)))
    }

    /// Numbers with weights of their own.
    pub fn of_weights(weights: impl IntoIterator<Item = f64>) -> Self {
        let sums = weights.into_iter().scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        Self { sums: sums.collect() }
    }

    /// How many numbers there are.
    pub fn size(&self) -> usize {
        self.sums.len()
    }

    /// Takes a number.
    pub fn pick(&self, random: &mut Rng) -> usize {
        let total = self.sums.last().copied().unwrap_or_default();
        let at = random.f64() * total;
        self.sums.partition_point(|sum| *sum <= at).min(self.sums.len().saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_come_most() {
        let mut random = Rng::with_seed(1);
        let skewed = Skewed::new(100, 1.0);
        let mut counts = [0; 100];
        (0..100_000).for_each(|_| counts[skewed.pick(&mut random)] += 1);
        assert!(counts[0] > counts[1] && counts[1] > counts[9] && counts[9] > counts[99], "{counts:?}");
        assert!(counts[99] > 0);
    }

    #[test]
    fn what_has_no_weight_never_comes() {
        let mut random = Rng::with_seed(1);
        let skewed = Skewed::of_weights([0.0, 1.0, 0.0]);
        assert!((0..1_000).all(|_| skewed.pick(&mut random) == 1));
    }
}
