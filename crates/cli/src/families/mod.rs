//! What `tablesmith families` does: poses the problem of each table, runs the methods, and tells what came out.
//!
//! [`asked`] finds what is asked of the tables, [`decide`] runs the methods, [`text`], [`json`] and [`plot`] show the
//! answers, [`write`] puts the best into a `design.toml`.

mod asked;
pub mod json;
pub mod methods;
pub mod plot;
pub mod text;
pub mod write;

use std::time::Duration;

use tablesmith_design::families::compare::{Answer, Comparison, Terms, compare};
use tablesmith_design::families::cost::bytes::Bytes;
use tablesmith_design::families::cost::disk::Disk;
use tablesmith_design::families::cost::paper::Paper;
use tablesmith_design::families::cost::store::Store;
use tablesmith_design::families::pose::{KeyColumns, pose};
use tablesmith_design::families::reason::{Reasons, reasons};
use tablesmith_design::families::validated::Validated;
use tablesmith_design::families::{Cost, FamilyLimit, Method, Problem, evolve, registry};
use tablesmith_model::cost::Calibration;
use tablesmith_model::workload::Workload;

pub use self::asked::{Asked, asked};
use crate::failure::Failure;

/// What is to be done.
pub struct Task {
    pub table: Option<String>,
    pub method_names: Vec<&'static str>,
    pub settings: registry::Settings,
    /// Whether the user set anything of the evolution.
    pub is_set: bool,
    pub cost: CostChoice,
    pub limit: FamilyLimit,
    pub time: Duration,
    pub seed: u64,
}

/// The cost that was chosen.
pub enum CostChoice {
    Bytes,
    Store(Store),
    Paper(Paper),
    Disk,
}

impl CostChoice {
    /// Milliseconds with prices that were measured.
    pub fn calibrated(calibration: &Calibration) -> Self {
        Self::Store(Store { prices: calibration.prices() })
    }

    /// The id of the calibration behind its prices.
    pub fn calibration(&self) -> Option<&str> {
        match self {
            Self::Store(store) => store.prices.calibration.as_deref(),
            Self::Bytes | Self::Paper(_) | Self::Disk => None,
        }
    }

    fn model(&self) -> Box<dyn Cost> {
        match self {
            Self::Bytes => Box::new(Bytes::default()),
            Self::Store(store) => Box::new(store.clone()),
            Self::Paper(paper) => Box::new(*paper),
            Self::Disk => Box::new(Disk::default()),
        }
    }

    /// Its name on the command line.
    pub fn name(&self) -> &'static str {
        self.model().name()
    }

    /// What one unit of it is.
    pub fn unit(&self) -> &'static str {
        self.model().unit()
    }

    /// Only the costs of a store know row keys; the published ones group every column.
    fn key_columns(&self) -> KeyColumns {
        match self {
            Self::Bytes | Self::Store(_) => KeyColumns::InRowKey,
            Self::Paper(_) | Self::Disk => KeyColumns::InCells,
        }
    }
}

/// What was found for one table.
pub struct TableAnswer {
    pub problem: Problem,
    pub comparison: Comparison,
    /// What each answer costs for the validation part of the log.
    pub validation_costs: Vec<Option<f64>>,
    /// Of the best answer.
    pub reasons: Reasons,
}

/// Runs the methods on every table that is asked for. `says` hears what is going on.
pub fn decide(
    workload: &Workload,
    asked: &mut Asked,
    task: &Task,
    says: &mut dyn FnMut(String),
) -> Result<Vec<TableAnswer>, Failure> {
    let mut posed = pose(workload, &asked.queries, task.limit, task.cost.key_columns());
    asked.notes.extend(posed.assumed);
    asked
        .notes
        .extend(posed.not_understood.iter().map(|(name, why)| format!("query `{name}` is left out: {why}")));
    if let Some(wanted) = &task.table {
        posed.problems.retain(|problem| problem.table == *wanted);
        if posed.problems.is_empty() {
            return Err(no_such_table(workload, wanted));
        }
    }
    let validation = pose(workload, &asked.validation, task.limit, task.cost.key_columns()).problems;
    let model = task.cost.model();
    let terms = Terms { time: task.time, seed: task.seed };
    let answer = |problem: Problem| {
        let later = validation.iter().find(|later| later.table == problem.table && !later.asks.is_empty());
        let mut begins = |method: &str| says(format!("{}: {method}", problem.table));
        let comparison = compare(&problem, &*model, &task.methods(later), terms, &mut begins);
        let reasons = comparison.best().map(|best| reasons(&problem, &best.families)).unwrap_or_default();
        let cost_later = |answer: &Answer| later.map(|later| model.of(later, &answer.families));
        let validation_costs = comparison.answers.iter().map(cost_later).collect();
        TableAnswer { problem, comparison, validation_costs, reasons }
    };
    Ok(posed.problems.into_iter().map(answer).collect())
}

impl Task {
    /// The methods. Where there are later queries, they choose among sets of parameters that nobody has set.
    fn methods(&self, later: Option<&Problem>) -> Vec<Box<dyn Method>> {
        let made = |name: &&str| -> Option<Box<dyn Method>> {
            let method = registry::by_name(name, &self.settings)?;
            match later {
                Some(later) if *name == "evolve" && !self.is_set => Some(Box::new(self.validated(later))),
                _ => Some(method),
            }
        };
        self.method_names.iter().filter_map(made).collect()
    }

    fn validated(&self, later: &Problem) -> Validated {
        let set = |(words, parameters): (&str, evolve::Parameters)| {
            (words.to_owned(), Box::new(evolve::Evolve { parameters }) as Box<dyn Method>)
        };
        Validated { sets: self.settings.evolve.sets().map(set).into(), validation: later.clone() }
    }
}

fn no_such_table(workload: &Workload, wanted: &str) -> Failure {
    let names: Vec<&str> = workload.tables.iter().map(|table| table.name.as_str()).collect();
    Failure::BadFile(format!("the workload has no table `{wanted}`; it has {}", names.join(", ")))
}
