//! The workload of the data: one table, its key the id.

use tablesmith_model::value::ValueType;
use tablesmith_model::workload::{Cluster, Column, Table, Workload};

use super::file_names;

/// The workload. It names the data when they are in one file.
pub fn workload(rows: u64, files: u32) -> Workload {
    let id = Column {
        name: "id".to_owned(),
        value_type: ValueType::Int,
        distinct: Some(rows),
        monotone: true,
        ..Column::default()
    };
    let pairs = Column { name: "pairs".to_owned(), value_type: ValueType::String, ..Column::default() };
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
