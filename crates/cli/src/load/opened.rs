//! A design with its workload, ready to be written to.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tablesmith_access::{AccessError, Living, Writer, falls_short};
use tablesmith_model::TableName;
use tablesmith_model::design::Design;
use tablesmith_model::workload::Workload;
use tablesmith_store::{Store, StoreError};

use crate::failure::Failure;
use crate::{design_file, workload_file};

/// A design with its workload.
pub struct Opened {
    /// The workload.
    pub workload: Workload,
    /// Where it lies.
    pub workload_path: PathBuf,
    /// The design.
    pub design: Design,
    /// What writes to all its places.
    pub writer: Arc<Writer>,
}

impl Opened {
    /// Reads the design in a file, and the workload that it names.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let beside = path.parent().unwrap_or(Path::new(""));
        let workload_path = beside.join(design_file::read(path)?.workload);
        let workload = workload_file::read(&workload_path)?;
        let design = design_file::read_for(path, &workload)?;
        let wrong = |error| Failure::BadFile(format!("{}: {error}", path.display()));
        let writer = Arc::new(Writer::new(&workload, &design).map_err(wrong)?);
        Ok(Self { workload, workload_path, design, writer })
    }
}

/// Refuses to write to tables of a store that would not keep what a design says.
pub async fn keeps_all(store: &dyn Store, design: &Design) -> Result<(), Failure> {
    let names: Vec<TableName> = design.tables.iter().filter_map(|table| table.name.parse().ok()).collect();
    let living = Living::look(store, &names).await?;
    let short = falls_short(design, &living).map_err(|error| Failure::BadFile(error.to_string()))?;
    match short.first() {
        None => Ok(()),
        Some(short) => Err(Failure::BadFile(format!(
            "{short}: bring the tables of the store up to the design first, with tablesmith apply DESIGN.toml --yes"
        ))),
    }
}

/// What to do where rows lie otherwise than a design says.
pub const INSTEAD: &str = "use the design that they were loaded with, or empty the table (truncate in tablesmith shell) and load again";

/// The failure of work on a store.
pub fn failed(error: AccessError) -> Failure {
    match error {
        AccessError::Store(StoreError::TableNotFound(table)) => Failure::NoTables(table),
        AccessError::Store(error) => Failure::Store(error),
        error => Failure::BadFile(error.to_string()),
    }
}
