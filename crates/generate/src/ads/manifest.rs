//! The workload of the data: the table with its key, the present schema by meaning, and the log.

use tablesmith_model::workload::{Cluster, Column, Family, Log, Split, Table, Workload};

use super::columns::{self, Group};
use super::rows::Measured;
use super::world::World;

/// The workload.
pub fn workload(world: &World, measured: Measured) -> Workload {
    let family = |name: &str, group| Family { name: name.to_owned(), columns: columns::names(group) };
    let table = Table {
        name: "ads".to_owned(),
        data: Some("ads.csv".to_owned()),
        rows: Some(world.rows),
        key: columns::names(Group::Key),
        columns: columns(&measured, world.rows),
        // What the paper calls ref03: columns are divided by what they mean.
        families: vec![
            family("dimensions", Group::Dimension),
            family("counts", Group::Count),
            family("amounts", Group::Amount),
        ],
        ..Table::default()
    };
    Workload {
        cluster: Cluster { region_servers: Some(5) },
        tables: vec![table],
        log: Some(Log { path: "queries.sql".to_owned(), split: Split::default() }),
        ..Workload::default()
    }
}

fn columns(measured: &Measured, rows: u64) -> Vec<Column> {
    let counted = measured.bytes.iter().zip(&measured.values);
    let column = |(column, (bytes, values)): (&columns::Column, (&u64, &u64))| {
        let nulls = rows.saturating_sub(*values);
        let rounded = |number: f64, unit: f64| (number * unit).round() / unit;
        Column {
            bytes: (*values > 0).then(|| rounded(*bytes as f64 / *values as f64, 100.0)),
            nulls: (nulls > 0).then(|| rounded(nulls as f64 / rows as f64, 10_000.0)),
            monotone: column.name == "day",
            ..Column::new(column.name, column.value_type)
        }
    };
    columns::ALL.iter().zip(counted).map(column).collect()
}
