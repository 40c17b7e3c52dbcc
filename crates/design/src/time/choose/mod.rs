//! Which layout: by what was measured where something was, else by what is predicted.

mod finalists;
mod reasons;

pub use finalists::finalists;

use tablesmith_model::series::SeriesLayout;
use tablesmith_model::workload::Table;

use super::facts::Facts;
use super::predict::Prediction;
use super::query::TimeQuery;

/// Layouts whose measured times are as close as this are equally fast; then the one that stores less is taken.
const SAME: f64 = 1.02;

/// A layout with what is expected of it and what was seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The layout.
    pub layout: SeriesLayout,
    /// What its queries are expected to take.
    pub prediction: Prediction,
    /// What they took on a sample, where that was measured.
    pub observed: Option<Observed>,
}

/// What was measured of a layout.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// The sum over all queries of rate × time, in milliseconds.
    pub cost_ms: f64,
    /// What one call of each query took, in milliseconds, in the order of the queries.
    pub queries_ms: Vec<f64>,
    /// Bytes of a reading, as the store counts what it keeps, after flush and compaction; none when it does not.
    pub reading_bytes: Option<f64>,
    /// The round of measuring that it was in last: only the best come into a later one.
    pub round: usize,
}

/// The ranking, with the best first, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// All candidates, those that were measured first.
    pub candidates: Vec<Candidate>,
    /// Why the first is the best, in sentences.
    pub reasons: Vec<String>,
    /// What it cannot do, in sentences.
    pub limits: Vec<String>,
}

impl Choice {
    /// The recommended layout; none when no layout can hold the readings.
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first()
    }
}

/// Ranks candidates and says why.
pub fn choose(table: &Table, facts: &Facts, queries: &[TimeQuery], mut candidates: Vec<Candidate>) -> Choice {
    rank(&mut candidates);
    let reasons = reasons::reasons(facts, queries, &candidates);
    let limits = candidates.first().map(|best| best.layout.limits(table)).unwrap_or_default();
    Choice { candidates, reasons, limits }
}

/// Measured ones first, those of the last round before all others, by what was measured; then the rest, by what is
/// predicted.
fn rank(candidates: &mut [Candidate]) {
    let cost = |candidate: &Candidate| match &candidate.observed {
        Some(observed) => (observed.round.max(1), observed.cost_ms),
        None => (0, candidate.prediction.cost_ms),
    };
    candidates.sort_by(|one, two| {
        let ((round, one), (other_round, two)) = (cost(one), cost(two));
        other_round.cmp(&round).then(one.total_cmp(&two))
    });
    let Some(fastest) = candidates.first().and_then(|best| best.observed.as_ref()) else { return };
    let (limit, round) = (fastest.cost_ms * SAME, fastest.round);
    let is_as_fast = |candidate: &&Candidate| {
        candidate
            .observed
            .as_ref()
            .is_some_and(|observed| observed.round == round && observed.cost_ms <= limit)
    };
    let equals = candidates.iter().take_while(is_as_fast).count();
    let smallest =
        candidates.iter().take(equals).enumerate().min_by(|(_, one), (_, two)| {
            one.prediction.reading_bytes.total_cmp(&two.prediction.reading_bytes)
        });
    if let Some((place, _)) = smallest {
        candidates.get_mut(..=place).unwrap_or_default().rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::testing::{facts, table};
    use crate::time::{Demands, enumerate, predict};
    use tablesmith_model::cost::Prices;

    fn candidates() -> Vec<Candidate> {
        let layouts = enumerate(&table(1), &facts(1), Demands::default()).layouts;
        let candidate = |layout: SeriesLayout| {
            let prediction = predict(&layout, &facts(1), &[], &Prices::guessed(), 1.0);
            Candidate { layout, prediction, observed: None }
        };
        layouts.into_iter().take(6).map(candidate).collect()
    }

    fn observed(cost_ms: f64) -> Option<Observed> {
        Some(Observed { cost_ms, queries_ms: Vec::new(), reading_bytes: None, round: 1 })
    }

    #[test]
    fn what_was_measured_comes_before_what_is_only_expected() {
        let mut given = candidates();
        for (place, candidate) in given.iter_mut().enumerate() {
            candidate.prediction.cost_ms = place as f64;
        }
        given[4].observed = observed(9.0);
        given[2].observed = observed(12.0);
        // The first was far behind in an earlier round, when the machine was quiet.
        given[0].observed = observed(8.0);
        for place in [4, 2] {
            given[place].observed.as_mut().unwrap().round = 2;
        }
        let names: Vec<String> = given.iter().map(|candidate| candidate.layout.name()).collect();
        let choice = choose(&table(1), &facts(1), &[], given);
        let ranked: Vec<String> = choice.candidates.iter().map(|candidate| candidate.layout.name()).collect();
        let expected: Vec<&String> = [4, 2, 0, 1, 3, 5].iter().map(|place| &names[*place]).collect();
        assert_eq!(ranked.iter().collect::<Vec<_>>(), expected);
        assert!(!choice.limits.is_empty());
    }

    #[test]
    fn of_two_that_are_equally_fast_the_smaller_is_taken() {
        let mut given = candidates();
        for (place, cost_ms) in [(0, 100.0), (1, 101.0), (2, 101.5), (3, 103.0)] {
            given[place].observed = observed(cost_ms);
            given[place].prediction.reading_bytes = 50.0 - 10.0 * place as f64;
        }
        let third = given[2].layout.name();
        rank(&mut given);
        assert_eq!(given[0].layout.name(), third);
        let costs: Vec<f64> = given.iter().filter_map(|one| Some(one.observed.as_ref()?.cost_ms)).collect();
        assert_eq!(costs, [101.5, 100.0, 101.0, 103.0]);
    }
}
