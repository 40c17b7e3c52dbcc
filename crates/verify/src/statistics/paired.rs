//! Student's t-test for pairs.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::moments::{mean, variance};

/// How much of the distribution lies below the upper end of the interval: 95 % are between both ends.
const UPPER: f64 = 0.975;

/// What the paired t-test says of differences: whether their mean can be 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paired {
    /// How many differences there are.
    pub pairs: u64,
    /// Their mean.
    pub mean: f64,
    /// The lower end of the 95 % interval of the mean.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Student's t; infinite when all differences are the same and not 0.
    pub t: f64,
    /// The chance of a t at least as far from 0 when there is no difference, two-sided.
    pub p: f64,
    /// The mean in standard deviations of the differences (Cohen's d for pairs); infinite as `t` is.
    pub effect: f64,
}

impl Paired {
    /// The test of these differences; `None` of fewer than two, or when one is not a number.
    pub fn of(differences: &[f64]) -> Option<Self> {
        let (mean, variance) = (mean(differences)?, variance(differences)?);
        let count = differences.len() as f64;
        let student = StudentsT::new(0.0, 1.0, count - 1.0).ok()?;
        let deviation = variance.sqrt();
        let error = deviation / count.sqrt();
        let t = over(mean, error);
        if t.is_nan() {
            return None;
        }
        let reach = student.inverse_cdf(UPPER) * error;
        Some(Self {
            pairs: differences.len() as u64,
            mean,
            low: mean - reach,
            high: mean + reach,
            t,
            p: (2.0 * student.sf(t.abs())).min(1.0),
            effect: over(mean, deviation),
        })
    }
}

/// A quotient; nothing of nothing is nothing.
fn over(mean: f64, spread: f64) -> f64 {
    if mean == 0.0 { 0.0 } else { mean / spread }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, wanted: f64, digits: i32) {
        let off = (found - wanted).abs();
        assert!(off <= wanted.abs().max(1e-12) * 10_f64.powi(-digits), "{found} instead of {wanted}");
    }

    /// "Student" (W. S. Gosset), "The probable error of a mean", 1908: additional hours of sleep gained by two drugs in
    /// ten patients. R's `t.test(paired = TRUE)` gives these figures; they are in its documentation of `sleep`.
    #[test]
    fn the_sleep_of_students_patients() {
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let differences: Vec<f64> = first.iter().zip(second).map(|(first, second)| first - second).collect();
        let test = Paired::of(&differences).unwrap();
        close(test.t, -4.062_127_683_382_04, 12);
        close(test.p, 0.002_832_890_197_384_27, 11);
        close(test.mean, -1.58, 12);
        close(test.low, -2.459_885_763_276_98, 10);
        close(test.high, -0.700_114_236_723_02, 10);
        close(test.effect, -1.284_557_562_591_05, 12);
    }

    /// Points of the t distribution as statistical tables have them (two-sided 0.05, 0.01 and 0.001).
    #[test]
    fn the_printed_table_of_t() {
        for (freedom, share, t) in [
            (1, 0.05, 12.706),
            (4, 0.05, 2.776),
            (4, 0.01, 4.604),
            (9, 0.01, 3.250),
            (29, 0.05, 2.045),
            (60, 0.001, 3.460),
            (120, 0.01, 2.617),
        ] {
            let student = StudentsT::new(0.0, 1.0, f64::from(freedom)).unwrap();
            close(2.0 * student.sf(t), share, 2);
            close(student.inverse_cdf(1.0 - share / 2.0), t, 3);
        }
    }

    /// Computed by integrating the density with 40 digits.
    #[test]
    fn far_tails_keep_their_digits() {
        for (t, freedom, p) in [
            (60.0, 9.0, 5.001_190_471_672_904e-13),
            (12.0, 1_999.0, 4.370_936_815_437_224e-32),
            (30.0, 1_999.0, 1.413_506_919_861_904e-163),
            (2.6, 199.0, 0.010_021_435_166_557_38),
            (5.0, 1.0, 0.125_665_916_378_002_4),
        ] {
            close(2.0 * StudentsT::new(0.0, 1.0, freedom).unwrap().sf(t), p, 9);
        }
    }

    #[test]
    fn differences_that_are_all_the_same_leave_no_doubt() {
        let test = Paired::of(&[2.0, 2.0, 2.0]).unwrap();
        let beyond = f64::INFINITY;
        assert_eq!((test.t, test.p, test.effect, test.low, test.high), (beyond, 0.0, beyond, 2.0, 2.0));
        assert_eq!(Paired::of(&[-2.0, -2.0]).unwrap().t, -beyond);
        let none = Paired::of(&[0.0; 5]).unwrap();
        assert_eq!((none.t, none.p, none.effect, none.mean), (0.0, 1.0, 0.0, 0.0));
    }

    #[test]
    fn there_is_no_test_of_one_pair_or_of_what_is_no_number() {
        assert_eq!(Paired::of(&[1.0]), None);
        assert_eq!(Paired::of(&[1.0, f64::NAN]), None);
        assert_eq!(Paired::of(&[1.0, f64::INFINITY]), None);
    }
}
