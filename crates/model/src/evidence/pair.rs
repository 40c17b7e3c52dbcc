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
    pub difference: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Student's t; infinite when all differences are alike.
    pub t: f64,
    /// The chance of a t at least as far from 0 when there is no difference (two-sided).
    pub p: f64,
    /// The effect size: the mean difference in standard deviations of the differences (Cohen's d for pairs).
    pub effect: f64,
    /// Pairs that were compared.
    pub queries: u64,
    /// The difference as a share of the mean of `b`: 0.36 when `a` takes 36 % less.
    pub share: f64,
    /// The lower end of the interval, as such a share.
    pub share_low: f64,
    /// The upper end.
    pub share_high: f64,
    /// All differences, as percentiles.
    pub distribution: Distribution,
}
