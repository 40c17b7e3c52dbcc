//! Percentiles as a curve: where values are dense.

use tablesmith_model::evidence::Distribution;

use crate::svg::Scale;

/// Points of a curve.
const POINTS: usize = 96;
/// Values taken from the percentiles, evenly by rank.
const SAMPLES: usize = 300;

/// The values that are numbers, in order.
pub fn sorted(distribution: &Distribution) -> Vec<f64> {
    let mut values: Vec<f64> = distribution.0.iter().copied().filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The value below which this share of all lies, from values that are evenly apart by rank.
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share.clamp(0.0, 1.0) * last as f64;
    let below = *sorted.get(place.floor() as usize)?;
    let above = *sorted.get(place.ceil() as usize)?;
    Some(below + (above - below) * place.fract())
}

/// The share of values above 0.
pub fn share_above_zero(sorted: &[f64]) -> Option<f64> {
    let above = sorted.iter().filter(|value| **value > 0.0).count();
    (!sorted.is_empty()).then(|| above as f64 / sorted.len() as f64)
}

/// How dense values are along a scale: places on it, and heights from 0 to 1. A Gaussian kernel as wide as Silverman's
/// rule says (Density Estimation for Statistics and Data Analysis, 1986, equation 3.31).
pub fn curve(sorted: &[f64], scale: &Scale) -> Vec<(f64, f64)> {
    let samples: Vec<f64> = (0..SAMPLES)
        .filter_map(|index| quantile(sorted, (index as f64 + 0.5) / SAMPLES as f64))
        .map(|value| scale.spread(value))
        .collect();
    let (Some(&first), Some(&last)) = (samples.first(), samples.last()) else { return Vec::new() };
    let width = kernel_width(&samples, scale);
    let (from, to) = (first - 2.0 * width, last + 2.0 * width);
    let height = |place: f64| -> f64 {
        samples.iter().map(|sample| (-0.5 * ((place - sample) / width).powi(2)).exp()).sum()
    };
    let heights: Vec<(f64, f64)> = (0..POINTS)
        .map(|index| from + (to - from) * index as f64 / (POINTS - 1) as f64)
        .map(|place| (place, height(place)))
        .collect();
    let highest = heights.iter().map(|(_, height)| *height).fold(f64::MIN_POSITIVE, f64::max);
    heights.into_iter().map(|(place, height)| (scale.at_spread(place), height / highest)).collect()
}

fn kernel_width(samples: &[f64], scale: &Scale) -> f64 {
    let count = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / count;
    let deviation = (samples.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>() / count).sqrt();
    let quarters = match (quantile(samples, 0.25), quantile(samples, 0.75)) {
        (Some(low), Some(high)) if high > low => (high - low) / 1.34,
        _ => deviation,
    };
    let (low, high) = scale.ends();
    // Values that are all alike still have a width that can be seen.
    let least = (scale.spread(high) - scale.spread(low)) / 200.0;
    (0.9 * deviation.min(quarters) * count.powf(-0.2)).max(least).max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_values() {
        let values = [1.0, 2.0, 4.0];
        assert_eq!(
            [0.0, 0.25, 0.5, 1.0].map(|share| quantile(&values, share)),
            [Some(1.0), Some(1.5), Some(2.0), Some(4.0)]
        );
        assert_eq!(quantile(&[], 0.5), None);
    }

    #[test]
    fn two_heaps_make_two_hills() {
        let values: Vec<f64> = (0..101)
            .map(|index| if index < 50 { 1.0 + index as f64 * 0.002 } else { 9.0 + index as f64 * 0.002 })
            .collect();
        let curve = curve(&values, &Scale::linear((0.0, 10.0), 0.0, 100.0));
        let height =
            |at: f64| curve.iter().min_by(|a, b| (a.0 - at).abs().total_cmp(&(b.0 - at).abs())).unwrap().1;
        assert!(height(10.0) > 0.8 && height(91.0) > 0.8 && height(50.0) < 0.1, "{curve:?}");
    }

    #[test]
    fn equal_values_are_one_narrow_hill() {
        let curve = curve(&[3.0; 101], &Scale::logarithmic((1.0, 10.0), 0.0, 100.0));
        assert!(curve.iter().all(|(x, y)| x.is_finite() && (0.0..=1.0).contains(y)));
        assert!(curve.iter().any(|(_, y)| *y > 0.99));
    }

    #[test]
    fn no_values_make_no_curve() {
        let nothing = sorted(&Distribution(vec![f64::NAN, f64::INFINITY]));
        assert!(curve(&nothing, &Scale::linear((0.0, 1.0), 0.0, 1.0)).is_empty());
        assert_eq!(share_above_zero(&nothing), None);
    }
}
