//! Queries 1 to 3 on particles (section V-B), on all schemas.

use std::time::Instant;

use tablesmith_access::series::{Entities, MatchQuery, RangeQuery, SeriesError};
use tablesmith_model::value::Value;
use tablesmith_store::filter::CompareOp;

use super::measure::{Given, Line, measure};
use super::paper::{FIRST_ID, QUERY_1, QUERY_2, QUERY_3, STAR};
use super::trial::Trial;

/// What came out of the three queries, in the order of table VI.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// Stars with a property.
    pub query_1: Vec<Line>,
    /// Stars that were born.
    pub query_2: Vec<Line>,
    /// A property over snapshots.
    pub query_3: Vec<Line>,
}

/// Asks all questions, each so many rounds.
pub async fn lines(
    trials: &[Trial],
    rounds: usize,
    says: &mut (dyn FnMut(String) + Send),
) -> Result<Lines, SeriesError> {
    let mut lines = Lines::default();
    for (formed, snapshot, _) in QUERY_1 {
        let name = format!("{STAR};tform;>{formed};{snapshot}");
        says(format!("asking {name}"));
        let line =
            measure(trials, name, rounds, Vec::len, async |trial| matching(trial, formed, snapshot).await);
        lines.query_1.push(line.await?);
    }
    for (later, earlier, _) in QUERY_2 {
        let name = format!("{STAR};{later};{earlier}");
        says(format!("asking {name}"));
        let line = measure(trials, name, rounds, Vec::len, async |trial| born(trial, earlier, later).await);
        lines.query_2.push(line.await?);
    }
    for (count, snapshots, _) in QUERY_3 {
        let name = format!("{STAR};eps:[{FIRST_ID},{count}];{snapshots:?}");
        says(format!("asking {name}"));
        let line = measure(trials, name, rounds, Vec::len, async |trial| over(trial, count, snapshots).await);
        lines.query_3.push(line.await?);
    }
    Ok(lines)
}

type Particles = Vec<Vec<Value>>;

/// Query 1: stars of a snapshot that were formed after a time.
async fn matching(trial: &Trial, formed: f64, snapshot: i64) -> Result<Given<Particles>, SeriesError> {
    let query = MatchQuery {
        at: snapshot,
        metric: "tform".to_owned(),
        op: CompareOp::Greater,
        value: Value::Float(formed),
    };
    let begun = Instant::now();
    let found = trial.series.matching(&*trial.store, &trial.table, &query).await?.value;
    let millis = begun.elapsed().as_secs_f64() * 1e3;
    let worked = found.regions.into_iter().map(|worked| worked.server).collect();
    Ok(Given { answer: stars(found.entities), millis, worked })
}

/// Query 2: stars that a snapshot has and an earlier one has not.
async fn born(trial: &Trial, earlier: i64, later: i64) -> Result<Given<Particles>, SeriesError> {
    let begun = Instant::now();
    let found = trial.series.compare_in_regions(&*trial.store, &trial.table, earlier, later).await?.value;
    let millis = begun.elapsed().as_secs_f64() * 1e3;
    let worked = found.regions.into_iter().map(|worked| worked.server).collect();
    Ok(Given { answer: stars(found.difference.appeared), millis, worked })
}

/// Only stars, in the order of their ids: every schema has its own.
fn stars(mut particles: Particles) -> Particles {
    particles.retain(|particle| particle.first() == Some(&Value::Int(STAR)));
    particles.sort();
    particles
}

/// Query 3: the softening of some stars over some snapshots.
async fn over(
    trial: &Trial,
    count: u64,
    snapshots: &[i64],
) -> Result<Given<Vec<(i64, Vec<Value>, Vec<Value>)>>, SeriesError> {
    let ids = FIRST_ID..FIRST_ID + count.cast_signed();
    let stars: Vec<Vec<Value>> = ids.map(|id| vec![Value::Int(STAR), Value::Int(id)]).collect();
    let begun = Instant::now();
    let mut found = Vec::new();
    for (first, last) in stretches(trial, snapshots) {
        let query = RangeQuery {
            entities: Entities::These(stars.clone()),
            ..RangeQuery::all(first, last + 1).metrics(["eps"])
        };
        let readings = trial.series.range(&*trial.store, &trial.table, &query).await?.all().await?.value;
        found.extend(readings.into_iter().filter(|reading| snapshots.contains(&reading.at)));
    }
    let millis = begun.elapsed().as_secs_f64() * 1e3;
    let mut answer: Vec<_> = found.into_iter().map(|one| (one.at, one.entity, one.metrics)).collect();
    answer.sort();
    let mut rows = Vec::new();
    for star in &stars {
        for snapshot in snapshots {
            rows.push(trial.series.row_key(star, *snapshot)?);
        }
    }
    Ok(Given { answer, millis, worked: trial.servers_of(&rows) })
}

/// What is asked for at once: all snapshots where those of a star lie together, else each for itself.
fn stretches(trial: &Trial, snapshots: &[i64]) -> Vec<(i64, i64)> {
    let each = || snapshots.iter().map(|snapshot| (*snapshot, *snapshot)).collect();
    match (snapshots.first(), snapshots.last()) {
        (Some(first), Some(last)) if !trial.schema.layout.order.is_time_first() => vec![(*first, *last)],
        _ => each(),
    }
}
