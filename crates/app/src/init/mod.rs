//! `init`: every data file and every declared table becomes a table of a workload, every kind of statement in the log's
//! training part a query.
//!
//! [`gather`] measures the files, [`declared`] joins what a dump declares with what was measured.

mod declared;
pub(crate) mod joins;
mod result;

use std::path::{Path, PathBuf};

use tablesmith_model::workload::{Asks, Log, Query, Split, Workload};
use tablesmith_observe::dump::{self, Dump};
use tablesmith_observe::log::{self, LogProfile, Options};
use tablesmith_observe::profile::{self, Profile, Progress};

use tablesmith_sql::{Catalog, Dialect, resolve};

use crate::{AppError, Context, output_file, relative_path};

/// What is looked at, and where the workload is written.
#[derive(Clone, Debug)]
pub struct InitOptions {
    /// Data files.
    pub data: Vec<PathBuf>,
    /// The dump of a relational database.
    pub schema: Option<PathBuf>,
    /// A log of past queries.
    pub log: Option<PathBuf>,
    /// Where the workload is written.
    pub output: PathBuf,
    /// Whether files that exist are written over.
    pub force: bool,
}

/// What was found, and where it was written.
pub struct InitResult {
    /// What was found.
    pub found: Found,
    /// The workload.
    pub output: PathBuf,
}

impl InitResult {
    /// Whether nothing of a dump was left out.
    pub fn is_complete(&self) -> bool {
        self.found.dump.as_ref().is_none_or(|(_, dump)| dump.left_out == 0)
    }
}

/// Measures data files, reads a query log, and writes what was found as a workload.
pub fn run(context: &Context, options: &InitOptions) -> Result<InitResult, AppError> {
    let InitOptions { data, schema, log, output, force } = options;
    if output.exists() && !force {
        return Err(AppError::Exists(output.clone()));
    }
    if schema.is_some() {
        let done = "the workload is not written, and files with rows of the dump may not be complete; run the same command again \
                    with --force";
        context.progress.note(done.to_owned());
    }
    let directory = output.parent().unwrap_or(Path::new(""));
    let asked = Asked { data, schema: schema.as_deref(), log: log.as_deref(), directory, overwrite: *force };
    let mut reading = None;
    let found = gather(&asked, &mut |path, now| {
        let is_other = |(known, _): &mut (PathBuf, _)| *known != path;
        if reading.as_mut().is_none_or(is_other) {
            reading = Some((path.to_owned(), context.read_file("reading", path)));
        }
        if let Some((_, reading)) = &mut reading {
            reading.read(now.bytes, now.total);
        }
    });
    drop(reading);
    let found = found?;
    output_file::write(output, &found.workload.to_toml())?;
    Ok(InitResult { found, output: output.clone() })
}

/// What was found.
pub struct Found {
    /// The workload, as it is written.
    pub workload: Workload,
    /// What a dump declared, and its file.
    pub dump: Option<(PathBuf, Dump)>,
    /// What was measured of each data file.
    pub tables: Vec<MeasuredTable>,
    /// What was read of the log, and its file.
    pub log: Option<(PathBuf, LogProfile)>,
    /// Queries of the log that name columns which no table of theirs has, each with the column: nothing can answer them.
    pub unanswerable: Vec<(String, String)>,
}

/// A data file and what was measured of it.
pub struct MeasuredTable {
    /// The file, as it was named.
    pub path: PathBuf,
    /// The table's name.
    pub name: String,
    /// What was found.
    pub profile: Profile,
}

/// What was asked for.
pub struct Asked<'a> {
    /// Data files.
    pub data: &'a [PathBuf],
    /// The dump of a database.
    pub schema: Option<&'a Path>,
    /// A log of past queries.
    pub log: Option<&'a Path>,
    /// Where the workload will lie.
    pub directory: &'a Path,
    /// Whether files that exist are written over.
    pub overwrite: bool,
}

/// Reads a dump, measures data files, and reads a log beside them. `progress` hears which file is read how far.
pub fn gather(asked: &Asked<'_>, progress: &mut dyn FnMut(&Path, Progress)) -> Result<Found, AppError> {
    let directory = asked.directory;
    let dump = asked.schema.map(|path| read_dump(path, asked, progress)).transpose()?;
    let declared = dump.as_ref().map(|dump| dump.tables.as_slice()).unwrap_or_default();
    let mut found = Found {
        workload: Workload::default(),
        dump: None,
        tables: Vec::new(),
        log: None,
        unanswerable: Vec::new(),
    };
    for (name, path) in declared::files(table_names(asked.data)?, dump.as_ref()) {
        let types = declared::types(declared, &name);
        let profile = profile::columns_of_types(&path, &types, &mut |now| progress(&path, now))?;
        found.workload.tables.push(profile.to_table(&name, &relative_path::from(directory, &path)));
        found.tables.push(MeasuredTable { path, name, profile });
    }
    declared::join(&mut found.workload.tables, declared);
    found.dump = asked.schema.map(Path::to_owned).zip(dump);
    let log =
        asked.log.map(|path| read_log(path, &found.workload, progress).map(|log| (path, log))).transpose()?;
    find_keys(&mut found, log.as_ref().map(|(_, log)| log))?;
    if let Some((path, profile)) = log {
        found.workload.queries = profile.queries(&found.workload);
        found.unanswerable = take_unanswerable(&mut found.workload, profile.dialect);
        found.workload.log =
            Some(Log { path: relative_path::from(directory, path), split: Split::default() });
        found.log = Some((path.to_owned(), profile));
    }
    let files: Vec<(String, PathBuf)> =
        found.tables.iter().map(|table| (table.name.clone(), table.path.clone())).collect();
    found.workload.joins = joins::measure(&found.workload, &files, progress)?;
    Ok(found)
}

fn read_dump(
    path: &Path,
    asked: &Asked<'_>,
    progress: &mut dyn FnMut(&Path, Progress),
) -> Result<Dump, AppError> {
    let target = dump::Target { directory: asked.directory, overwrite: asked.overwrite };
    let dump = dump::read(path, target, &mut |now| progress(path, now))?;
    if let (true, Some((line, why))) = (dump.tables.is_empty(), dump.reasons.first()) {
        return Err(AppError::UnreadableDump { path: path.to_owned(), line: *line, why: why.clone() });
    }
    if dump.tables.is_empty() {
        return Err(AppError::EmptyDump(path.to_owned()));
    }
    Ok(dump)
}

/// Takes queries away that name columns which no table of theirs has: what the database computes, what is its own, and what
/// it refused, too.
fn take_unanswerable(workload: &mut Workload, dialect: Dialect) -> Vec<(String, String)> {
    let catalog = Catalog::of_workload(workload);
    let unknown = |query: &Query| match &query.asks {
        Asks::Sql(sql) => resolve(sql, &catalog, dialect).ok()?.unknown_columns.into_iter().next(),
        Asks::Columns(_) => None,
    };
    let named = workload.queries.iter().filter_map(|query| Some((query.name.clone(), unknown(query)?)));
    let taken: Vec<(String, String)> = named.collect();
    workload.queries.retain(|query| !taken.iter().any(|(name, _)| *name == query.name));
    taken
}

/// Keys come after the log: columns that queries ask for are preferred. Rows of a query come after keys. What a dump
/// declares as key is one.
fn find_keys(found: &mut Found, log: Option<&LogProfile>) -> Result<(), AppError> {
    for measured in &mut found.tables {
        let table = found.workload.tables.iter_mut().find(|table| table.name == measured.name);
        let Some(table) = table.filter(|table| table.key.is_empty()) else { continue };
        let asked = log.map(|log| asked_for(log, &table.name)).unwrap_or_default();
        measured.profile.keys = profile::find_keys(&measured.path, &measured.profile, &asked)?;
        table.key = measured.profile.keys.first().map(|key| key.columns.clone()).unwrap_or_default();
    }
    Ok(())
}

/// The columns of a table that statements of a log have conditions on.
fn asked_for(log: &LogProfile, table: &str) -> Vec<String> {
    let needs =
        log.templates.iter().filter_map(|template| template.statement()).flat_map(|found| &found.needs);
    let conditions = needs.filter(|need| need.table == table).flat_map(|need| &need.predicates);
    let mut asked: Vec<String> = conditions.map(|predicate| predicate.column.clone()).collect();
    asked.sort_unstable();
    asked.dedup();
    asked
}

/// Reads a log beside the tables of a workload.
fn read_log(
    path: &Path,
    workload: &Workload,
    progress: &mut dyn FnMut(&Path, Progress),
) -> Result<LogProfile, AppError> {
    let catalog = Catalog::of_workload(workload);
    let mut tell = |now: log::Progress| {
        progress(path, Progress { bytes: now.bytes, total: now.bytes_total.unwrap_or(now.bytes) });
    };
    Ok(log::read(path, &catalog, &Options::default(), &mut tell)?)
}

/// The tables' names: those of the files without ending, in characters that a table's name can have.
fn table_names(data: &[PathBuf]) -> Result<Vec<(String, PathBuf)>, AppError> {
    let mut named: Vec<(String, PathBuf)> = Vec::new();
    for path in data {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let name: String = stem.chars().map(|letter| if fits(letter) { letter } else { '_' }).collect();
        if let Some((_, other)) = named.iter().find(|(taken, _)| *taken == name) {
            let (one, other) = (other.clone(), path.clone());
            return Err(AppError::SameTable { one, other, table: name });
        }
        named.push((name, path.clone()));
    }
    Ok(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_named_after_their_files() {
        let files = ["a/users.csv", "my data.2024.jsonl"].map(PathBuf::from);
        let names: Vec<String> = table_names(&files).unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["users", "my_data_2024"]);
        assert!(table_names(&["a/t.csv", "b/t.csv"].map(PathBuf::from)).is_err());
    }
}
