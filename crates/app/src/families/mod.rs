//! `families`: groups the columns of tables by what queries read together, and sets methods side by side.
//!
//! [`asked`] finds the queries of the tables, [`decide`] runs the methods, [`plot`] draws how they converge, [`write`] puts
//! the best into a `design.toml`.

mod asked;
mod plot;
mod result;
pub mod write;

use std::path::PathBuf;
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
pub use self::result::FamiliesResult;
use crate::{AppError, Context, Unit, calibrate, measured_workload};

/// What is grouped, how, and where it is written.
pub struct FamiliesOptions {
    /// The workload.
    pub workload: PathBuf,
    /// Only this table.
    pub table: Option<String>,
    /// The methods, by name.
    pub method_names: Vec<&'static str>,
    /// How methods are set.
    pub settings: registry::Settings,
    /// Whether the user set anything of the evolution.
    pub is_set: bool,
    /// What a grouping costs; none: `store` when the store is calibrated, else bytes.
    pub cost: Option<CostOption>,
    /// How many families there may be.
    pub limit: FamilyLimit,
    /// How long each method may take.
    pub time: Duration,
    /// A picture of how methods converge.
    pub plot: Option<PathBuf>,
    /// The design that the best grouping is written into.
    pub output: Option<PathBuf>,
}

/// A cost that is asked for.
#[derive(Clone, Copy, Debug)]
pub enum CostOption {
    /// Milliseconds of a call, as the store was calibrated.
    Store,
    /// Bytes that the store must read and write.
    Bytes,
    /// Equation (1) of the evolutionary algorithm's paper.
    Paper(Paper),
    /// Seconds of disk time in the published comparison.
    Disk,
}

/// Groups the columns of tables into families.
pub async fn run(context: &Context, options: &FamiliesOptions) -> Result<FamiliesResult, AppError> {
    let workload = measured_workload::read(context, &options.workload)?;
    context.progress.begin("", Unit::Count, None);
    let mut asked = asked(context, &workload, &options.workload)?;
    let task = task(context, options).await?;
    let tables = decide(context, &workload, &mut asked, &task)?;
    context.progress.end();
    if let Some(path) = &options.plot {
        plot::write(path, &tables, task.cost.unit())?;
    }
    if let Some(path) = &options.output {
        write::into_design(path, &options.workload, &workload, &tables, &task)?;
    }
    Ok(FamiliesResult { tables, notes: asked.notes, task })
}

async fn task(context: &Context, options: &FamiliesOptions) -> Result<Task, AppError> {
    let cost = match options.cost {
        Some(CostOption::Bytes) => CostChoice::Bytes,
        Some(CostOption::Disk) => CostChoice::Disk,
        Some(CostOption::Paper(paper)) => CostChoice::Paper(paper),
        Some(CostOption::Store) => {
            let calibration = calibrate::of_store(context, true).await?;
            CostChoice::calibrated(&calibration.ok_or_else(|| calibrate::is_missing(context))?)
        }
        None => {
            let calibration = calibrate::of_store(context, false).await?;
            calibration.as_ref().map_or(CostChoice::Bytes, CostChoice::calibrated)
        }
    };
    Ok(Task {
        table: options.table.clone(),
        method_names: options.method_names.clone(),
        settings: options.settings,
        is_set: options.is_set,
        cost,
        limit: options.limit,
        time: options.time,
        seed: context.seed,
    })
}

/// What is to be done.
pub struct Task {
    /// Only this table.
    pub table: Option<String>,
    /// The methods, by name.
    pub method_names: Vec<&'static str>,
    /// How methods are set.
    pub settings: registry::Settings,
    /// Whether the user set anything of the evolution.
    pub is_set: bool,
    /// What a grouping costs.
    pub cost: CostChoice,
    /// How many families there may be.
    pub limit: FamilyLimit,
    /// How long each method may take.
    pub time: Duration,
    /// What everything random is made from.
    pub seed: u64,
}

/// The cost that was chosen.
pub enum CostChoice {
    /// Bytes that the store must read and write.
    Bytes,
    /// Milliseconds of a call.
    Store(Store),
    /// Equation (1) of the evolutionary algorithm's paper.
    Paper(Paper),
    /// Seconds of disk time in the published comparison.
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
    /// What was asked.
    pub problem: Problem,
    /// The methods side by side.
    pub comparison: Comparison,
    /// What each answer costs for the validation part of the log.
    pub validation_costs: Vec<Option<f64>>,
    /// Of the best answer.
    pub reasons: Reasons,
}

/// Runs the methods on every table that is asked for.
pub fn decide(
    context: &Context,
    workload: &Workload,
    asked: &mut Asked,
    task: &Task,
) -> Result<Vec<TableAnswer>, AppError> {
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
        let mut begins = |method: &str| context.progress.detail(&format!("{}: {method}", problem.table));
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

fn no_such_table(workload: &Workload, wanted: &str) -> AppError {
    let tables = workload.tables.iter().map(|table| table.name.clone()).collect();
    AppError::NoSuchTable { name: wanted.to_owned(), tables }
}
