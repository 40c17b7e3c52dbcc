//! What tables keys are judged for, and where their rows are.

use std::path::{Path, PathBuf};

use tablesmith_model::workload::{Table, Workload};
use tablesmith_observe::profile;
use tablesmith_observe::rows::{self, Rows};

use crate::{AppError, Context, workload_file};

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
    pub fn of_workload(path: &Path, table: Option<&str>) -> Result<Self, AppError> {
        let workload = workload_file::read(path)?;
        let is_wanted = |wanted: &&Table| table.map_or(wanted.data.is_some(), |name| wanted.name == name);
        let tables: Vec<Table> = workload.tables.iter().filter(is_wanted).cloned().collect();
        if tables.is_empty() {
            let path = path.to_owned();
            return Err(match table {
                Some(name) => AppError::UnknownTable { path, name: name.to_owned() },
                None => AppError::NoTableWithData(path),
            });
        }
        Ok(Self {
            tables,
            servers: workload.cluster.region_servers.and_then(|servers| usize::try_from(servers).ok()),
            asked: Some(workload),
            workload: Some(path.to_owned()),
            directory: path.parent().unwrap_or(Path::new("")).to_owned(),
        })
    }

    /// One data file, whose columns are measured first.
    pub fn of_data(context: &Context, path: &Path) -> Result<Self, AppError> {
        let mut reading = context.read_file("reading", path);
        let found = profile::columns_only(path, &mut |now| reading.read(now.bytes, now.total));
        let found = found.map_err(AppError::refused)?;
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

    /// The file of a table.
    pub fn file(&self, table: &Table) -> Result<PathBuf, AppError> {
        let data = table.data.as_ref().ok_or_else(|| AppError::NoData(table.name.clone()))?;
        Ok(self.directory.join(data))
    }

    /// The rows of a table.
    pub fn rows(&self, table: &Table) -> Result<Rows, AppError> {
        Ok(rows::open(&self.file(table)?, table)?)
    }
}
