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

impl Pair {
    /// The same comparison seen from the other design. Shares were of the mean of `b` and become shares of the mean of `a`, which
    /// is `1 − share` times as large; where nothing is left of it there is no share.
    pub fn turned(&self) -> Self {
        let rescaled = |share: f64| if self.share < 1.0 { -share / (1.0 - self.share) } else { 0.0 };
        Self {
            a: self.b.clone(),
            b: self.a.clone(),
            difference: -self.difference,
            low: -self.high,
            high: -self.low,
            t: -self.t,
            p: self.p,
            effect: -self.effect,
            queries: self.queries,
            share: rescaled(self.share),
            share_low: rescaled(self.share_high),
            share_high: rescaled(self.share_low),
            distribution: Distribution(self.distribution.0.iter().rev().map(|value| -value).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(share: f64) -> Pair {
        Pair {
            a: "slow".into(),
            b: "fast".into(),
            difference: -15.0,
            low: -16.0,
            high: -14.0,
            share,
            share_low: share - 0.2,
            share_high: share + 0.2,
            distribution: Distribution(vec![-20.0, 1.0]),
            ..Pair::default()
        }
    }

    #[test]
    fn shares_are_of_the_other_mean_when_a_pair_is_turned() {
        let turned = pair(-3.0).turned();
        assert_eq!(
            (turned.a.as_str(), turned.difference, turned.low, turned.high),
            ("fast", 15.0, 14.0, 16.0)
        );
        assert_eq!((turned.share, turned.share_low, turned.share_high), (0.75, 0.7, 0.8));
        assert_eq!(turned.distribution.0, [-1.0, 20.0]);
    }

    #[test]
    fn a_design_that_takes_no_time_has_no_share() {
        for share in [1.0, 1.5] {
            let turned = pair(share).turned();
            assert_eq!((turned.share, turned.share_low, turned.share_high), (0.0, 0.0, 0.0));
        }
    }
}
