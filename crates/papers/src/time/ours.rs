//! The layout that `tablesmith time` recommends for the paper's own questions.

use std::time::Duration;

use crate::time::bixi::Extent;
use crate::time::data::Data;
use tablesmith_app::leftovers::TemporaryTables;
use tablesmith_app::{AppError, Context};
use tablesmith_design::time::{Demands, Facts, Group, TimeKind, TimeQuery, Whose};
use tablesmith_model::cost::Prices;
use tablesmith_model::series::SeriesLayout;
use tablesmith_store::Store;
use tablesmith_verify::time::{Sampler, Terms, recommend};

use super::run::Task;
use crate::PaperError;

/// As `tablesmith time` does it when nothing else is said.
const MEASURED: usize = 64;
const SAMPLE_READINGS: usize = 30_000;
const MEASURING: Duration = Duration::from_secs(15);

const DAY_MS: f64 = 86_400_000.0;
/// Table VII and VIII: averages over the last so many days …
const DAYS: [f64; 5] = [1.0, 2.0, 4.0, 8.0, 16.0];
/// … of so many of the 404 stations.
const STATIONS: [f64; 3] = [100.0, 200.0, 404.0];
/// Table VI: how often queries 1 and 2 are asked, and for how many particles query 3 is.
const QUERY_1: f64 = 5.0;
const QUERY_2: f64 = 9.0;
const PARTICLES: [f64; 9] = [10.0, 10.0, 10.0, 10.0, 10.0, 50.0, 50.0, 100.0, 150.0];
/// From the first snapshot of the paper to the last.
const SNAPSHOTS: f64 = 512.0 - 24.0;

/// The paper's averages, each as often as the others.
pub fn station_questions(extent: Extent) -> Vec<TimeQuery> {
    let share = f64::from(extent.stations) / 404.0;
    let question = |stations: f64, days: f64| TimeQuery {
        name: format!("{stations} stations over {days} days"),
        rate: 1.0,
        kind: TimeKind::Aggregate {
            entities: if stations < 404.0 { Whose::Named((stations * share).max(1.0)) } else { Whose::All },
            length: days * DAY_MS,
            group: Group::Entity,
        },
        metrics: vec!["bikes".to_owned()],
    };
    STATIONS.iter().flat_map(|stations| DAYS.map(|days| question(*stations, days))).collect()
}

/// The paper's three queries, as often as it asks each.
pub fn particle_questions() -> Vec<TimeQuery> {
    let question = |name: &str, rate, kind, metric: &str| TimeQuery {
        name: name.to_owned(),
        rate,
        kind,
        metrics: vec![metric.to_owned()],
    };
    let mut questions = vec![
        question("query 1", QUERY_1, TimeKind::Instant { entities: Whose::All }, "tform"),
        question("query 2", QUERY_2, TimeKind::Compare, "mass"),
    ];
    questions.extend(PARTICLES.map(|particles| {
        let kind = TimeKind::Range { entities: Whose::Named(particles), length: SNAPSHOTS };
        question("query 3", 1.0, kind, "eps")
    }));
    questions
}

/// The layout that is recommended for some questions, with a sample of the data measured on the store.
pub async fn recommended(
    context: &Context,
    store: &dyn Store,
    data: &Data,
    questions: &[TimeQuery],
    task: &Task,
) -> Result<Option<SeriesLayout>, PaperError> {
    let Some(facts) = Facts::declared(&data.table) else { return Ok(None) };
    let mut sampler = Sampler::new(SAMPLE_READINGS);
    (data.readings)().for_each(|reading| sampler.take(reading));
    let sample = sampler.finish();
    let terms = Terms {
        measured: MEASURED,
        time: MEASURING,
        seed: task.seed,
        prices: Prices::guessed(),
        // The paper asks only; what is written while it does is nobody's question.
        demands: Demands { servers: None, has_writes: false },
    };
    let table = &data.table;
    let mut goes_on = |share: f64| {
        let percent = 100.0 * share;
        context.progress.detail(&format!("{}: looking for a layout of ours, {percent:.0} %", table.name));
        !context.cancellation.is_cancelled()
    };
    let sampled = sample.facts(&facts);
    let tables = TemporaryTables::new("the experiment, in the namespace tablesmith_verify");
    let found = recommend(store, table, (&facts, &sampled), questions, &sample, &terms, &mut goes_on).await;
    let found = tables.dropped(context, found.map_err(AppError::from))?;
    Ok(found.choice.best().map(|best| best.layout.clone()))
}
