//! Files with rows, and which table they are of.

use std::convert::Infallible;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::UNIX_EPOCH;

use tablesmith_model::workload::Table;

use super::opened::Opened;
use crate::AppError;
use crate::input_file::InputKind;
use crate::temporary::TemporaryFile;

/// The standard input.
const STANDARD_INPUT: &str = "-";

/// A file as it was named: `[TABLE=]FILE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFile {
    /// The table, if it was said.
    table: Option<String>,
    /// The file.
    file: PathBuf,
}

impl FromStr for DataFile {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text.split_once('=') {
            Some((table, file)) => Self { table: Some(table.to_owned()), file: file.into() },
            None => Self { table: None, file: text.into() },
        })
    }
}

/// A file that is read.
pub struct Input {
    /// The table that its rows are of.
    pub table: Table,
    /// Where it lies.
    pub path: PathBuf,
    /// Its name for people.
    pub name: String,
    /// What came over the standard input, until it is loaded.
    _spooled: Option<TemporaryFile>,
}

/// The files that were named, else those of the workload.
pub fn inputs(opened: &Opened, named: &[DataFile]) -> Result<Vec<Input>, AppError> {
    if !named.is_empty() {
        return named.iter().map(|file| input(opened, file)).collect();
    }
    let beside = opened.workload_path.parent().unwrap_or(Path::new(""));
    let is_stored = |table: &&Table| opened.writer.stores(&table.name);
    let with_data = opened.workload.tables.iter().filter(is_stored);
    let inputs: Vec<Input> = with_data
        .filter_map(|table| {
            let data = table.data.as_ref()?;
            Some(Input { table: table.clone(), path: beside.join(data), name: data.clone(), _spooled: None })
        })
        .collect();
    if inputs.is_empty() {
        return Err(AppError::NothingToLoad);
    }
    Ok(inputs)
}

fn input(opened: &Opened, file: &DataFile) -> Result<Input, AppError> {
    let stem = file.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = file.table.clone().unwrap_or(stem);
    let tables = &opened.workload.tables;
    let table = match (opened.workload.table(&name), tables.as_slice()) {
        (Some(table), _) => table,
        (None, [only]) if file.table.is_none() => only,
        _ => {
            let tables = tables.iter().map(|table| table.name.clone()).collect();
            return Err(AppError::NoTableForFile { name, file: file.file.clone(), tables });
        }
    };
    let shown = file.file.display().to_string();
    if shown == STANDARD_INPUT {
        let spooled = spool().map_err(|error| AppError::Unreadable {
            kind: InputKind::Data,
            path: STANDARD_INPUT.into(),
            error,
        })?;
        let path = spooled.path().to_owned();
        return Ok(Input { table: table.clone(), path, name: shown, _spooled: Some(spooled) });
    }
    Ok(Input { table: table.clone(), path: file.file.clone(), name: shown, _spooled: None })
}

/// What comes over the standard input as a file: its first bytes tell its format, and Parquet begins at its end.
fn spool() -> io::Result<TemporaryFile> {
    let mut file = TemporaryFile::new()?;
    io::copy(&mut io::stdin().lock(), file.as_file_mut())?;
    Ok(file)
}

/// What tells a file from others, also from an earlier one of its name. Two inputs that came over the standard input are
/// never the same.
pub fn identity(path: &Path, name: &str) -> String {
    let about = std::fs::metadata(path).ok();
    let bytes = about.as_ref().map_or(0, std::fs::Metadata::len);
    let modified = about.and_then(|about| about.modified().ok());
    let modified = modified.and_then(|at| at.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    let whole = if name == STANDARD_INPUT { name.into() } else { path.canonicalize().unwrap_or(path.into()) };
    format!("{} ({bytes} bytes of {} ms)", whole.display(), modified.as_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_stands_before_its_file() {
        let file = |text: &str| text.parse::<DataFile>().unwrap();
        assert_eq!(file("follow=a/b.csv").table.as_deref(), Some("follow"));
        assert_eq!(file("a/b.csv"), DataFile { table: None, file: "a/b.csv".into() });
    }
}
