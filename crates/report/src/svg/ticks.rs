//! Round values for an axis.

/// More than this would be no axis but a hatching, whatever was asked for.
const MOST: usize = 40;

/// Multiples of 1, 2 or 5 times a power of ten from `low` to `high`, about `most` of them.
pub fn linear(low: f64, high: f64, most: usize) -> Vec<f64> {
    let most = most.clamp(2, MOST);
    let step = step(high - low, most);
    if !step.is_finite() || step <= 0.0 {
        return Vec::new();
    }
    let first = (low / step - 1e-9).ceil();
    (0..=MOST)
        .map(|index| (first + index as f64) * step)
        .take_while(|&value| value <= high + step * 1e-9)
        // Not −0, nor the last bits that a product leaves.
        .map(|value| if value.abs() < step * 1e-9 { 0.0 } else { value })
        .collect()
}

/// The smallest of 1, 2 and 5 times a power of ten that divides the range into at most so many parts.
fn step(range: f64, most: usize) -> f64 {
    let rough = range / most as f64;
    let power = 10_f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|&step| step >= rough)
        .unwrap_or(rough)
}

/// Values for a logarithmic axis: 1, 2, 5, 10, 20, … where there is room, else powers of ten, else every so many of them.
/// Less than a decade is divided as a linear axis is.
pub fn logarithmic(low: f64, high: f64, most: usize) -> Vec<f64> {
    let most = most.clamp(2, MOST);
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let inside = |value: &f64| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(value);
    let fine: Vec<f64> = (first..=last)
        .flat_map(|power| [1.0, 2.0, 5.0].map(|factor| factor * 10_f64.powi(power)))
        .filter(inside)
        .collect();
    if fine.len() < 3 {
        return linear(low, high, most);
    }
    if fine.len() <= most {
        return fine;
    }
    let stride = (1..).find(|stride| (last - first) / stride < most as i32).unwrap_or(1);
    (first..=last)
        .filter(|power| power.rem_euclid(stride) == 0)
        .map(|power| 10_f64.powi(power))
        .filter(inside)
        .collect()
}

/// Values for an axis that is linear near 0 and logarithmic further away: 0 and powers of ten on both sides.
pub fn symmetric(low: f64, high: f64, unit: f64, most: usize) -> Vec<f64> {
    let reach = low.abs().max(high.abs());
    let last = (reach / unit).log10().floor().max(0.0) as i32;
    let sides = usize::from(low < 0.0) + usize::from(high > 0.0);
    let stride = (1..).find(|stride| (last / stride + 1) as usize * sides < most.clamp(2, MOST)).unwrap_or(1);
    let powers: Vec<f64> = (0..=last)
        .filter(|power| (last - power) % stride == 0)
        .map(|power| unit * 10_f64.powi(power))
        .collect();
    let negative = powers.iter().rev().map(|value| -value);
    let all = negative.chain([0.0]).chain(powers.iter().copied());
    all.filter(|value| (low..=high).contains(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_ticks_are_round_and_inside() {
        assert_eq!(linear(0.0, 10.0, 5), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(linear(-3.0, 11.0, 4), [0.0, 5.0, 10.0]);
        assert!(linear(2.0, 2.0, 4).is_empty());
        assert!(linear(f64::NAN, 1.0, 4).is_empty());
    }

    #[test]
    fn logarithmic_ticks_thin_out() {
        assert_eq!(logarithmic(1.0, 50.0, 8), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0]);
        assert_eq!(logarithmic(1.0, 1e4, 5), [1.0, 10.0, 100.0, 1_000.0, 10_000.0]);
        assert!(logarithmic(1e-200, 1e200, 6).len() <= 7);
        assert_eq!(logarithmic(12.0, 16.0, 5), [12.0, 13.0, 14.0, 15.0, 16.0]);
    }

    #[test]
    fn symmetric_ticks_have_zero_in_the_middle() {
        assert_eq!(symmetric(-15.0, 150.0, 1.0, 9), [-10.0, -1.0, 0.0, 1.0, 10.0, 100.0]);
        assert!(symmetric(-1e12, 1e12, 1.0, 5).len() <= 6);
        assert!(symmetric(-1e12, 1e12, 1.0, 5).contains(&0.0));
    }
}
