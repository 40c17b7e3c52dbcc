//! What `tablesmith time` does: measures a table's readings, predicts all layouts, measures the best few, and says which.
//!
//! [`source`] reads the rows, [`decide`] puts everything together; [`text`], [`json`] and [`page`] show what was found,
//! [`write`](mod@write) puts it into a design.

pub mod json;
pub mod page;
mod source;
pub mod text;
pub mod write;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tablesmith_design::time::{Demands, Facts, Questions, choose, questions};
use tablesmith_model::cost::Prices;
use tablesmith_model::series::SeriesLayout;
use tablesmith_model::workload::{Table, Workload};
use tablesmith_store::Store;
use tablesmith_verify::time::{Recommendation, Terms, TimeError, predicted, recommend};

use crate::arguments::Global;
use crate::failure::Failure;
use crate::families::asked;
use crate::interrupt::{self, TemporaryTables};
use crate::verify::progress::Bars;
use crate::{calibrate, open, workload_file};
use source::Found;

/// Steps of the bar.
const BAR_STEPS: u64 = 1_000;

/// What was asked for.
pub struct Task {
    /// Only this table.
    pub table: Option<String>,
    /// How many layouts are measured; 0: none.
    pub measured: usize,
    /// Readings that they are measured with, at most.
    pub sample: usize,
    /// How long measuring may take.
    pub time: Duration,
}

/// What was found for a table.
pub struct Answer {
    /// The table.
    pub table: Table,
    /// What is known of its readings.
    pub facts: Facts,
    /// What is asked of them.
    pub questions: Questions,
    /// The ranking and why.
    pub recommendation: Recommendation,
    /// What operations were taken to cost.
    pub prices: Prices,
    /// Rows that could not be read, and the first reason.
    pub rejected: Option<(u64, String)>,
    /// What was assumed or left out, in sentences.
    pub notes: Vec<String>,
}

/// Recommends a layout for each table of readings of a workload.
pub async fn decide(global: &Global, path: &Path, task: &Task) -> Result<Vec<Answer>, Failure> {
    let workload = workload_file::read(path)?;
    let tables = wanted(&workload, path, task.table.as_deref())?;
    let asked = asked(&workload, path, &mut |_| {})?;
    let prices =
        calibrate::of_store(global, false).await?.map_or_else(Prices::guessed, |found| found.prices());
    let bars = Bars::default();
    let mut store: Option<Arc<dyn Store>> = None;
    let mut answers = Vec::new();
    for table in tables {
        let directory = path.parent().unwrap_or(Path::new(""));
        let found = source::read(directory, table, task.sample, &bars)?;
        if store.is_none() && task.measured > 0 && found.sample.is_some() {
            store = Some(open::bare(global).await?);
        }
        let questions = questions(&workload, table, &found.facts, &asked.queries);
        let terms = Terms {
            measured: task.measured,
            time: task.time,
            seed: global.seed,
            prices: prices.clone(),
            demands: Demands {
                servers: global.servers.map(u32::from).or(workload.cluster.region_servers),
                has_writes: questions.queries.iter().any(|query| query.writes()),
            },
        };
        let mut goes_on = {
            let bar = bars.begin(&format!("{}: measuring layouts", table.name), BAR_STEPS);
            move |share: f64| {
                bar.set_position((share * BAR_STEPS as f64) as u64);
                !interrupt::is_interrupted()
            }
        };
        let recommendation = rank(store.as_deref(), table, &found, &questions, &terms, &mut goes_on).await?;
        bars.end();
        answers.push(answer(table, found, questions, recommendation, terms.prices, &asked.notes));
    }
    Ok(answers)
}

async fn rank(
    store: Option<&dyn Store>,
    table: &Table,
    found: &Found,
    questions: &Questions,
    terms: &Terms,
    goes_on: &mut (dyn FnMut(f64) -> bool + Send),
) -> Result<Recommendation, Failure> {
    let queries = &questions.queries;
    match (store, &found.sample) {
        (Some(store), Some(sample)) => {
            let sampled = sample.facts(&found.facts);
            let tables = TemporaryTables::new("time, in the namespace tablesmith_verify");
            let facts = (&found.facts, &sampled);
            let recommended = recommend(store, table, facts, queries, sample, terms, goes_on).await;
            tables.dropped(recommended.map_err(failure))
        }
        _ => {
            let (candidates, rejected) = predicted(table, &found.facts, queries, terms);
            let choice = choose(table, &found.facts, queries, candidates);
            Ok(Recommendation { choice, rejected, differences: Vec::new(), sample_readings: 0 })
        }
    }
}

fn answer(
    table: &Table,
    found: Found,
    questions: Questions,
    recommendation: Recommendation,
    prices: Prices,
    asked: &[String],
) -> Answer {
    let mut notes: Vec<String> = asked.to_vec();
    notes.extend(found.facts.assumed.iter().cloned());
    notes.extend(questions.notes.iter().cloned());
    notes.extend(found.notes);
    if questions.queries.is_empty() {
        notes.push(format!(
            "no query asks anything of {}: all layouts are equally fast, so the first is as good as any; add [[query]] to the \
             workload",
            table.name
        ));
    }
    Answer {
        table: table.clone(),
        facts: found.facts,
        questions,
        recommendation,
        prices,
        rejected: found.rejected,
        notes,
    }
}

/// Why nothing could be recommended.
pub fn failure(error: TimeError) -> Failure {
    match error {
        TimeError::Store(error) => Failure::Store(error),
        TimeError::Stopped => Failure::Interrupted,
        TimeError::Layout { .. } => Failure::BadFile(error.to_string()),
    }
}

/// The tables of readings, or the one that is named; each must be one that layouts can be made for.
fn wanted<'w>(workload: &'w Workload, path: &Path, name: Option<&str>) -> Result<Vec<&'w Table>, Failure> {
    let is_wanted = |table: &&Table| name.map_or(table.time.is_some(), |name| table.name == name);
    let tables: Vec<&Table> = workload.tables.iter().filter(is_wanted).collect();
    if tables.is_empty() {
        return Err(Failure::BadFile(match name {
            Some(name) => format!("{} has no table `{name}`", path.display()),
            None => format!(
                "no table of {} has readings over time: say so with [table.time], column = \"at\" and entity = [\"station\"]",
                path.display()
            ),
        }));
    }
    for table in &tables {
        SeriesLayout::tall(table).map_err(|error| Failure::BadFile(error.to_string()))?;
    }
    Ok(tables)
}
