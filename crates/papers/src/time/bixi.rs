//! Averages of stations over the last days (section V-B), on all schemas.

use std::collections::BTreeMap;
use std::time::Instant;

use tablesmith_access::series::{AggregateQuery, Entities, GroupBy, SeriesError, SeriesGroup};
use tablesmith_model::value::Value;
use tablesmith_store::aggregate::Figures;

use super::measure::{Given, Line, measure};
use super::paper::{DAYS, STATIONS};
use super::trial::Trial;

const DAY_MS: i64 = 86_400_000;
/// The metric whose average is asked for.
const METRIC: &str = "bikes";

/// What the readings are of.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Stations, with numbers from 1 on.
    pub stations: u32,
    /// The moment behind the last reading.
    pub end_ms: i64,
}

/// A question of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// How far it goes back.
    pub days: u32,
    /// Stations of the paper's 404 that it is about.
    pub of_404: u32,
}

impl Question {
    /// All of them.
    pub fn all() -> Vec<Self> {
        STATIONS.iter().flat_map(|of_404| DAYS.map(|days| Self { days, of_404: *of_404 })).collect()
    }

    /// As the paper writes it.
    pub fn name(self) -> String {
        format!("{}day-{}stations", self.days, self.of_404)
    }

    /// As many of the stations that there are.
    fn stations(self, extent: Extent) -> Entities {
        let count = (u64::from(extent.stations) * u64::from(self.of_404)).div_ceil(404);
        if count >= u64::from(extent.stations) {
            return Entities::All;
        }
        Entities::These((1..=count.cast_signed()).map(|number| vec![Value::Int(number)]).collect())
    }

    fn query(self, extent: Extent) -> AggregateQuery {
        AggregateQuery {
            entities: self.stations(extent),
            from: extent.end_ms - i64::from(self.days) * DAY_MS,
            to: extent.end_ms,
            metric: METRIC.to_owned(),
            group: GroupBy::Entity,
            figures: Figures::MEAN,
        }
    }
}

/// Asks all questions, each so many rounds.
pub async fn lines(
    trials: &[Trial],
    extent: Extent,
    rounds: usize,
    says: &mut (dyn FnMut(String) + Send),
) -> Result<Vec<(Question, Line)>, SeriesError> {
    let mut lines = Vec::new();
    for question in Question::all() {
        says(format!("asking {}", question.name()));
        let query = question.query(extent);
        let line =
            measure(trials, question.name(), rounds, BTreeMap::len, async |trial| ask(trial, &query).await);
        lines.push((question, line.await?));
    }
    Ok(lines)
}

/// Bicycles and readings by station: their average is the sum by the count.
type Sums = BTreeMap<SeriesGroup, (u64, String)>;

async fn ask(trial: &Trial, query: &AggregateQuery) -> Result<Given<Sums>, SeriesError> {
    let begun = Instant::now();
    let answer = trial.series.aggregate_in_regions(&*trial.store, &trial.table, query).await?.value;
    let millis = begun.elapsed().as_secs_f64() * 1e3;
    let sums =
        answer.groups.into_iter().map(|(group, of)| (group, (of.count, format!("{:?}", of.sum)))).collect();
    Ok(Given {
        answer: sums,
        millis,
        worked: answer.regions.into_iter().map(|worked| worked.server).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_stations_are_asked_in_proportion() {
        let small = Extent { stations: 17, end_ms: 20 * DAY_MS };
        let count = |of_404| match (Question { days: 1, of_404 }).stations(small) {
            Entities::These(stations) => stations.len(),
            Entities::All => 17,
        };
        assert_eq!((count(100), count(200), count(404)), (5, 9, 17));
        let query = Question { days: 2, of_404: 100 }.query(small);
        assert_eq!((query.from, query.to), (18 * DAY_MS, 20 * DAY_MS));
        assert_eq!(Question::all().len(), 15);
    }
}
