//! The workload of the data: particles by snapshot, and the paper's three questions (section V-B).

use tablesmith_model::value::ValueType;
use tablesmith_model::workload::{Cluster, Column, Query, Sequence, SequenceKind, Table, Workload};

use super::census::{Census, SNAPSHOTS};
use super::particle::METRICS;

/// The workload of a census.
pub fn workload(census: Census) -> Workload {
    let whole =
        |name: &str, distinct: u64| Column { distinct: Some(distinct), ..Column::new(name, ValueType::Int) };
    let mut columns = vec![
        Column { monotone: true, ..whole("snapshot", SNAPSHOTS.len() as u64) },
        whole("kind", census.kinds().len() as u64),
        whole("id", census.particles()),
    ];
    columns.extend(METRICS.map(|name| Column::new(name, ValueType::Float)));
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let particle = Table {
        name: "particle".to_owned(),
        data: Some("particles.csv".to_owned()),
        rows: Some(census.states()),
        key: names(&["kind", "id", "snapshot"]),
        columns,
        time: Some(Sequence {
            column: "snapshot".to_owned(),
            entity: names(&["kind", "id"]),
            kind: SequenceKind::Sequence,
        }),
        ..Table::default()
    };
    Workload {
        cluster: Cluster { region_servers: Some(4) },
        tables: vec![particle],
        queries: queries(),
        ..Workload::default()
    }
}

fn queries() -> Vec<Query> {
    vec![
        Query::sql(
            "particles with a property",
            "SELECT id FROM particle WHERE kind = ? AND snapshot = ? AND tform > ?",
            1.0,
        ),
        Query::sql("particles of a snapshot", "SELECT id FROM particle WHERE kind = ? AND snapshot = ?", 2.0),
        Query::sql(
            "a property over snapshots",
            "SELECT snapshot, eps FROM particle WHERE kind = ? AND id = ? AND snapshot >= ? AND snapshot <= ?",
            10.0,
        ),
    ]
}
