//! Mean and variance.

/// The arithmetic mean; `None` of nothing.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| moments(values).mean)
}

/// The variance of a sample (divided by one less than its size); `None` of fewer than two values.
pub fn variance(values: &[f64]) -> Option<f64> {
    (values.len() > 1).then(|| moments(values).squares / (values.len() - 1) as f64)
}

struct Moments {
    mean: f64,
    /// The sum of the squared deviations from the mean.
    squares: f64,
}

/// Welford's updates ("Note on a method for calculating corrected sums of squares and products", 1962): sums of squares
/// would lose the variance of values that are large beside their differences.
fn moments(values: &[f64]) -> Moments {
    let mut moments = Moments { mean: 0.0, squares: 0.0 };
    for (before, value) in values.iter().enumerate() {
        let off = value - moments.mean;
        moments.mean += off / (before + 1) as f64;
        moments.squares += off * (value - moments.mean);
    }
    moments
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `NumAcc3` and `NumAcc4` of the Statistical Reference Datasets of NIST, whose values are certified.
    #[test]
    fn small_differences_of_large_values_are_not_lost() {
        let accurate = |first: f64, low: f64, high: f64| -> Vec<f64> {
            let pairs = (0..1_000).map(|place| if place % 2 == 0 { low } else { high });
            std::iter::once(first).chain(pairs).collect()
        };
        let third = accurate(1_000_000.2, 1_000_000.1, 1_000_000.3);
        assert!((mean(&third).unwrap() - 1_000_000.2).abs() < 1e-8);
        assert!((variance(&third).unwrap().sqrt() - 0.1).abs() < 1e-9, "{:?}", variance(&third));
        let fourth = accurate(10_000_000.2, 10_000_000.1, 10_000_000.3);
        assert!((mean(&fourth).unwrap() - 10_000_000.2).abs() < 1e-7);
        assert!((variance(&fourth).unwrap().sqrt() - 0.1).abs() < 1e-8, "{:?}", variance(&fourth));
    }

    #[test]
    fn too_few_values_have_none() {
        assert_eq!((mean(&[]), variance(&[1.0])), (None, None));
        assert_eq!((mean(&[3.0]), variance(&[1.0, 3.0])), (Some(3.0), Some(2.0)));
    }
}
