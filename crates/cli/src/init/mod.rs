//! What `tablesmith init` finds: every data file becomes a table of a workload, every kind of statement in the log's
//! training part a query.
//!
//! [`gather`] measures the files, [`text`] and [`json`] print what was found.

pub mod json;
mod log_text;
pub mod text;

use std::path::{Path, PathBuf};

use tablesmith_model::workload::{Log, Split, Workload};
use tablesmith_observe::log::{self, LogProfile, Options};
use tablesmith_observe::profile::{self, Misfit, Profile, ProfileError, Progress};

use tablesmith_sql::Catalog;

use crate::failure::Failure;
use crate::pointer::Pointer;
use crate::relative_path;

/// What was found.
pub struct Found {
    /// The workload, as it is written.
    pub workload: Workload,
    /// What was measured of each table, in the order of the workload.
    pub tables: Vec<MeasuredTable>,
    /// What was read of the log, and its file.
    pub log: Option<(PathBuf, LogProfile)>,
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

/// Measures data files, and reads a log beside them. `directory` is where the workload will lie; `progress` hears which file is read how far.
pub fn gather(
    data: &[PathBuf],
    log: Option<&Path>,
    directory: &Path,
    progress: &mut dyn FnMut(&Path, Progress),
) -> Result<Found, Failure> {
    let mut found = Found { workload: Workload::default(), tables: Vec::new(), log: None };
    for (name, path) in table_names(data)? {
        let profile = profile::columns_only(path, &mut |now| progress(path, now)).map_err(bad_data)?;
        found.workload.tables.push(profile.to_table(&name, &relative_path::from(directory, path)));
        found.tables.push(MeasuredTable { path: path.clone(), name, profile });
    }
    let log = log.map(|path| read_log(path, &found.workload, progress).map(|log| (path, log))).transpose()?;
    // Keys come after the log: columns that queries ask for are preferred. Rows of a query come after keys.
    for (measured, table) in found.tables.iter_mut().zip(&mut found.workload.tables) {
        let asked = log.as_ref().map(|(_, log)| asked_for(log, &table.name)).unwrap_or_default();
        measured.profile.keys =
            profile::find_keys(&measured.path, &measured.profile, &asked).map_err(bad_data)?;
        table.key = measured.profile.keys.first().map(|key| key.columns.clone()).unwrap_or_default();
    }
    if let Some((path, profile)) = log {
        found.workload.queries = profile.queries(&found.workload);
        found.workload.log =
            Some(Log { path: relative_path::from(directory, path), split: Split::default() });
        found.log = Some((path.to_owned(), profile));
    }
    Ok(found)
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
) -> Result<LogProfile, Failure> {
    let catalog = Catalog::of_workload(workload);
    let mut tell = |now: log::Progress| {
        progress(path, Progress { bytes: now.bytes, total: now.bytes_total.unwrap_or(now.bytes) });
    };
    log::read(path, &catalog, &Options::default(), &mut tell)
        .map_err(|error| Failure::BadFile(error.to_string()))
}

/// The tables' names: those of the files without ending, in characters that a table's name can have.
fn table_names(data: &[PathBuf]) -> Result<Vec<(String, &PathBuf)>, Failure> {
    let mut named: Vec<(String, &PathBuf)> = Vec::new();
    for path in data {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let name: String = stem.chars().map(|letter| if fits(letter) { letter } else { '_' }).collect();
        if let Some((_, other)) = named.iter().find(|(taken, _)| *taken == name) {
            let (one, two) = (other.display(), path.display());
            return Err(Failure::BadFile(format!(
                "{one} and {two} would both be the table `{name}`: rename one of them"
            )));
        }
        named.push((name, path));
    }
    Ok(named)
}

/// A data file that cannot be used, with its line where there is one.
fn bad_data(error: ProfileError) -> Failure {
    match error {
        ProfileError::Shape { path, misfit } => {
            let Misfit { line, column, text, message, expected } = *misfit;
            let path = path.display();
            let pointer = Pointer {
                path: &path,
                line,
                column,
                width: 1,
                text: &text,
                message: &message,
                expected: &expected,
            };
            Failure::BadFile(pointer.draw())
        }
        other => Failure::BadFile(other.to_string()),
    }
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
