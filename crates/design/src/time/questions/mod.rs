//! From the queries of a workload to what they ask of one table of readings.
//!
//! [`statement`] reads what SQL needs of the table, [`touched`] what is known only by columns; [`words`] finds lengths of
//! time in a statement's text. What is not understood, or only guessed, is said in a note.

mod statement;
mod touched;
mod words;

use tablesmith_model::workload::{Asks, Query, Table, Workload};
use tablesmith_sql::{Catalog, Dialect, resolve};

use super::facts::Facts;
use super::query::TimeQuery;

/// What queries ask of a table of readings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Questions {
    /// The queries that are understood.
    pub queries: Vec<TimeQuery>,
    /// What was left out or guessed, in sentences.
    pub notes: Vec<String>,
}

/// What these queries ask of a table of the workload.
pub fn questions(workload: &Workload, table: &Table, facts: &Facts, queries: &[Query]) -> Questions {
    let catalog = Catalog::of_workload(workload);
    let mut found = Questions::default();
    for query in queries.iter().filter(|query| query.rate > 0.0) {
        let mut asking = Asking { query, table, facts, notes: &mut found.notes };
        let more = match &query.asks {
            Asks::Columns(columns) if columns.table == table.name => asking.touched(columns),
            Asks::Columns(_) => Vec::new(),
            Asks::Sql(sql) => match resolve(sql, &catalog, Dialect::default()) {
                Ok(statement) => asking.statement(sql, &statement).into_iter().collect(),
                Err(error) => {
                    asking.note(format!("is left out: {error}"));
                    Vec::new()
                }
            },
        };
        found.queries.extend(more);
    }
    found
}

/// One query, while it is looked at.
struct Asking<'a> {
    query: &'a Query,
    table: &'a Table,
    facts: &'a Facts,
    notes: &'a mut Vec<String>,
}

impl Asking<'_> {
    fn note(&mut self, what: String) {
        self.notes.push(format!("query `{}` {what}", self.query.name));
    }

    /// The metrics among these columns, in the table's order; all of them when there is none.
    fn metrics(&self, columns: &[String]) -> Vec<String> {
        let all = || self.facts.metrics.iter().map(|metric| metric.name.clone());
        let named: Vec<String> = all().filter(|name| columns.contains(name)).collect();
        if named.is_empty() { all().collect() } else { named }
    }

    /// How long a stretch is that has so many readings of so many entities.
    fn length_of_rows(&self, rows: f64, entities: f64) -> f64 {
        let each = self.facts.readings_per_entity() / self.facts.extent();
        (rows / entities.max(1.0) / each).clamp(1.0, self.facts.extent())
    }
}

#[cfg(test)]
mod tests;
