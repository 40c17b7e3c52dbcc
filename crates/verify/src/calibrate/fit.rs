//! From times to prices: the least squares of relative errors, no price below 0.
//!
//! Relative, since a get takes microseconds and a long scan milliseconds: each should be off by as small a part of
//! itself.

use tablesmith_model::cost::{Experiment, Fit, Operations, Prices};

use super::least_squares::non_negative;

/// An experiment with the time that it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// What was done, in words.
    pub what: String,
    /// What it takes.
    pub operations: Operations,
    /// How long it took.
    pub measured_ms: f64,
}

/// The prices that explain the samples best, in milliseconds, and how well they do.
pub fn fit(samples: &[Sample]) -> (Operations, Fit) {
    let measured: Vec<&Sample> = samples.iter().filter(|sample| sample.measured_ms > 0.0).collect();
    let relative = |sample: &&Sample| sample.operations.amounts().map(|amount| amount / sample.measured_ms);
    let rows: Vec<[f64; Operations::COUNT]> = measured.iter().map(relative).collect();
    let each_ms = Operations::from_amounts(non_negative(&rows, &vec![1.0; rows.len()]));
    (each_ms, quality(&measured, each_ms))
}

fn quality(samples: &[&Sample], each_ms: Operations) -> Fit {
    let prices = Prices { each_ms, ..Prices::guessed() };
    let predicted = |sample: &Sample| prices.cost(&sample.operations);
    let off = |sample: &Sample| (predicted(sample).max(f64::MIN_POSITIVE) / sample.measured_ms).ln();
    let worst = samples.iter().max_by(|a, b| off(a).abs().total_cmp(&off(b).abs()));
    let worst = worst.map(|sample| Experiment {
        what: sample.what.clone(),
        predicted_ms: predicted(sample),
        measured_ms: sample.measured_ms,
    });
    let mean =
        samples.iter().map(|sample| sample.measured_ms.ln()).sum::<f64>() / samples.len().max(1) as f64;
    let variation: f64 = samples.iter().map(|sample| (sample.measured_ms.ln() - mean).powi(2)).sum();
    let unexplained: f64 = samples.iter().map(|sample| off(sample).powi(2)).sum();
    let r2 = if variation > 0.0 { 1.0 - unexplained / variation } else { 0.0 };
    Fit { r2, worst: worst.unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(calls: f64, rows: f64, measured_ms: f64) -> Sample {
        let operations = Operations { calls, rows, ..Operations::NONE };
        Sample { what: format!("{calls} calls, {rows} rows"), operations, measured_ms }
    }

    #[test]
    fn prices_and_their_quality_are_found() {
        let samples = [
            sample(1.0, 0.0, 2.0),
            sample(1.0, 10.0, 3.0),
            sample(1.0, 1_000.0, 102.0),
            sample(2.0, 5.0, 4.5),
        ];
        let (each_ms, fit) = fit(&samples);
        assert!((each_ms.calls - 2.0).abs() < 1e-9 && (each_ms.rows - 0.1).abs() < 1e-9, "{each_ms:?}");
        assert!(fit.r2 > 1.0 - 1e-9);
    }

    #[test]
    fn the_worst_experiment_is_named() {
        let mut samples = vec![sample(1.0, 0.0, 1.0), sample(1.0, 0.0, 5.0)];
        samples.extend([10.0, 100.0, 1_000.0].map(|rows| sample(1.0, rows, 1.0 + rows)));
        let (_, fit) = fit(&samples);
        assert_eq!((fit.worst.what.as_str(), fit.worst.measured_ms), ("1 calls, 0 rows", 5.0));
        assert!(fit.worst.predicted_ms < 2.5 && fit.r2 < 0.99, "{fit:?}");
    }

    #[test]
    fn without_samples_there_are_no_prices() {
        assert_eq!(fit(&[]).0, Operations::NONE);
        assert_eq!(fit(&[sample(1.0, 1.0, 0.0)]).0, Operations::NONE);
    }
}
