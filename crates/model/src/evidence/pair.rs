//! Two designs on the same queries.

use serde::{Deserialize, Serialize};

use super::Distribution;

/// The paired comparison of two designs: differences of response times, `b` minus `a`, query by query.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// The one design.
    pub a: String,
    /// The other.
    pub b: String,
    /// The mean difference in milliseconds; positive when `a` answers faster.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub difference: f64,
    /// The lower end of its 95 % interval.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub low: f64,
    /// The upper end.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub high: f64,
    /// Student's t; infinite when all differences are alike.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub t: f64,
    /// The chance of a t at least as far from 0 when there is no difference (two-sided).
    #[serde(deserialize_with = "super::number::or_nan")]
    pub p: f64,
    /// The effect size: the mean difference in standard deviations of the differences (Cohen's d for pairs).
    #[serde(deserialize_with = "super::number::or_nan")]
    pub effect: f64,
    /// Pairs that were compared.
    pub queries: u64,
    /// The difference as a share of the mean of `b`: 0.36 when `a` takes 36 % less.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub share: f64,
    /// The lower end of the interval, as such a share.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub share_low: f64,
    /// The upper end.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub share_high: f64,
    /// All differences, as percentiles.
    pub distribution: Distribution,
}
