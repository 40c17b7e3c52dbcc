//! What is asked of the tables: the queries of the workload, or else those of its log.

use std::path::Path;

use tablesmith_model::workload::{Log, Query, Workload};
use tablesmith_observe::log::{self, LogProfile, Options, Part};
use tablesmith_sql::Catalog;

use crate::{AppError, Context};
use tablesmith_report::number::grouped;

/// So many statements that could not be understood are shown.
const SHOWN: usize = 3;

/// What is asked of the tables, and what could not be used.
pub struct Asked {
    /// The queries, with their rates.
    pub queries: Vec<Query>,
    /// Those of the log's validation part, which picks among parameters; empty without a log.
    pub validation: Vec<Query>,
    /// What the user should know about them.
    pub notes: Vec<String>,
}

/// The queries of a workload that lies at `path`.
pub fn asked(context: &Context, workload: &Workload, path: &Path) -> Result<Asked, AppError> {
    match &workload.log {
        Some(log) if workload.queries.is_empty() => of_log(context, workload, log, path),
        _ if workload.queries.is_empty() => Ok(Asked {
            queries: Vec::new(),
            validation: Vec::new(),
            notes: vec!["the workload has no [[query]] and no [log]: nothing is asked, so one family is as good as any".to_owned()],
        }),
        _ => Ok(Asked { queries: workload.queries.clone(), validation: Vec::new(), notes: Vec::new() }),
    }
}

/// Deciders see the training part of a log only; the validation part picks among parameters.
fn of_log(context: &Context, workload: &Workload, log: &Log, path: &Path) -> Result<Asked, AppError> {
    let log_path = path.parent().unwrap_or(Path::new("")).join(&log.path);
    let options = Options { split: log.split, ..Options::default() };
    let mut progress = |now: log::Progress| {
        let share = now.bytes_total.map_or(0.0, |total| 100.0 * now.bytes as f64 / total.max(1) as f64);
        if context.cancellation.is_cancelled() {
            context.progress.may_end();
        }
        context.progress.detail(&format!("reading {}: {share:.0} %", log_path.display()));
    };
    let profile = log::read(&log_path, &Catalog::of_workload(workload), &options, &mut progress)?;
    Ok(Asked {
        queries: profile.queries(workload),
        validation: profile.queries_of(Part::Validation, workload),
        notes: notes(&profile, &log_path),
    })
}

fn notes(profile: &LogProfile, path: &Path) -> Vec<String> {
    let path = path.display();
    let mut notes = vec![format!(
        "{path}: {} statements of {} kinds; the training part decides",
        grouped(profile.statements),
        grouped(profile.templates.len() as u64)
    )];
    let mut count = |number: u64, what: &str| {
        if number > 0 {
            notes.push(format!("{path}: {} {what}", grouped(number)));
        }
    };
    count(profile.other_tables, "statements are about other tables");
    count(profile.rare_statements, "statements are of kinds too rare to be kept");
    count(profile.not_understood, "statements or lines could not be understood");
    let shown = profile.not_understood_places.iter().take(SHOWN);
    notes.extend(shown.map(|place| format!("{path}:{}: {}: {}", place.line, place.why, place.excerpt)));
    notes
}
