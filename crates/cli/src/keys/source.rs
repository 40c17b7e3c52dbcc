//! What tables keys are judged for, and where their rows are.

use std::path::{Path, PathBuf};

use tablesmith_model::workload::{Table, Workload};
use tablesmith_observe::profile;
use tablesmith_observe::rows::{self, Rows};

use crate::failure::Failure;
use crate::workload_file;

/// Tables and their files.
pub struct Source {
    /// The tables.
    pub tables: Vec<Table>,
    /// Servers that the workload's cluster has.
    pub servers: Option<usize>,
    /// The workload's file, when there is one.
    pub workload: Option<PathBuf>,
    /// What stands in it: the queries say how tables are read.
    pub asked: Option<Workload>,
    /// Where the tables' files are seen from.
    directory: PathBuf,
}

impl Source {
    /// The tables of a workload that have data, or the one that is named.
    pub fn of_workload(path: &Path, table: Option<&str>) -> Result<Self, Failure> {
        let workload = workload_file::read(path)?;
        let is_wanted = |wanted: &&Table| table.map_or(wanted.data.is_some(), |name| wanted.name == name);
        let tables: Vec<Table> = workload.tables.iter().filter(is_wanted).cloned().collect();
        if tables.is_empty() {
            let why = match table {
                Some(name) => format!("{} has no table `{name}`", path.display()),
                None => format!(
                    "no table of {} has data: name its file, as data = \"events.csv\"",
                    path.display()
                ),
            };
            return Err(Failure::BadFile(why));
        }
        Ok(Self {
            tables,
            servers: workload.cluster.region_servers.and_then(|servers| usize::try_from(servers).ok()),
            asked: Some(workload),
            workload: Some(path.to_owned()),
            directory: path.parent().unwrap_or(Path::new("")).to_owned(),
        })
    }

    /// One data file, whose columns are measured first. `progress` hears how many bytes of how many are read.
    pub fn of_data(path: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<Self, Failure> {
        let found = profile::columns_only(path, &mut |now| progress(now.bytes, now.total));
        let found = found.map_err(|error| Failure::BadFile(error.to_string()))?;
        let name =
            path.file_stem().map_or_else(|| "rows".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let table = found.to_table(&name, &path.to_string_lossy());
        Ok(Self {
            tables: vec![table],
            servers: None,
            workload: None,
            asked: None,
            directory: PathBuf::new(),
        })
    }

    /// The rows of a table.
    pub fn rows(&self, table: &Table) -> Result<Rows, Failure> {
        let Some(data) = &table.data else {
            return Err(Failure::BadFile(format!(
                "table `{0}` has no data: name its file in workload.toml, as data = \"{0}.csv\"",
                table.name
            )));
        };
        rows::open(&self.directory.join(data), table).map_err(|error| Failure::BadFile(error.to_string()))
    }
}
