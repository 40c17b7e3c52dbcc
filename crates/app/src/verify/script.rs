//! What is replayed: the test part of the workload's log, else its queries.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tablesmith_model::workload::{Asks, Log, Query, Workload};
use tablesmith_observe::log::{self, Draw, DrawnAsks, Options, Part};
use tablesmith_sql::{Catalog, Dialect, resolve};
use tablesmith_verify::replay::Script;
use tablesmith_verify::statements::{BoundStatement, Statements};

use super::data;
use crate::AppError;
use tablesmith_report::number::grouped;

/// What is replayed, and what a reader should know about it.
pub struct ReplayInput {
    /// The statements.
    pub script: Script<BoundStatement>,
    /// What was assumed or left out.
    pub notes: Vec<String>,
}

/// The calls of a workload that lies at `path`: at most so many.
pub fn of(workload: &Workload, path: &Path, calls: usize, seed: u64) -> Result<ReplayInput, AppError> {
    let input = match &workload.log {
        Some(log) => of_log(workload, log, path, calls, seed)?,
        None => of_queries(workload, path, calls, seed),
    };
    if input.script.calls.is_empty() {
        return Err(AppError::NothingToReplay { notes: input.notes });
    }
    Ok(input)
}

fn of_log(
    workload: &Workload,
    log: &Log,
    path: &Path,
    calls: usize,
    seed: u64,
) -> Result<ReplayInput, AppError> {
    let log_path = beside(path, &log.path);
    let options = Options { split: log.split, ..Options::default() };
    let catalog = Catalog::of_workload(workload);
    let profile = log::read(&log_path, &catalog, &options, &mut |_| ())?;
    let draw = Draw { part: Part::Test, calls: calls as u64, seed };
    let mut wants = |sql: &str, dialect: Dialect| resolve(sql, &catalog, dialect).is_ok();
    let drawn = log::draw(&log_path, &options, &draw, &mut wants)?;

    let known = profile.queries_of(Part::Test, workload);
    let named = Arc::new(named(workload, &known));
    let mut replayed = Statements::new(named, profile.dialect, data::source(path, seed), seed);
    for call in &drawn.calls {
        match &call.asks {
            DrawnAsks::Sql(sql) => replayed.statement(sql),
            DrawnAsks::Columns(touched) => {
                let is_it =
                    |query: &&Query| matches!(&query.asks, Asks::Columns(columns) if columns == touched);
                let query = known.iter().find(is_it);
                let name = query.map_or(touched.table.as_str(), |query| query.name.as_str());
                replayed.touched(name, touched, query.and_then(|query| query.rows));
            }
        }
    }
    let (script, mut notes) = replayed.finish();
    notes.insert(0, told(&log_path, drawn.calls.len(), drawn.of));
    if drawn.unwanted > 0 {
        let unwanted = grouped(drawn.unwanted);
        notes.push(format!(
            "{unwanted} calls of the test part are not about the workload's tables, or not understood"
        ));
    }
    Ok(ReplayInput { script, notes })
}

fn told(path: &Path, drawn: usize, of: u64) -> String {
    let path = path.display();
    if drawn as u64 == of {
        format!("replayed: all {} calls of the test part of {path}", grouped(of))
    } else {
        format!("replayed: {} of the {} calls of the test part of {path}", grouped(drawn as u64), grouped(of))
    }
}

/// The workload with a query for each template of the log, so that calls have short names.
fn named(workload: &Workload, known: &[Query]) -> Workload {
    let is_free = |query: &&Query| workload.queries.iter().all(|other| other.name != query.name);
    // Where the workload has a name for a template, that is the one: it comes last.
    let queries = known.iter().filter(is_free).chain(&workload.queries).cloned().collect();
    Workload { queries, ..workload.clone() }
}

fn of_queries(workload: &Workload, path: &Path, calls: usize, seed: u64) -> ReplayInput {
    let source = data::source(path, seed);
    let mut replayed = Statements::new(Arc::new(workload.clone()), Dialect::Generic, source, seed);
    replayed.queries(&workload.queries, calls);
    let (script, mut notes) = replayed.finish();
    notes.insert(
        0,
        format!("replayed: the {} queries of the workload by their rates", workload.queries.len()),
    );
    ReplayInput { script, notes }
}

/// A file that is named as seen from that of the workload.
pub fn beside(workload: &Path, name: &str) -> PathBuf {
    workload.parent().unwrap_or(Path::new("")).join(name)
}
