//! The workload of the data: one table, its key the id.

use tablesmith_model::value::ValueType;
use tablesmith_model::workload::{Cluster, Column, Table, Workload};

use super::file_names;

/// The workload. It names the data when they are in one file.
pub fn workload(rows: u64, files: u32) -> Workload {
    let id = Column { distinct: Some(rows), monotone: true, ..Column::new("id", ValueType::Int) };
    let pairs = Column::new("pairs", ValueType::String);
    let data = (files == 1).then(|| file_names(files).into_iter().next()).flatten();
    let table = Table {
        name: "sparse".to_owned(),
        data,
        rows: Some(rows),
        key: vec!["id".to_owned()],
        columns: vec![id, pairs],
        ..Table::default()
    };
    Workload { cluster: Cluster { region_servers: Some(5) }, tables: vec![table], ..Workload::default() }
}
