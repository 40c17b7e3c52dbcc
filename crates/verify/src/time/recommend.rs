//! Recommends a layout: predicts all, measures the best few on a sample, chooses.
//!
//! Prices that were measured on another day, or guessed, say little about how one layout compares with another of a
//! different kind. So all layouts that differ are measured where the store makes tables quickly: those that are far behind
//! leave the race early. Where making tables takes long, measuring goes in rounds: what the first layouts took corrects
//! the prices, and the next round takes those that look best by the corrected prices.

use std::time::{Duration, Instant};

use tablesmith_design::time::choose::finalists;
use tablesmith_design::time::{
    Candidate, Choice, Demands, Facts, Observed, Rejected, TimeQuery, choose, enumerate, predict,
};
use tablesmith_model::cost::Prices;
use tablesmith_model::series::SeriesLayout;
use tablesmith_model::workload::Table;
use tablesmith_store::Store;

use super::measure::{LayoutTimes, Measured, Options, Race};
use super::sample::Sample;
use super::script::script;
use super::tables::TimeError;
use super::tune::tuned;

/// Calls of each query in a script.
const CALLS_EACH: usize = 12;
/// The part of the time that loading may take; what is not loaded then is not measured in the first round.
const LOAD_SHARE: f64 = 0.45;
/// The part of the time that loading for a second round may take.
const SECOND_LOAD_SHARE: f64 = 0.15;
/// The part of the time that each of the first two rounds gets.
const ROUND_SHARE: f64 = 0.15;
/// The part of the time that the last round gets at least, in which the best are told apart.
const FINAL_SHARE: f64 = 0.3;
/// A layout that took more than this times the best does not get into the last round.
const CLOSE: f64 = 1.7;

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
    Observed { cost_ms, queries_ms, reading_bytes: times.reading_bytes, round: times.round }
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
        let calls = script(self.sample, self.sampled, self.queries, CALLS_EACH, self.terms.seed);
        let options =
            Options { time: self.terms.time, seed: self.terms.seed, interval: self.sampled.interval };
        let mut race = Race::new(self.store, self.table, self.sample, (self.queries, &calls), options);
        let outcome = self.rounds(&mut race, candidates, goes_on).await;
        race.finish(outcome).await
    }

    /// One race of all where there is time to load them. Else a round of some of all kinds, one of those that look best
    /// after it, and one of the best of both side by side.
    async fn rounds(
        &self,
        race: &mut Race<'_>,
        candidates: &[Candidate],
        goes_on: &mut (dyn FnMut(f64) -> bool + Send),
    ) -> Result<(), TimeError> {
        let begun = Instant::now();
        let first = finalists(candidates, self.terms.measured);
        let part = |share: f64| self.terms.time.mul_f64(share);
        let (load, load_more, round) = (part(LOAD_SHARE), part(SECOND_LOAD_SHARE), part(ROUND_SHARE));
        let refused = race.refused();
        let places =
            race.enter(&layouts(candidates, &first), load, &mut |share| goes_on(0.15 * share)).await?;
        let tried = places.len() + race.refused() - refused;
        if tried == first.len() {
            let left = self.terms.time.saturating_sub(begun.elapsed());
            let last = left.max(part(FINAL_SHARE));
            return race.run(&places, last, &mut |share| goes_on(0.15 + 0.85 * share)).await;
        }
        race.run(&places, round, &mut |share| goes_on(0.15 + 0.15 * share)).await?;
        let again = self.corrected(candidates, &race.layouts());
        let second = finalists(&again, self.terms.measured.saturating_sub(tried));
        let places = race
            .enter(&layouts(&again, &second), load_more, &mut |share| goes_on(0.3 + 0.15 * share))
            .await?;
        race.run(&places, round, &mut |share| goes_on(0.45 + 0.15 * share)).await?;
        let left = self.terms.time.saturating_sub(begun.elapsed());
        let last = left.max(part(FINAL_SHARE));
        race.run(&close(&race.layouts()), last, &mut |share| goes_on(0.6 + 0.4 * share)).await
    }

    /// Those that were not measured yet, predicted with prices that explain what was.
    fn corrected(&self, candidates: &[Candidate], measured: &[LayoutTimes]) -> Vec<Candidate> {
        let prices = tuned(&self.terms.prices, measured, self.sampled, self.queries);
        let is_new = |candidate: &&Candidate| measured.iter().all(|times| times.layout != candidate.layout);
        let again = |candidate: &Candidate| {
            let prediction = predict(&candidate.layout, self.sampled, self.queries, &prices, 1.0);
            Candidate { prediction, ..candidate.clone() }
        };
        candidates.iter().filter(is_new).map(again).collect()
    }
}

fn layouts(candidates: &[Candidate], places: &[usize]) -> Vec<SeriesLayout> {
    places.iter().filter_map(|place| candidates.get(*place)).map(|one| one.layout.clone()).collect()
}

/// The places of those that are not far behind the best.
fn close(measured: &[LayoutTimes]) -> Vec<usize> {
    let best = measured.iter().map(|times| times.cost_ms).fold(f64::INFINITY, f64::min);
    let is_close = |(_, times): &(usize, &LayoutTimes)| times.cost_ms <= CLOSE * best;
    measured.iter().enumerate().filter(is_close).map(|(place, _)| place).collect()
}
