//! Times that are far from the others.

use super::quantile::{quantile, sorted};

/// So many interquartile ranges of the logarithm away from the nearer quartile: Tukey's outer fence ("Exploratory Data
/// Analysis", 1977), on the logarithm because response times are skewed to the slow side.
const FENCE: f64 = 3.0;
/// Nothing nearer than this factor is far off, however alike the other times are.
const LEAST_FACTOR: f64 = 2.0;
/// Fewer times do not say what is usual.
const FEWEST: usize = 8;

/// The places of the times (positive) that are far from the others on either side; none among few. They are shown, never
/// left out.
pub fn far_off(times: &[f64]) -> Vec<usize> {
    if times.len() < FEWEST {
        return Vec::new();
    }
    let logarithms = sorted(times.iter().map(|time| time.ln()).collect());
    let (Some(lower), Some(upper)) = (quantile(&logarithms, 0.25), quantile(&logarithms, 0.75)) else {
        return Vec::new();
    };
    let reach = (FENCE * (upper - lower)).max(LEAST_FACTOR.ln());
    let is_far = |time: f64| time.ln() > upper + reach || time.ln() < lower - reach;
    times.iter().enumerate().filter(|(_, time)| is_far(**time)).map(|(place, _)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_the_fence_on_either_side_is_far_off() {
        // The quartiles are 8 and 16: the fence is at 16 × 2³ = 128 and 8 / 2³ = 1.
        let usual = [8.0, 8.0, 8.0, 8.0, 11.0, 16.0, 16.0, 16.0, 16.0];
        let with = |more: &[f64]| far_off(&[&usual, more].concat());
        assert!(with(&[120.0, 1.1]).is_empty());
        assert_eq!(with(&[130.0, 0.9]), [9, 10]);
    }

    #[test]
    fn times_that_are_all_alike_do_not_make_small_differences_large() {
        let mut times = vec![1.0; 20];
        times.extend([1.9, 2.1]);
        assert_eq!(far_off(&times), [21]);
    }

    #[test]
    fn few_times_have_no_usual() {
        assert!(far_off(&[1.0, 1.0, 1.0, 100.0]).is_empty());
    }
}
