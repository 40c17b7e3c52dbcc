//! A pair with the faster design first, so that all pairs read alike: the first is faster, by so much.

use tablesmith_model::evidence::Pair;

/// The pair as it is, or turned round when its second design is the faster one.
pub fn faster_first(pair: &Pair) -> Pair {
    if pair.difference < 0.0 { pair.turned() } else { pair.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::evidence::Distribution;

    /// Means of 20 ms and 5 ms.
    fn slower_first() -> Pair {
        Pair {
            a: "slow".into(),
            b: "fast".into(),
            difference: -15.0,
            low: -16.0,
            high: -14.0,
            t: -30.0,
            share: -3.0,
            share_low: -3.2,
            share_high: -2.8,
            distribution: Distribution(vec![-20.0, 1.0]),
            ..Pair::default()
        }
    }

    #[test]
    fn the_faster_design_comes_first_with_its_own_shares() {
        let pair = faster_first(&slower_first());
        assert_eq!(
            (pair.a.as_str(), pair.difference, pair.low, pair.high, pair.t),
            ("fast", 15.0, 14.0, 16.0, 30.0)
        );
        assert_eq!((pair.share, pair.share_low, pair.share_high), (0.75, 0.7, 0.8));
        assert_eq!(pair.distribution.0, [-1.0, 20.0]);
    }

    #[test]
    fn a_pair_that_reads_well_stays_as_it_is() {
        let pair = faster_first(&slower_first());
        assert_eq!(faster_first(&pair), pair);
    }
}
