//! Scales: where a value stands between two ends of an axis.

use super::ticks;

/// Larger values are drawn where this one is, so that no difference of two values is infinite.
const LARGEST: f64 = 1e300;
/// The least positive value that a logarithmic axis tells from nothing.
const SMALLEST: f64 = 1e-300;

/// How values are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Linear,
    Logarithmic,
    /// Linear about as far as the unit on both sides of 0, then logarithmic.
    Symmetric {
        unit: f64,
    },
}

/// A scale from values to places.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    kind: Kind,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

/// The least and the greatest of the values that are numbers.
pub fn extent(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    values
        .into_iter()
        .filter(|value| value.is_finite())
        .map(|value| value.clamp(-LARGEST, LARGEST))
        .map(|value| (value, value))
        .reduce(|(low, high), (value, _)| (low.min(value), high.max(value)))
}

impl Scale {
    /// Even steps. A single value gets room on both sides.
    pub fn linear((low, high): (f64, f64), from: f64, to: f64) -> Self {
        let (low, high) = if high > low {
            (low, high)
        } else {
            let room = if low == 0.0 { 1.0 } else { low.abs() * 0.5 };
            (low - room, low + room)
        };
        Self { kind: Kind::Linear, low, high, from, to }
    }

    /// Even ratios; values that are not above 0 stand at the low end.
    pub fn logarithmic((low, high): (f64, f64), from: f64, to: f64) -> Self {
        let low = low.max(SMALLEST);
        let high = high.max(low);
        let (low, high) = if high > low * 1.01 { (low, high) } else { (low / 2.0, high * 2.0) };
        Self { kind: Kind::Logarithmic, low, high, from, to }
    }

    /// Both sides of 0 over many orders of magnitude; near 0, up to the unit, even steps.
    pub fn symmetric((low, high): (f64, f64), unit: f64, from: f64, to: f64) -> Self {
        let (low, high) = (low.min(-unit), high.max(unit));
        Self { kind: Kind::Symmetric { unit }, low, high, from, to }
    }

    /// The value as it is spread evenly along the axis.
    pub fn spread(&self, value: f64) -> f64 {
        match self.kind {
            Kind::Linear => value,
            Kind::Logarithmic => value.max(SMALLEST).ln(),
            Kind::Symmetric { unit } => (value / unit).asinh(),
        }
    }

    /// Where a value stands; beyond the ends, at the end.
    pub fn at(&self, value: f64) -> f64 {
        self.at_spread(self.spread(value))
    }

    /// Where a value stands that is spread already.
    pub fn at_spread(&self, spread: f64) -> f64 {
        let (low, high) = (self.spread(self.low), self.spread(self.high));
        let share = ((spread - low) / (high - low)).clamp(0.0, 1.0);
        let share = if share.is_nan() { 0.0 } else { share };
        self.from + share * (self.to - self.from)
    }

    /// The ends of the axis in values.
    pub fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Round values along it, about so many.
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        match self.kind {
            Kind::Linear => ticks::linear(self.low, self.high, most),
            Kind::Logarithmic => ticks::logarithmic(self.low, self.high, most),
            Kind::Symmetric { unit } => ticks::symmetric(self.low, self.high, unit, most),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_in_proportion() {
        let linear = Scale::linear((0.0, 10.0), 100.0, 200.0);
        assert_eq!([0.0, 5.0, 10.0].map(|value| linear.at(value)), [100.0, 150.0, 200.0]);
        let log = Scale::logarithmic((1.0, 100.0), 0.0, 100.0);
        assert!((log.at(10.0) - 50.0).abs() < 1e-9);
        let both = Scale::symmetric((-100.0, 100.0), 1.0, 0.0, 100.0);
        assert!((both.at(0.0) - 50.0).abs() < 1e-9 && both.at(1.0) > 50.0);
    }

    #[test]
    fn nothing_leaves_the_axis() {
        let scales = [
            Scale::linear((-f64::MAX, f64::MAX), 0.0, 1.0),
            Scale::linear((3.0, 3.0), 0.0, 1.0),
            Scale::logarithmic((0.0, 0.0), 0.0, 1.0),
            Scale::logarithmic((1e-300, 1e300), 0.0, 1.0),
            Scale::symmetric((0.0, 0.0), 1.0, 0.0, 1.0),
        ];
        for scale in scales {
            for value in
                [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, 1.0, f64::MAX, f64::MIN_POSITIVE]
            {
                assert!((0.0..=1.0).contains(&scale.at(value)), "{scale:?} {value}");
            }
            assert!(scale.ticks(6).len() < 20);
        }
    }

    #[test]
    fn only_numbers_have_an_extent() {
        assert_eq!(extent([f64::NAN, 2.0, f64::INFINITY, -1.0]), Some((-1.0, 2.0)));
        assert_eq!(extent([f64::NAN]), None);
    }
}
