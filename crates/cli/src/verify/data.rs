//! The data of a workload's tables.

use std::path::Path;

use tablesmith_model::workload::Table;
use tablesmith_observe::rows::{self, Rows};
use tablesmith_verify::statements::{Sample, Source};

use super::script::beside;
use crate::failure::Failure;

/// The rows of a table, from its file beside the workload at `path`.
pub fn rows(path: &Path, table: &Table) -> Result<Rows, Failure> {
    open(path, table).map_err(Failure::BadFile)
}

/// Where rows of tables are drawn from by seed: keys and values that nobody logged.
pub fn source(path: &Path, seed: u64) -> Source<'_> {
    // What cannot be read of a file is told when it is loaded.
    Box::new(move |table: &Table| Ok(Sample::draw(open(path, table)?.filter_map(Result::ok), seed)))
}

fn open(path: &Path, table: &Table) -> Result<Rows, String> {
    let name = &table.name;
    let Some(data) = &table.data else {
        return Err(format!(
            "table `{name}` has no data to load: name its file in workload.toml, as data = \"{name}.csv\""
        ));
    };
    rows::open(&beside(path, data), table).map_err(|error| error.to_string())
}
