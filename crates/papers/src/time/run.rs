//! Time in a table: the paper's two data sets, each in its three schemas and in one of ours, on a store.

use std::sync::Arc;

use crate::time::bixi::{self, Extent, Question};
use crate::time::claims::{Results, claims};
use crate::time::cosmology::{self, Lines};
use crate::time::data::Data;
use crate::time::measure::Line;
use crate::time::schemas::{self, Schema};
use crate::time::trial::{Trial, cut_alike, drop_table};
use tablesmith_app::Context;
use tablesmith_app::leftovers::TemporaryTables;
use tablesmith_model::evidence::Evidence;
use tablesmith_model::series::SeriesLayout;
use tablesmith_model::{NameError, TableName};
use tablesmith_store::Store;

use super::{generate, layout_name, ours, page};
use crate::PaperError;

/// How it is done.
pub struct Task {
    /// How many readings of stations: 1 is the paper's 40 million.
    pub bixi_scale: f64,
    /// How many stars: 1 is the paper's 12 million.
    pub cosmology_scale: f64,
    /// Rounds that are measured of each question.
    pub rounds: usize,
    /// What everything random is made from.
    pub seed: u64,
    /// How the store is named.
    pub address: String,
    /// Layouts of ours beside the paper's, as `versions/1d/entity-time/each`.
    pub ours: Ours,
}

/// Layouts of ours; those that are not named are recommended.
#[derive(Clone, Debug, Default)]
pub struct Ours {
    /// Of the stations.
    pub bixi: Option<String>,
    /// Of the particles.
    pub cosmology: Option<String>,
}

/// A schema, as it was measured.
pub struct Tried {
    /// Its name in tables.
    pub name: String,
    /// Its layout's name.
    pub layout: String,
    /// Readings in it.
    pub readings: u64,
    /// Bytes in the store, where it tells.
    pub stored_bytes: Option<u64>,
    /// Regions of its table.
    pub regions: usize,
    /// How long it took to write.
    pub load_s: f64,
}

/// What came out of one data set.
pub struct Measured<L> {
    /// The schemas.
    pub tried: Vec<Tried>,
    /// Bytes that a region has at most, the same for all schemas; `None` where the store does not tell.
    pub region_bytes: Option<u64>,
    /// The questions.
    pub lines: L,
}

/// What came out.
pub struct Outcome {
    /// How many readings of stations.
    pub scale: f64,
    /// Averages of stations.
    pub bixi: Measured<Vec<(Question, Line)>>,
    /// Queries on particles.
    pub cosmology: Measured<Lines>,
    /// The claims, and what a reader should know.
    pub evidence: Evidence,
}

/// Does all of it.
pub async fn run(context: &Context, store: &Arc<dyn Store>, task: &Task) -> Result<Outcome, PaperError> {
    let says = &mut |what: String| context.progress.detail(&what);
    let (stations, extent) = generate::bixi(task.bixi_scale, task.seed);
    let ours = match &task.ours.bixi {
        Some(name) => Some(layout(name, &stations)?),
        None => {
            ours::recommended(context, &**store, &stations, &ours::station_questions(extent), task).await?
        }
    };
    let schemas = schemas::bixi(&stations.table, ours)?;
    let tables = tables("bixi", &schemas)?;
    let bixi = unless_cancelled(context, &**store, &tables, async {
        let (trials, region_bytes) = load(store, &tables, schemas, &stations, says).await?;
        let lines = bixi::lines(&trials, extent, task.rounds, says).await?;
        Ok(Measured { tried: finish(trials).await?, region_bytes, lines })
    })
    .await?;
    let particles = generate::cosmology(task.cosmology_scale, task.seed);
    let ours = match &task.ours.cosmology {
        Some(name) => Some(layout(name, &particles)?),
        None => ours::recommended(context, &**store, &particles, &ours::particle_questions(), task).await?,
    };
    let schemas = schemas::cosmology(&particles.table, ours)?;
    let tables = self::tables("cosmology", &schemas)?;
    let cosmology = unless_cancelled(context, &**store, &tables, async {
        let (trials, region_bytes) = load(store, &tables, schemas, &particles, says).await?;
        let lines = cosmology::lines(&trials, task.rounds, says).await?;
        Ok(Measured { tried: finish(trials).await?, region_bytes, lines })
    })
    .await?;
    let evidence = evidence(task, extent, &bixi, &cosmology);
    Ok(Outcome { scale: task.bixi_scale, bixi, cosmology, evidence })
}

/// The tables of schemas.
fn tables(name: &str, schemas: &[Schema]) -> Result<Vec<TableName>, PaperError> {
    let table = |number: usize| format!("tablesmith_time_{name}_{number}").parse();
    let tables: Result<Vec<TableName>, NameError> = (1..=schemas.len()).map(table).collect();
    Ok(tables?)
}

/// Does the work unless it is cancelled. When it comes to nothing its tables are dropped.
async fn unless_cancelled<T>(
    context: &Context,
    store: &dyn Store,
    tables: &[TableName],
    work: impl Future<Output = Result<T, PaperError>>,
) -> Result<T, PaperError> {
    let temporary = TemporaryTables::new("the experiment, tablesmith_time_*");
    let done = context.cancellation.or_cancelled(async { Ok(work.await) }).await;
    if !matches!(done, Ok(Ok(_))) {
        for table in tables {
            // Why it came to nothing counts more than what could not be dropped.
            let _ = drop_table(store, table).await;
        }
    }
    temporary.dropped(context, done)?
}

/// Loads every schema, and cuts all tables into regions of one size.
async fn load(
    store: &Arc<dyn Store>,
    tables: &[TableName],
    schemas: Vec<Schema>,
    data: &Data,
    says: &mut (dyn FnMut(String) + Send),
) -> Result<(Vec<Trial>, Option<u64>), PaperError> {
    let mut trials = Vec::new();
    for (table, schema) in tables.iter().cloned().zip(schemas) {
        says(format!("loading {} ({}) into {table}", schema.name, schema.layout.name()));
        trials.push(Trial::load(Arc::clone(store), table, schema, data).await?);
    }
    let region_bytes = cut_alike(&mut trials).await?;
    Ok((trials, region_bytes))
}

/// Removes the tables, and tells what they were like.
async fn finish(trials: Vec<Trial>) -> Result<Vec<Tried>, PaperError> {
    let mut tried = Vec::new();
    for trial in trials {
        tried.push(Tried {
            name: trial.schema.name.clone(),
            layout: trial.schema.layout.name(),
            readings: trial.readings,
            stored_bytes: trial.stored_bytes,
            regions: trial.regions.len(),
            load_s: trial.load_s,
        });
        trial.remove().await?;
    }
    Ok(tried)
}

fn layout(name: &str, data: &Data) -> Result<SeriesLayout, PaperError> {
    layout_name::parse(name, &data.table).map_err(PaperError::Layout)
}

fn evidence(
    task: &Task,
    extent: Extent,
    bixi: &Measured<Vec<(Question, Line)>>,
    cosmology: &Measured<Lines>,
) -> Evidence {
    let claims = claims(&Results { bixi: &bixi.lines, cosmology: &cosmology.lines });
    let hold = claims.iter().filter(|claim| claim.holds).count();
    let Lines { query_1, query_2, query_3 } = &cosmology.lines;
    let mut all = bixi.lines.iter().map(|(_, line)| line).chain(query_1).chain(query_2).chain(query_3);
    Evidence {
        title: "Time in a table".to_owned(),
        store: task.address.clone(),
        seed: task.seed,
        verdict: format!("{hold} of {} claims hold", claims.len()),
        answers_equal: all.all(|line| line.answers_equal),
        claims,
        figures: page::figures(bixi, cosmology),
        notes: vec![
            format!(
                "{} stations are asked about where the paper asks about 404, the others in proportion; the schemas are \
                 asked in turn, {} rounds each, and the median counts",
                extent.stations, task.rounds
            ),
            "the paper's regions worked with coprocessors written for it; here the store's own aggregation and selection do"
                .to_owned(),
        ],
        ..Evidence::default()
    }
}

impl Outcome {
    /// Whether every claim holds, and all schemas gave the same answers.
    pub fn all_hold(&self) -> bool {
        self.evidence.answers_equal && self.evidence.claims.iter().all(|claim| claim.holds)
    }
}
