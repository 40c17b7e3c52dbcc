//! The five schemas of the paper on generated tracking data, ours beside them, all measured on one store.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tablesmith_design::families::cost::store::Store as StoreCost;
use tablesmith_design::families::pose::{KeyColumns, pose};
use tablesmith_design::families::{Cost, FamilyLimit, Problem};
use tablesmith_generate::ads;
use tablesmith_model::cost::Prices;
use tablesmith_model::workload::{Query, Workload};
use tablesmith_store::Store;
use tablesmith_verify::prediction::prediction;
use tablesmith_verify::replay::Pace;
use tablesmith_verify::reproduce::families::{Problems, Schema, Search, claims, schemas};

use super::{Outcome, Tried};
use crate::failure::Failure;
use crate::families::{asked, write};
use crate::temporary::TemporaryDirectory;
use crate::verify::designs::NamedDesign;
use crate::verify::{self};
use crate::workload_file;

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

/// Generates data, looks for schemas, measures them, and sets claims beside what came out. `says` hears what is going on.
pub async fn run(
    store: &Arc<dyn Store>,
    cost: &StoreCost,
    task: &Task,
    says: &mut dyn FnMut(String),
) -> Result<Outcome, Failure> {
    let directory = TemporaryDirectory::new("tablesmith-ads-")?;
    says("generating data".to_owned());
    ads::generate(task.scale, task.seed, directory.path(), &mut |_| ())
        .map_err(|error| Failure::BadFile(error.to_string()))?;
    let path = directory.path().join("workload.toml");
    let workload = workload_file::read(&path)?;
    let asked = asked(&workload, &path, says)?;
    let problems = problems(&workload, &asked.queries, &asked.validation)?;
    let search = Search { seed: task.seed, time: task.time, schemas: task.schemas };
    let found = schemas(&problems, cost, &search, &mut |name| says(format!("looking for {name}")));
    measure(store, cost, task, &workload, &path, &problems, found).await
}

async fn measure(
    store: &Arc<dyn Store>,
    cost: &StoreCost,
    task: &Task,
    workload: &Workload,
    path: &Path,
    problems: &Problems,
    found: Vec<Schema>,
) -> Result<Outcome, Failure> {
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
        verify::measure(store, workload, path, &designs, &trial).await?;
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

fn problems(workload: &Workload, queries: &[Query], validation: &[Query]) -> Result<Problems, Failure> {
    let posed = |queries: &[Query], key| -> Result<Problem, Failure> {
        let problems = pose(workload, queries, FamilyLimit::None, key).problems;
        let found = problems.into_iter().find(|problem| problem.table == TABLE);
        found.ok_or_else(|| Failure::BadFile(format!("the generated workload has no table `{TABLE}`")))
    };
    Ok(Problems {
        paper: posed(queries, KeyColumns::InCells)?,
        paper_validation: posed(validation, KeyColumns::InCells)?,
        store: posed(queries, KeyColumns::InRowKey)?,
    })
}
