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
        let profile = profile::profile(path, &mut |now| progress(path, now)).map_err(bad_data)?;
        let data = relative_path::from(directory, path);
        found.workload.tables.push(profile.to_table(&name, &data));
        found.tables.push(MeasuredTable { path: path.clone(), name, profile });
    }
    if let Some(path) = log {
        let profile = read_log(path, &found.workload, progress)?;
        found.workload.queries = profile.queries();
        found.workload.log =
            Some(Log { path: relative_path::from(directory, path), split: Split::default() });
        found.log = Some((path.to_owned(), profile));
    }
    Ok(found)
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
