//! The data of a workload's tables.

use std::path::Path;

use tablesmith_model::workload::Table;
use tablesmith_observe::rows::{self, Rows};
use tablesmith_verify::statements::{Sample, Source};

use super::script::beside;
use crate::AppError;

/// The rows of a table, from its file beside the workload at `path`.
pub fn rows(path: &Path, table: &Table) -> Result<Rows, AppError> {
    open(path, table)
}

/// Where rows of tables are drawn from by seed: keys and values that nobody logged.
pub fn source(path: &Path, seed: u64) -> Source<'_> {
    // What cannot be read of a file is told when it is loaded.
    Box::new(move |table: &Table| {
        let rows = open(path, table).map_err(|error| error.to_string())?;
        Ok(Sample::draw(rows.filter_map(Result::ok), seed))
    })
}

fn open(path: &Path, table: &Table) -> Result<Rows, AppError> {
    let data = table.data.as_ref().ok_or_else(|| AppError::NoDataToLoad(table.name.clone()))?;
    Ok(rows::open(&beside(path, data), table)?)
}
