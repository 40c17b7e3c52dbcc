//! The workload of the data: the table with its key, the present schema by meaning, and the log.

use tablesmith_model::workload::{Cluster, Column, Family, Log, Split, Table, Workload};

use super::columns::{self, Group};
use super::facts::Facts;
use super::world::World;

/// The workload.
pub fn workload(world: &World, facts: &[Facts]) -> Workload {
    let family = |name: &str, group| Family { name: name.to_owned(), columns: columns::names(group) };
    let table = Table {
        name: "ads".to_owned(),
        data: Some("ads.csv".to_owned()),
        rows: Some(world.rows),
        key: columns::names(Group::Key),
        columns: columns(facts, world.rows),
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

fn columns(facts: &[Facts], rows: u64) -> Vec<Column> {
    let column = |(column, facts): (&columns::Column, &Facts)| Column {
        monotone: column.name == "day",
        ..facts.column(column.name, column.value_type, rows)
    };
    columns::ALL.iter().zip(facts).map(column).collect()
}
