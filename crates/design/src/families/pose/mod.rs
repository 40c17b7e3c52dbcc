//! From a workload to problems: what each table's columns are, and what the queries ask of them.

mod footprint;

use std::collections::HashMap;

use tablesmith_model::workload::{Query, ROWS_ASSUMED, Table, Workload};
use tablesmith_plan::statistics;
use tablesmith_sql::{Catalog, SqlError};

use self::footprint::Footprint;
use super::{Access, Ask, Column, ColumnSet, FamilyLimit, Problem};

/// Bytes of a generated row number, the key of a table without one.
const ROW_NUMBER_BYTES: f64 = 8.0;

/// Where the columns of a table's key are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyColumns {
    /// In cells as all others, as models have it that know no row key.
    InCells,
    /// In the row key, from which they are read for nothing.
    InRowKey,
}

/// The problems of a workload.
#[derive(Debug, Default)]
pub struct Posed {
    /// One for each table, in the order of the file.
    pub problems: Vec<Problem>,
    /// Queries that could not be understood, by name.
    pub not_understood: Vec<(String, SqlError)>,
    /// What was assumed because nobody said it, in words.
    pub assumed: Vec<String>,
}

/// Poses the problem of every table of a workload, for these queries.
pub fn pose(workload: &Workload, queries: &[Query], limit: FamilyLimit, key: KeyColumns) -> Posed {
    let catalog = Catalog::of_workload(workload);
    let mut posed = Posed::default();
    let mut footprints: HashMap<String, Vec<Footprint>> = HashMap::new();
    for query in queries {
        match footprint::of_query(workload, &catalog, query) {
            Ok(found) => {
                found.into_iter().for_each(|(table, print)| footprints.entry(table).or_default().push(print))
            }
            Err(error) => posed.not_understood.push((query.name.clone(), error)),
        }
    }
    for table in &workload.tables {
        let own = footprints.remove(&table.name).unwrap_or_default();
        posed.assumed.extend(assumptions(table));
        posed.problems.push(problem(table, own, limit, key));
    }
    posed
}

fn problem(table: &Table, footprints: Vec<Footprint>, limit: FamilyLimit, key: KeyColumns) -> Problem {
    let in_row_key: ColumnSet = match key {
        KeyColumns::InCells => ColumnSet::new(),
        KeyColumns::InRowKey => table.key.iter().filter_map(|name| table.column_index(name)).collect(),
    };
    let columns = table.columns.iter().enumerate().map(|(index, column)| Column {
        name: column.name.clone(),
        bytes: statistics::bytes(column),
        filled: if in_row_key.contains(index) { 0.0 } else { 1.0 - column.nulls.unwrap_or(0.0) },
    });
    let family = |names: &[String]| names.iter().filter_map(|name| table.column_index(name)).collect();
    let current: Vec<ColumnSet> = table.families.iter().map(|present| family(&present.columns)).collect();
    Problem {
        table: table.name.clone(),
        rows: table.rows.unwrap_or(ROWS_ASSUMED),
        key_bytes: key_bytes(table),
        columns: columns.collect(),
        asks: fold(footprints, &in_row_key),
        limit,
        current: (!current.is_empty()).then(|| with_the_rest(current, table.columns.len())),
    }
}

fn key_bytes(table: &Table) -> f64 {
    let known: Vec<f64> =
        table.key.iter().filter_map(|name| table.column(name)).map(statistics::bytes).collect();
    if known.is_empty() { ROW_NUMBER_BYTES } else { known.iter().sum() }
}

/// Asks of the same shape become one: methods take as long as there are shapes.
fn fold(footprints: Vec<Footprint>, in_row_key: &ColumnSet) -> Vec<Ask> {
    let mut places: HashMap<(Access, ColumnSet), usize> = HashMap::new();
    let mut asks: Vec<Ask> = Vec::new();
    for Footprint { name, access, mut columns, rows, rate } in footprints {
        columns.subtract(in_row_key);
        if rate <= 0.0 {
            continue;
        }
        let place = *places.entry((access, columns.clone())).or_insert(asks.len());
        match asks.get_mut(place) {
            Some(ask) => {
                let together = ask.rate + rate;
                ask.rows = (ask.rows * ask.rate + rows * rate) / together;
                ask.rate = together;
            }
            None => asks.push(Ask { name, access, columns, rows, rate }),
        }
    }
    asks
}

/// Columns that the present schema does not name are in its first family.
fn with_the_rest(mut families: Vec<ColumnSet>, columns: usize) -> Vec<ColumnSet> {
    let mut rest = ColumnSet::first(columns);
    families.iter().for_each(|family| rest.subtract(family));
    if let Some(first) = families.first_mut() {
        first.unite(&rest);
    }
    families.retain(|family| !family.is_empty());
    families
}

fn assumptions(table: &Table) -> Vec<String> {
    let mut said = Vec::new();
    if table.rows.is_none() {
        said.push(format!("{}: the number of rows is not known; {ROWS_ASSUMED} are assumed", table.name));
    }
    let unknown = table.columns.iter().filter(|column| column.bytes.is_none()).count();
    if unknown > 0 {
        let columns = table.columns.len();
        said.push(format!(
            "{}: {unknown} of {columns} columns do not say how many bytes a value has; their type's usual size is taken",
            table.name
        ));
    }
    said
}

#[cfg(test)]
mod tests;
