//! All schemas in turn, the median of several rounds.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tablesmith_access::series::SeriesError;

use super::trial::Trial;
use tablesmith_verify::statistics::{quantile, sorted};

/// What a question gave on one schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Given<A> {
    /// The answer, the same on all schemas.
    pub answer: A,
    /// How long it took, in milliseconds.
    pub millis: f64,
    /// The servers of the regions that worked, one for each region.
    pub worked: Vec<String>,
}

/// A question on one schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The median of all rounds, in milliseconds.
    pub millis: f64,
    /// Regions that worked, by server.
    pub regions: BTreeMap<String, usize>,
}

impl Cell {
    /// Regions that worked.
    pub fn region_count(&self) -> usize {
        self.regions.values().sum()
    }
}

/// A question on all schemas.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The question, as the paper writes it.
    pub question: String,
    /// What it gave, by schema.
    pub cells: Vec<Cell>,
    /// How large the answer was.
    pub found: usize,
    /// Whether all schemas answered the same.
    pub answers_equal: bool,
}

impl Line {
    /// The median on a schema, in milliseconds.
    pub fn millis(&self, schema: usize) -> Option<f64> {
        self.cells.get(schema).map(|cell| cell.millis)
    }
}

/// A question that has taken so long is answered by the rounds that it had: long times need no long series.
const PATIENCE: Duration = Duration::from_secs(5);
/// As many rounds it has in any case.
const LEAST_ROUNDS: usize = 2;

/// Asks a question on all schemas in turn, so many rounds; one more before them does not count. Long questions get fewer.
pub async fn measure<A: PartialEq>(
    trials: &[Trial],
    question: String,
    rounds: usize,
    size: impl Fn(&A) -> usize,
    ask: impl AsyncFn(&Trial) -> Result<Given<A>, SeriesError>,
) -> Result<Line, SeriesError> {
    let mut times = vec![Vec::with_capacity(rounds); trials.len()];
    let mut last: Vec<Option<Given<A>>> = trials.iter().map(|_| None).collect();
    let begun = Instant::now();
    for round in 0..=rounds {
        if round > LEAST_ROUNDS && begun.elapsed() > PATIENCE {
            break;
        }
        for (place, trial) in trials.iter().enumerate() {
            let given = ask(trial).await?;
            if let (Some(times), true) = (times.get_mut(place), round > 0) {
                times.push(given.millis);
            }
            if let Some(last) = last.get_mut(place) {
                *last = Some(given);
            }
        }
    }
    let last: Vec<Given<A>> = last.into_iter().flatten().collect();
    let answers_equal =
        last.windows(2).all(|pair| matches!(pair, [one, other] if one.answer == other.answer));
    let found = last.first().map(|given| size(&given.answer)).unwrap_or_default();
    let cells = times.into_iter().zip(last).map(|(times, given)| cell(times, given.worked)).collect();
    Ok(Line { question, cells, found, answers_equal })
}

fn cell(times: Vec<f64>, worked: Vec<String>) -> Cell {
    let mut regions = BTreeMap::new();
    for server in worked {
        *regions.entry(server).or_default() += 1;
    }
    Cell { millis: quantile(&sorted(times), 0.5).unwrap_or(f64::NAN), regions }
}
