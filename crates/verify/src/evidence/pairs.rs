//! Pairs of designs on the same calls.
//!
//! The unit is a call, not a turn: a call that was made several times counts once. Else a short script that is gone through
//! often would look like many queries, and the test would be surer than it may be.
//!
//! It counts with its middle time. Response times have heavy tails: now and then the machine does something else for as
//! long as a hundred calls take. One such call in a thousand shifts a mean by a tenth and makes every interval too wide to
//! see what differs. Turns of one call are far apart, so that no two of them meet with the same disturbance. Nothing is
//! left out by this: all times are in the means and percentiles of the designs, and what is far off is listed there.
//!
//! What disturbs more than one turn of a call does not spoil the test either, because both designs of a pair are asked
//! within a moment and in random order: without a true difference, differences are as often positive as negative, with
//! the same tails on both sides. The t of symmetric heavy tails is closer to 0 than the table assumes, so such a test errs
//! to the safe side.

use tablesmith_model::evidence::{Distribution, Pair};

use crate::replay::Measured;
use crate::statistics::{Paired, mean, percentiles, quantile, sorted};

/// The middle time of each call that was made, for one design.
pub(super) fn per_call(measured: &Measured, design: usize, calls: usize) -> Vec<f64> {
    let mut times = vec![Vec::new(); calls];
    for timed in &measured.turns {
        if let (Some(times), Some(ms)) = (times.get_mut(timed.call), timed.times_ms.get(design)) {
            times.push(*ms);
        }
    }
    times.into_iter().filter_map(|times| quantile(&sorted(times), 0.5)).collect()
}

/// The comparison of two designs by the times of their calls; `None` of fewer than two calls.
pub fn pair(a: (&str, &[f64]), b: (&str, &[f64])) -> Option<Pair> {
    let differences: Vec<f64> = a.1.iter().zip(b.1).map(|(a, b)| b - a).collect();
    let test = Paired::of(&differences)?;
    let base = mean(b.1).filter(|mean| *mean > 0.0)?;
    Some(Pair {
        a: a.0.to_owned(),
        b: b.0.to_owned(),
        difference: test.mean,
        low: test.low,
        high: test.high,
        t: test.t,
        p: test.p,
        effect: test.effect,
        queries: test.pairs,
        share: test.mean / base,
        share_low: test.low / base,
        share_high: test.high / base,
        distribution: Distribution(percentiles(&sorted(differences))),
    })
}

/// The pair of these two, whichever way round it was measured.
pub(super) fn between(pairs: &[Pair], a: &str, b: &str) -> Option<Pair> {
    let is = |pair: &&Pair, a: &str, b: &str| pair.a == a && pair.b == b;
    let same = pairs.iter().find(|pair| is(pair, a, b)).cloned();
    same.or_else(|| pairs.iter().find(|pair| is(pair, b, a)).map(Pair::turned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Timed;

    #[test]
    fn a_pair_seen_from_the_other_side_is_the_pair_of_the_other_order() {
        let (a, b) = ([1.0, 2.0, 3.5, 1.0], [2.0, 2.5, 4.0, 2.5]);
        let (ab, ba) = (pair(("a", &a), ("b", &b)).unwrap(), pair(("b", &b), ("a", &a)).unwrap());
        let turned = ab.turned();
        assert!((turned.share - ba.share).abs() < 1e-12 && (turned.share_low - ba.share_low).abs() < 1e-12);
        let all = |pair: &Pair| pair.distribution.0.clone();
        assert!(all(&turned).iter().zip(all(&ba)).all(|(one, other)| (one - other).abs() < 1e-12));
        let exact = |pair: Pair| Pair {
            share: 0.0,
            share_low: 0.0,
            share_high: 0.0,
            distribution: Distribution::default(),
            ..pair
        };
        assert_eq!(exact(turned), exact(ba));
        assert!((ab.share - 3.5 / 11.0).abs() < 1e-12, "{ab:?}");
    }

    #[test]
    fn a_call_counts_once_and_with_its_middle_time() {
        let timed = |turn, call, ms| Timed { turn, call, times_ms: vec![ms, 2.0 * ms], rows: 0 };
        let turns = vec![timed(0, 0, 1.0), timed(1, 2, 5.0), timed(2, 0, 3.0), timed(3, 0, 900.0)];
        let measured = Measured { turns, ..Measured::default() };
        assert_eq!(per_call(&measured, 0, 3), [3.0, 5.0]);
        assert_eq!(per_call(&measured, 1, 3), [6.0, 10.0]);
    }
}
