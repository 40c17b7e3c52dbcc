//! A table with readings, for tests.

use crate::value::ValueType;
use crate::workload::{Column, Sequence, SequenceKind, Table};

/// `at`, `station`, and the metrics `bikes` and `note`.
pub(super) fn table() -> Table {
    let column = |name: &str, value_type| Column::new(name, value_type);
    Table {
        name: "reading".to_owned(),
        key: vec!["station".to_owned(), "at".to_owned()],
        columns: vec![
            column("at", ValueType::Timestamp),
            column("station", ValueType::String),
            column("bikes", ValueType::Int),
            column("note", ValueType::String),
        ],
        time: Some(Sequence {
            column: "at".to_owned(),
            entity: vec!["station".to_owned()],
            kind: SequenceKind::Time,
        }),
        ..Table::default()
    }
}
