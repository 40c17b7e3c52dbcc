//! `time`: measures a table's time series, predicts all layouts, measures the best few, and says which.
//!
//! [`source`] reads the rows, [`page`] makes evidence of what was found, [`write`](mod@write) puts it into a design.

mod page;
mod result;
mod source;
mod words;
mod write;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Serialize, Serializer};
use tablesmith_design::time::{Demands, Facts, Questions, choose, questions};
use tablesmith_model::cost::Prices;
use tablesmith_model::series::SeriesLayout;
use tablesmith_model::workload::{Table, Workload};
use tablesmith_store::Store;
use tablesmith_verify::time::{Recommendation, Terms, predicted, recommend};

pub use words::{facts_text, key_text, settings};

use crate::families::asked;
use crate::leftovers::TemporaryTables;
use crate::serialize::OneOrTables;
use crate::{AppError, Context, Unit, calibrate, open, output_file, workload_file};
use source::Found;

/// Parts that progress is told in.
const STEPS: u64 = 1_000;

/// What layouts are recommended for, how, and where it is written.
#[derive(Clone, Debug)]
pub struct TimeOptions {
    /// The workload.
    pub workload: PathBuf,
    /// Only this table.
    pub table: Option<String>,
    /// How many layouts are measured; 0: none.
    pub measured: usize,
    /// Readings that they are measured with, at most.
    pub sample: usize,
    /// How long measuring may take.
    pub time: Duration,
    /// The design that the best layout is written into.
    pub output: Option<PathBuf>,
    /// A page with all layouts.
    pub report: Option<PathBuf>,
}

/// What was found for all tables.
pub struct TimeResult {
    /// The tables.
    pub tables: Vec<TableTime>,
    /// What everything random was made from.
    pub seed: u64,
}

impl TimeResult {
    /// Whether all layouts gave the same answers.
    pub fn answers_equal(&self) -> bool {
        self.tables.iter().all(|table| table.recommendation.differences.is_empty())
    }
}

impl Serialize for TimeResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tables: Vec<_> = self.tables.iter().map(|table| result::fields(table, self.seed)).collect();
        OneOrTables::of(&tables).serialize(serializer)
    }
}

/// What was found for a table.
pub struct TableTime {
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

/// Recommends a layout for each time series of a workload.
pub async fn run(context: &Context, options: &TimeOptions) -> Result<TimeResult, AppError> {
    for path in [&options.output, &options.report].into_iter().flatten() {
        output_file::check_place(path)?;
    }
    let tables = decide(context, &options.workload, options).await?;
    if let Some(path) = &options.output {
        write::into_design(path, &options.workload, &tables)?;
    }
    if let Some(path) = &options.report {
        let evidence = page::evidence(&tables, open::address(context), context.seed);
        output_file::write(path, &tablesmith_report::page(&evidence))?;
    }
    Ok(TimeResult { tables, seed: context.seed })
}

async fn decide(context: &Context, path: &Path, task: &TimeOptions) -> Result<Vec<TableTime>, AppError> {
    let workload = workload_file::read(path)?;
    let tables = wanted(&workload, path, task.table.as_deref())?;
    let asked = asked(context, &workload, path)?;
    let prices =
        calibrate::of_store(context, false).await?.map_or_else(Prices::guessed, |found| found.prices());
    let mut store: Option<Arc<dyn Store>> = None;
    let mut answers = Vec::new();
    for table in tables {
        let directory = path.parent().unwrap_or(Path::new(""));
        let found = source::read(context, directory, table, task.sample)?;
        if store.is_none() && task.measured > 0 && found.sample.is_some() {
            store = Some(open::bare(context).await?);
        }
        let questions = questions(&workload, table, &found.facts, &asked.queries);
        let terms = Terms {
            measured: task.measured,
            time: task.time,
            seed: context.seed,
            prices: prices.clone(),
            demands: Demands {
                servers: context.servers.map(u32::from).or(workload.cluster.region_servers),
                has_writes: questions.queries.iter().any(|query| query.writes()),
            },
        };
        context.progress.begin(&format!("{}: measuring layouts", table.name), Unit::Count, Some(STEPS));
        let recommendation = rank(context, store.as_deref(), table, &found, &questions, &terms).await?;
        context.progress.end();
        answers.push(answer(table, found, questions, recommendation, terms.prices, &asked.notes));
    }
    Ok(answers)
}

async fn rank(
    context: &Context,
    store: Option<&dyn Store>,
    table: &Table,
    found: &Found,
    questions: &Questions,
    terms: &Terms,
) -> Result<Recommendation, AppError> {
    let queries = &questions.queries;
    match (store, &found.sample) {
        (Some(store), Some(sample)) => {
            let sampled = sample.facts(&found.facts);
            let tables = TemporaryTables::new("time, in the namespace tablesmith_verify");
            let facts = (&found.facts, &sampled);
            let mut goes_on = |share: f64| {
                context.progress.advance((share * STEPS as f64) as u64);
                !context.cancellation.is_cancelled()
            };
            let recommended = recommend(store, table, facts, queries, sample, terms, &mut goes_on).await;
            tables.dropped(context, recommended.map_err(AppError::from))
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
) -> TableTime {
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
    TableTime {
        table: table.clone(),
        facts: found.facts,
        questions,
        recommendation,
        prices,
        rejected: found.rejected,
        notes,
    }
}

/// The tables of readings, or the one that is named; each must be one that layouts can be made for.
fn wanted<'w>(workload: &'w Workload, path: &Path, name: Option<&str>) -> Result<Vec<&'w Table>, AppError> {
    let is_wanted = |table: &&Table| name.map_or(table.time.is_some(), |name| table.name == name);
    let tables: Vec<&Table> = workload.tables.iter().filter(is_wanted).collect();
    if tables.is_empty() {
        let path = path.to_owned();
        return Err(match name {
            Some(name) => AppError::UnknownTable { path, name: name.to_owned() },
            None => AppError::NoTableWithSeries(path),
        });
    }
    for table in &tables {
        SeriesLayout::tall(table)?;
    }
    Ok(tables)
}
