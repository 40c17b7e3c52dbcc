//! A design with its workload, ready to be written to.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tablesmith_access::{Living, Writer, falls_short};
use tablesmith_model::TableName;
use tablesmith_model::design::Design;
use tablesmith_model::workload::Workload;
use tablesmith_store::Store;

use crate::{AppError, design_file};

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
    pub fn read(path: &Path) -> Result<Self, AppError> {
        let (design, workload) = design_file::read_both(path)?;
        let workload_path = design_file::workload_path(path, &design);
        let writer = Arc::new(Writer::new(&workload, &design).map_err(AppError::in_file(path))?);
        Ok(Self { workload, workload_path, design, writer })
    }
}

/// Refuses to write to tables of a store that would not keep what a design says.
pub async fn keeps_all(store: &dyn Store, design: &Design) -> Result<(), AppError> {
    let names: Vec<TableName> = design.tables.iter().filter_map(|table| table.name.parse().ok()).collect();
    let living = Living::look(store, &names).await?;
    match falls_short(design, &living)?.into_iter().next() {
        None => Ok(()),
        Some(short) => Err(AppError::FallsShort(short)),
    }
}
