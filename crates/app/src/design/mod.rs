//! `design`: decides which tables answer all queries of a workload at least cost, and says why.
//!
//! [`write`](mod@write) makes a `design.toml` of it; [`place`] points at what no design can be made of.

mod place;
mod result;
mod write;

use std::path::{Path, PathBuf};
use std::time::Duration;

use tablesmith_design::tables::{Decided, Terms, decide as decide_tables};
use tablesmith_model::cost::Prices;
use tablesmith_model::nearest;
use tablesmith_model::workload::Workload;

use crate::families::{Asked, asked};
use crate::{AppError, Context, Unit, calibrate, design_file, measured_workload, output_file};

/// What is designed, how, and where it is written.
#[derive(Clone, Debug)]
pub struct DesignOptions {
    /// The workload.
    pub workload: PathBuf,
    /// Only this query is told about.
    pub explain: Option<String>,
    /// The unit costs; none: those of the store where it is calibrated, else the guessed ones.
    pub cost: Option<UnitCosts>,
    /// How long the choice may take.
    pub time: Duration,
    /// The design that is written.
    pub output: Option<PathBuf>,
}

/// Unit costs that are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitCosts {
    /// As the store was calibrated.
    Store,
    /// Guesses of a typical cluster.
    Default,
}

/// What was decided, and for what.
pub struct DesignResult {
    /// The workload.
    pub workload: Workload,
    /// The directory that its data files are seen from.
    pub directory: PathBuf,
    /// What was decided.
    pub decided: Decided,
    /// The query that is told about; all when there is none.
    pub explain: Option<String>,
    /// Where the design is that was there before.
    pub before: Option<PathBuf>,
}

/// Designs the tables of a workload.
pub async fn run(context: &Context, options: &DesignOptions) -> Result<DesignResult, AppError> {
    if let Some(path) = &options.output {
        output_file::check_place(path)?;
        design_file::check_replaced(path)?;
    }
    let calibration = match options.cost {
        Some(UnitCosts::Default) => None,
        Some(UnitCosts::Store) => {
            let found = calibrate::of_store(context, true).await?;
            Some(found.ok_or_else(|| calibrate::is_missing(context))?)
        }
        None => calibrate::of_store(context, false).await?,
    };
    let prices = calibration.map_or_else(Prices::guessed, |found| found.prices());
    let mut result = decide(context, options, prices)?;
    if let Some(path) = &options.output {
        result.before = write::file(path, &options.workload, &result.decided.design)?;
    }
    Ok(result)
}

fn decide(context: &Context, options: &DesignOptions, prices: Prices) -> Result<DesignResult, AppError> {
    let path = &options.workload;
    let mut workload = measured_workload::read(context, path)?;
    let mut notes = Vec::new();
    if workload.queries.is_empty() && workload.log.is_some() {
        context.progress.begin("", Unit::Count, None);
        let Asked { queries, notes: of_log, .. } = asked(context, &workload, path)?;
        context.progress.end();
        (workload.queries, notes) = (queries, of_log);
    }
    if let Some(name) = &options.explain
        && !workload.queries.iter().any(|query| query.name == *name)
    {
        let expected = nearest::one_of(name, workload.queries.iter().map(|query| query.name.as_str()));
        return Err(AppError::UnknownQuery { path: path.clone(), name: name.clone(), expected });
    }
    let terms = Terms { prices, servers: context.servers.map(u32::from), time: options.time };
    let mut decided = decide_tables(&workload, &terms).map_err(|error| place::undesignable(path, error))?;
    decided.notes.splice(0..0, notes);
    let directory = path.parent().unwrap_or(Path::new("")).to_owned();
    Ok(DesignResult { workload, directory, decided, explain: options.explain.clone(), before: None })
}
