//! Recommends a layout: predicts all, measures the best few on a sample, chooses.
//!
//! Prices that were measured on another day, or guessed, say little about how one layout compares with another of a
//! different kind. So measuring goes in rounds: what the first layouts took corrects the prices, and the next round takes
//! those that look best by the corrected prices.

use std::time::{Duration, Instant};

use tablesmith_design::time::choose::finalists;
use tablesmith_design::time::{
    Candidate, Choice, Demands, Facts, Observed, Rejected, TimeQuery, choose, enumerate, predict,
};
use tablesmith_model::cost::Prices;
use tablesmith_model::series::SeriesLayout;
use tablesmith_model::workload::Table;
use tablesmith_store::Store;

use super::measure::{LayoutTimes, Measured, Options, measure};
use super::sample::Sample;
use super::script::script;
use super::tables::TimeError;
use super::tune::tuned;

/// Calls of each query in a script.
const CALLS_EACH: usize = 12;
/// The part of the time that the last round gets, in which the best are told apart.
const FINAL_SHARE: f64 = 0.4;

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// How many layouts are measured; 0: none.
    pub measured: usize,
    /// How long measuring may take, in all.
    pub time: Duration,
    /// What chance is drawn from.
    pub seed: u64,
    /// What operations take.
    pub prices: Prices,
    /// What is asked of layouts besides holding the readings.
    pub demands: Demands,
}

/// A recommendation.
#[derive(Clone, Debug, PartialEq)]
pub struct Recommendation {
    /// The ranking, with reasons.
    pub choice: Choice,
    /// What cannot hold the readings, and why.
    pub rejected: Vec<Rejected>,
    /// Answers that differed between layouts: something is wrong with the store or with a layout.
    pub differences: Vec<String>,
    /// Readings that layouts were measured with.
    pub sample_readings: usize,
}

/// Predicts all layouts of a table, without measuring any.
pub fn predicted(
    table: &Table,
    facts: &Facts,
    queries: &[TimeQuery],
    terms: &Terms,
) -> (Vec<Candidate>, Vec<Rejected>) {
    let found = enumerate(table, facts, terms.demands);
    let candidate = |layout: SeriesLayout| {
        let prediction = predict(&layout, facts, queries, &terms.prices, 1.0);
        Candidate { layout, prediction, observed: None }
    };
    (found.layouts.into_iter().map(candidate).collect(), found.rejected)
}

/// Recommends a layout. `facts` are those of all readings, `sampled` those of the sample; without a sample nothing is
/// measured. `goes_on` hears how much is done and says whether to go on.
pub async fn recommend(
    store: &dyn Store,
    table: &Table,
    (facts, sampled): (&Facts, &Facts),
    queries: &[TimeQuery],
    sample: &Sample,
    terms: &Terms,
    goes_on: &mut (dyn FnMut(f64) -> bool + Send),
) -> Result<Recommendation, TimeError> {
    let (mut candidates, mut rejected) = predicted(table, facts, queries, terms);
    let mut differences = Vec::new();
    if terms.measured > 0 && !sample.readings.is_empty() && !queries.is_empty() {
        let contest = Contest { store, table, sampled, queries, sample, terms };
        let measured = contest.run(&candidates, goes_on).await?;
        differences = measured.differences;
        candidates.retain(|candidate| {
            let name = candidate.layout.name();
            measured.refused.iter().all(|refused| refused.layouts != name)
        });
        rejected.extend(measured.refused);
        for times in &measured.layouts {
            let place = candidates.iter_mut().find(|candidate| candidate.layout == times.layout);
            if let Some(candidate) = place {
                candidate.observed = Some(observed(candidate, times, sampled, queries, terms));
            }
        }
    }
    let choice = choose(table, facts, queries, candidates);
    Ok(Recommendation { choice, rejected, differences, sample_readings: sample.readings.len() })
}

/// What was measured on a sample, as it would be on all readings: times as much as is predicted for all over the sample.
fn observed(
    candidate: &Candidate,
    times: &LayoutTimes,
    sampled: &Facts,
    queries: &[TimeQuery],
    terms: &Terms,
) -> Observed {
    let small = predict(&candidate.layout, sampled, queries, &terms.prices, 1.0);
    let scaled = times.queries_ms.iter().enumerate().map(|(place, ms)| {
        let of = |queries: &[tablesmith_design::time::predict::QueryPrediction]| {
            queries.get(place).map_or(1.0, |query| query.cost_ms)
        };
        ms * of(&candidate.prediction.queries) / of(&small.queries).max(f64::MIN_POSITIVE)
    });
    let queries_ms: Vec<f64> = scaled.collect();
    let cost_ms = queries_ms.iter().zip(queries).map(|(ms, query)| ms * query.rate).sum();
    Observed { cost_ms, queries_ms, reading_bytes: times.reading_bytes }
}

/// Layouts that are measured, in rounds.
struct Contest<'a> {
    store: &'a dyn Store,
    table: &'a Table,
    sampled: &'a Facts,
    queries: &'a [TimeQuery],
    sample: &'a Sample,
    terms: &'a Terms,
}

impl Contest<'_> {
    async fn run(
        &self,
        candidates: &[Candidate],
        goes_on: &mut (dyn FnMut(f64) -> bool + Send),
    ) -> Result<Measured, TimeError> {
        let begun = Instant::now();
        let most = self.terms.measured;
        let first = finalists(candidates, most.div_ceil(2));
        let layouts = |places: &[usize]| -> Vec<SeriesLayout> {
            places.iter().filter_map(|place| candidates.get(*place)).map(|one| one.layout.clone()).collect()
        };
        let round = self.terms.time.mul_f64((1.0 - FINAL_SHARE) / 4.0);
        let mut all = self.measure(&layouts(&first), round, &mut |share| goes_on(0.3 * share)).await?;
        let prices = tuned(&self.terms.prices, &all.layouts, self.sampled, self.queries);
        let again: Vec<Candidate> = candidates
            .iter()
            .filter(|candidate| all.layouts.iter().all(|times| times.layout != candidate.layout))
            .map(|candidate| {
                let prediction = predict(&candidate.layout, self.sampled, self.queries, &prices, 1.0);
                Candidate { prediction, ..candidate.clone() }
            })
            .collect();
        let second = finalists(&again, most.saturating_sub(first.len()));
        let next: Vec<SeriesLayout> =
            second.iter().filter_map(|place| again.get(*place)).map(|one| one.layout.clone()).collect();
        if !next.is_empty() {
            let more = self.measure(&next, round, &mut |share| goes_on(0.3 + 0.3 * share)).await?;
            all.layouts.extend(more.layouts);
            all.refused.extend(more.refused);
            all.differences.extend(more.differences);
        }
        self.tell_apart(&mut all, begun, &mut |share| goes_on(0.6 + 0.4 * share)).await?;
        Ok(all)
    }

    /// The best of both rounds side by side, for as long as there is time.
    async fn tell_apart(
        &self,
        all: &mut Measured,
        begun: Instant,
        goes_on: &mut (dyn FnMut(f64) -> bool + Send),
    ) -> Result<(), TimeError> {
        let best = all.layouts.iter().map(|times| times.cost_ms).fold(f64::INFINITY, f64::min);
        let close: Vec<SeriesLayout> = all
            .layouts
            .iter()
            .filter(|times| times.cost_ms <= CLOSE * best)
            .map(|times| times.layout.clone())
            .collect();
        if close.len() < 2 {
            return Ok(());
        }
        let left = self.terms.time.saturating_sub(begun.elapsed()).mul_f64(0.8);
        let last = self.measure(&close, left, goes_on).await?;
        all.differences.extend(last.differences);
        for times in last.layouts {
            if let Some(old) = all.layouts.iter_mut().find(|old| old.layout == times.layout) {
                *old = times;
            }
        }
        Ok(())
    }

    async fn measure(
        &self,
        layouts: &[SeriesLayout],
        time: Duration,
        goes_on: &mut (dyn FnMut(f64) -> bool + Send),
    ) -> Result<Measured, TimeError> {
        let calls = script(self.sample, self.sampled, self.queries, CALLS_EACH, self.terms.seed);
        let options = Options { time, seed: self.terms.seed, interval: self.sampled.interval };
        measure(self.store, self.table, layouts, self.sample, (self.queries, &calls), options, goes_on).await
    }
}

/// A layout that took more than this times the best does not get another chance.
const CLOSE: f64 = 1.5;
