//! The five schemas of the paper on generated tracking data, ours beside them, all measured on one store.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::families::{Problems, Schema, Search, claims, schemas};
use tablesmith_app::families::{asked, write};
use tablesmith_app::temporary::TemporaryDirectory;
use tablesmith_app::verify::{self, NamedDesign};
use tablesmith_app::{Context, workload_file};
use tablesmith_design::families::cost::store::Store as StoreCost;
use tablesmith_design::families::pose::{KeyColumns, pose};
use tablesmith_design::families::{Cost, FamilyLimit, Problem};
use tablesmith_generate::ads;
use tablesmith_model::cost::Prices;
use tablesmith_model::evidence::Evidence;
use tablesmith_model::workload::{Query, Workload};
use tablesmith_store::Store;
use tablesmith_verify::prediction::prediction;
use tablesmith_verify::replay::{Pace, Stop};

use crate::PaperError;

/// The table of the generated data.
const TABLE: &str = "ads";

/// How it is done.
pub struct Task {
    /// How much data: 1 is as much as the paper has.
    pub scale: f64,
    /// What everything random is made from.
    pub seed: u64,
    /// Schemas in all.
    pub schemas: usize,
    /// Calls that are measured on each.
    pub queries: usize,
    /// Calls before them.
    pub warm_up: usize,
    /// How fast.
    pub pace: Pace,
    /// How long each method may look for a schema.
    pub time: Duration,
    /// The store, as its address says it.
    pub store: String,
}

/// What came out of an experiment.
pub struct Outcome {
    /// The experiment's name on the command line.
    pub experiment: &'static str,
    /// How much data there was, beside the paper's.
    pub scale: f64,
    /// What was measured, and where it comes from.
    pub tried: Vec<Tried>,
    /// What was measured, with the claims.
    pub evidence: Evidence,
    /// Why measuring ended early.
    pub stopped: Option<Stop>,
}

/// A design that was measured.
pub struct Tried {
    /// Its name.
    pub name: String,
    /// How it was found, in words.
    pub origin: String,
}

impl Outcome {
    /// Whether every claim holds.
    pub fn all_hold(&self) -> bool {
        self.stopped.is_none() && self.evidence.claims.iter().all(|claim| claim.holds)
    }
}

/// Generates data, looks for schemas, measures them, and sets claims beside what came out.
pub async fn run(
    context: &Context,
    store: &Arc<dyn Store>,
    cost: &StoreCost,
    task: &Task,
) -> Result<Outcome, PaperError> {
    let directory = TemporaryDirectory::new("tablesmith-ads-")?;
    context.progress.detail("generating data");
    ads::generate(task.scale, task.seed, directory.path(), &mut |_| ())?;
    let path = directory.path().join("workload.toml");
    let workload = workload_file::read(&path)?;
    let asked = asked(context, &workload, &path)?;
    let problems = problems(&workload, &asked.queries, &asked.validation)?;
    let search = Search { seed: task.seed, time: task.time, schemas: task.schemas };
    let found = schemas(&problems, cost, &search, &mut |name| {
        context.progress.detail(&format!("looking for {name}"))
    });
    measure(context, store, cost, task, (&workload, &path), &problems, found).await
}

async fn measure(
    context: &Context,
    store: &Arc<dyn Store>,
    cost: &StoreCost,
    task: &Task,
    (workload, path): (&Workload, &Path),
    problems: &Problems,
    found: Vec<Schema>,
) -> Result<Outcome, PaperError> {
    let mut designs = Vec::with_capacity(found.len());
    for schema in &found {
        let design = write::design_of(workload, &problems.paper, &schema.families)?;
        designs.push(NamedDesign { name: schema.name.clone(), design });
    }
    let trial = verify::Task {
        queries: task.queries,
        warm_up: task.warm_up,
        pace: task.pace,
        expectation: None,
        keep: false,
        seed: task.seed,
        store: task.store.clone(),
        title: "Column families on tracking data of advertisements".to_owned(),
        prices: Prices::guessed(),
    };
    let verify::Outcome { mut evidence, stopped } =
        verify::measure(context, store, workload, path, &designs, &trial).await?;
    let predicted: Vec<(String, f64)> = found
        .iter()
        .map(|schema| (schema.name.clone(), cost.of(&problems.store, &schema.families)))
        .collect();
    let calibration = cost.prices.calibration.clone();
    evidence.prediction = Some(prediction(&evidence, cost.name(), calibration, &predicted));
    evidence.claims = claims(&evidence);
    let tried = found.into_iter().map(|schema| Tried { name: schema.name, origin: schema.origin }).collect();
    Ok(Outcome { experiment: "families", scale: task.scale, tried, evidence, stopped })
}

fn problems(workload: &Workload, queries: &[Query], validation: &[Query]) -> Result<Problems, PaperError> {
    let posed = |queries: &[Query], key| -> Result<Problem, PaperError> {
        let problems = pose(workload, queries, FamilyLimit::None, key).problems;
        let found = problems.into_iter().find(|problem| problem.table == TABLE);
        found.ok_or(PaperError::NoTable(TABLE))
    };
    Ok(Problems {
        paper: posed(queries, KeyColumns::InCells)?,
        paper_validation: posed(validation, KeyColumns::InCells)?,
        store: posed(queries, KeyColumns::InRowKey)?,
    })
}
