//! How many of so many writes fall into one of so many equal cells, by chance.

use fastrand::Rng;

/// From this variance on the bell curve is near enough: its error is far below the spread itself.
const BELL_FROM_VARIANCE: f64 = 25.0;

/// Successes among `trials` of probability `p`.
pub(super) fn binomial(trials: u64, p: f64, random: &mut Rng) -> u64 {
    if p >= 1.0 {
        return trials;
    }
    if p <= 0.0 || trials == 0 {
        return 0;
    }
    if p > 0.5 {
        return trials - binomial(trials, 1.0 - p, random);
    }
    let mean = trials as f64 * p;
    let variance = mean * (1.0 - p);
    if variance < BELL_FROM_VARIANCE {
        return by_waiting(trials, p, random);
    }
    // Box and Muller: two even numbers give one on the bell curve.
    let radius = (-2.0 * (1.0 - random.f64()).ln()).sqrt();
    let bell = radius * (std::f64::consts::TAU * random.f64()).cos();
    let drawn = (mean + variance.sqrt() * bell).round().max(0.0);
    (drawn as u64).min(trials)
}

/// Jumps from success to success: the trials between two are geometrically distributed.
fn by_waiting(trials: u64, p: f64, random: &mut Rng) -> u64 {
    let log_failure = (1.0 - p).ln();
    let (mut successes, mut at) = (0, 0.0);
    loop {
        at += ((1.0 - random.f64()).ln() / log_failure).floor() + 1.0;
        if at > trials as f64 {
            return successes;
        }
        successes += 1;
    }
}

/// Writes spread over equal cells by chance: `each` hears every cell that gets some.
pub(super) fn spread(writes: u64, cells: u32, random: &mut Rng, mut each: impl FnMut(u32, u64)) {
    let mut left = writes;
    for cell in 0..cells {
        let rows = binomial(left, 1.0 / f64::from(cells - cell), random);
        if rows > 0 {
            each(cell, rows);
        }
        left -= rows;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_spread_are_those_of_the_distribution() {
        let mut random = Rng::with_seed(1);
        for (trials, p) in [(40, 0.1), (1_000, 0.02), (1_000, 0.7), (100_000, 0.3)] {
            let draws: Vec<f64> = (0..4_000).map(|_| binomial(trials, p, &mut random) as f64).collect();
            let mean = draws.iter().sum::<f64>() / 4_000.0;
            let variance = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / 4_000.0;
            let (expected, spread) = (trials as f64 * p, trials as f64 * p * (1.0 - p));
            assert!((mean - expected).abs() < 4.0 * (spread / 4_000.0).sqrt(), "{trials} {p}: mean {mean}");
            assert!((variance / spread - 1.0).abs() < 0.1, "{trials} {p}: variance {variance}");
        }
    }

    #[test]
    fn no_write_is_lost() {
        let mut random = Rng::with_seed(2);
        for (writes, cells) in [(0, 5), (3, 10), (1_000, 7), (1_000_000, 1), (1_000_000, 100)] {
            let mut total = 0;
            spread(writes, cells, &mut random, |_, rows| total += rows);
            assert_eq!(total, writes);
        }
    }
}
