//! A table of stations, for tests: 40 of them, a reading a minute for ten days.

use tablesmith_model::value::ValueType;
use tablesmith_model::workload::{Column, Sequence, SequenceKind, Table};

use super::facts::Facts;

/// The table, with so many metrics.
pub fn table(metrics: usize) -> Table {
    let mut columns = vec![
        Column { distinct: Some(40), bytes: Some(6.0), ..Column::new("station", ValueType::String) },
        Column {
            min: Some("2024-01-01T00:00:00Z".into()),
            max: Some("2024-01-10T23:59:00Z".into()),
            ..Column::new("at", ValueType::Timestamp)
        },
    ];
    columns.extend((0..metrics).map(|index| Column::new(format!("m{index}"), ValueType::Int)));
    Table {
        name: "reading".into(),
        rows: Some(576_000),
        columns,
        time: Some(Sequence {
            column: "at".into(),
            entity: vec!["station".into()],
            kind: SequenceKind::Time,
        }),
        ..Table::default()
    }
}

/// What it declares.
pub fn facts(metrics: usize) -> Facts {
    Facts::declared(&table(metrics)).unwrap()
}
