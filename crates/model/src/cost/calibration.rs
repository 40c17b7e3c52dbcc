//! What was measured of a store: its prices, and how well they explain the measurements.

use md5::{Digest, Md5};

use super::{Operations, Prices};
use crate::value::Moment;

/// Digits of an id: enough to tell the few calibrations of a person apart.
const ID_DIGITS: usize = 4;

/// The prices of one store, as measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// What identifies the store.
    pub store: String,
    /// Where the store was found, for people.
    pub address: String,
    /// When it was measured.
    pub measured_at: Moment,
    /// How well the prices explain what was measured.
    pub fit: Fit,
    /// Milliseconds that one operation of each kind takes.
    pub each_ms: Operations,
}

/// How well prices explain measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The share of the variation among the measured times, on a logarithmic scale, that the prices explain: at most 1.
    pub r2: f64,
    /// The experiment that they explain worst.
    pub worst: Experiment,
}

/// An experiment with what the prices say of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Experiment {
    /// What was done, in words.
    pub what: String,
    /// Milliseconds that the prices predict.
    pub predicted_ms: f64,
    /// Milliseconds that it took.
    pub measured_ms: f64,
}

impl Calibration {
    /// A short hash of the prices and the store: prices that were edited have another id.
    pub fn id(&self) -> String {
        let mut digest = Md5::new();
        digest.update(&self.store);
        for (name, price_ms) in self.each_ms.named() {
            digest.update(name);
            digest.update(price_ms.to_be_bytes());
        }
        let hex: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        hex.chars().take(ID_DIGITS).collect()
    }

    /// The price list.
    pub fn prices(&self) -> Prices {
        Prices { name: Prices::MEASURED_NAME.to_owned(), calibration: Some(self.id()), each_ms: self.each_ms }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_belongs_to_a_store_and_its_prices() {
        let one = Calibration {
            store: "a".into(),
            address: "embedded:a".into(),
            measured_at: Moment::MIN,
            fit: Fit { r2: 1.0, worst: Experiment::default() },
            each_ms: Prices::guessed().each_ms,
        };
        let later = Calibration { measured_at: Moment::MAX, ..one.clone() };
        let elsewhere = Calibration { store: "b".into(), ..one.clone() };
        let mut edited = one.clone();
        edited.each_ms.seeks *= 2.0;
        assert_eq!((one.id().len(), one.id()), (4, later.id()));
        assert!(one.id() != elsewhere.id() && one.id() != edited.id());
        assert_eq!(one.prices().calibration, Some(one.id()));
    }
}
