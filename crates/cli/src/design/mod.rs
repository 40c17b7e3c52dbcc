//! What `tablesmith design` does: reads the workload, decides, and tells what came out.
//!
//! [`text`] and [`json`] show the answer, [`draw`] draws tables as papers do, [`explain`] tells about one query,
//! [`write`](mod@write) makes a `design.toml`.

mod draw;
mod explain;
pub mod json;
mod place;
pub mod text;
pub mod write;

use std::path::{Path, PathBuf};
use std::time::Duration;

use tablesmith_design::tables::{Decided, Terms, decide as decide_tables};
use tablesmith_model::cost::Prices;
use tablesmith_model::nearest;
use tablesmith_model::workload::Workload;

use crate::failure::Failure;
use crate::families::{Asked, asked};
use crate::{interrupt, measured_workload, terminal};

/// What is to be done.
pub struct Task {
    /// The prices that were measured; guesses without them.
    pub prices: Option<Prices>,
    /// Region servers, where the command line says it.
    pub servers: Option<u32>,
    /// How long the choice may take.
    pub time: Duration,
    /// Only this query is told about.
    pub explain: Option<String>,
}

/// What was decided, and for what.
pub struct Answer {
    /// The workload.
    pub workload: Workload,
    /// The directory that its data files are seen from.
    pub directory: PathBuf,
    /// What was decided.
    pub decided: Decided,
    /// The query that is told about; all when there is none.
    pub explain: Option<String>,
}

/// Designs the tables of the workload in a file.
pub fn decide(path: &Path, task: &Task) -> Result<Answer, Failure> {
    let mut workload = measured_workload::read(path)?;
    let mut notes = Vec::new();
    if workload.queries.is_empty() && workload.log.is_some() {
        let bar = terminal::spinner();
        let mut progress = |line: String| {
            interrupt::end_if_interrupted();
            terminal::set_message(&bar, &line);
        };
        let Asked { queries, notes: of_log, .. } = asked(&workload, path, &mut progress)?;
        bar.finish_and_clear();
        (workload.queries, notes) = (queries, of_log);
    }
    if let Some(name) = &task.explain
        && !workload.queries.iter().any(|query| query.name == *name)
    {
        let names = workload.queries.iter().map(|query| query.name.as_str());
        let known = nearest::one_of(name, names);
        return Err(Failure::BadFile(format!("{} has no query {name:?}; expected {known}", path.display())));
    }
    let prices = task.prices.clone().unwrap_or_else(Prices::guessed);
    let terms = Terms { prices, servers: task.servers, time: task.time };
    let mut decided = decide_tables(&workload, &terms).map_err(|error| place::failure(path, &error))?;
    decided.notes.splice(0..0, notes);
    let directory = path.parent().unwrap_or(Path::new("")).to_owned();
    Ok(Answer { workload, directory, decided, explain: task.explain.clone() })
}
