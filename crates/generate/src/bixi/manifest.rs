//! The workload of the data: the readings with their stations and times, the stations, and what is asked.

use tablesmith_model::value::{Moment, ValueType};
use tablesmith_model::workload::{
    Cluster, Column, Query, Reference, Sequence, SequenceKind, Table, Workload,
};

use super::extent::{Extent, FIRST_DAY_MS, MINUTE_MS};

/// The workload of an extent with so many readings.
pub fn workload(extent: Extent, readings: u64) -> Workload {
    Workload {
        cluster: Cluster { region_servers: Some(4) },
        tables: vec![reading(extent, readings), station(extent)],
        queries: queries(),
        ..Workload::default()
    }
}

fn reading(extent: Extent, readings: u64) -> Table {
    let time = |millis| Moment::from_millis(millis).map(|at| at.to_string());
    let station = Column { distinct: Some(extent.stations.into()), ..Column::new("station", ValueType::Int) };
    let at = Column {
        distinct: Some(extent.minutes()),
        min: time(FIRST_DAY_MS),
        max: time(extent.end_ms() - MINUTE_MS),
        ..Column::new("at", ValueType::Timestamp)
    };
    let metric = |name| Column::new(name, ValueType::Int);
    Table {
        name: "reading".to_owned(),
        data: Some("readings.csv".to_owned()),
        rows: Some(readings),
        key: vec!["station".to_owned(), "at".to_owned()],
        columns: vec![station, at, metric("bikes"), metric("empty_docks"), metric("locked")],
        references: vec![Reference {
            column: "station".to_owned(),
            table: "station".to_owned(),
            target: "station".to_owned(),
        }],
        time: Some(Sequence {
            column: "at".to_owned(),
            entity: vec!["station".to_owned()],
            kind: SequenceKind::Time,
        }),
        ..Table::default()
    }
}

fn station(extent: Extent) -> Table {
    let number = Column { distinct: Some(extent.stations.into()), ..Column::new("station", ValueType::Int) };
    Table {
        name: "station".to_owned(),
        data: Some("stations.csv".to_owned()),
        rows: Some(extent.stations.into()),
        key: vec!["station".to_owned()],
        columns: vec![
            number,
            Column::new("name", ValueType::String),
            Column::new("latitude", ValueType::Float),
            Column::new("longitude", ValueType::Float),
            Column::new("docks", ValueType::Int),
        ],
        ..Table::default()
    }
}

/// The paper's question about days (section V-B), and what a map of the city asks all day.
fn queries() -> Vec<Query> {
    vec![
        Query::sql(
            "average over days",
            "SELECT station, AVG(bikes) FROM reading WHERE at >= ? AND at < ? GROUP BY station",
            1.0,
        ),
        Query::sql(
            "average of a station over days",
            "SELECT AVG(bikes) FROM reading WHERE station = ? AND at >= ? AND at < ?",
            10.0,
        ),
        Query::sql(
            "last reading of a station",
            "SELECT bikes, empty_docks FROM reading WHERE station = ? ORDER BY at DESC LIMIT 1",
            5.0,
        ),
    ]
}
