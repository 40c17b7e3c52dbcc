//! Which layouts can serve which tables of a query: one that stores a table alone, or one that stores exactly a join that
//! the query makes.

use tablesmith_model::design::{ColumnOf, Record};
use tablesmith_sql::executable::{Column, Query};

use super::conditions::Conditions;

/// Tables of a query that one layout serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The place of the layout among those of the design.
    pub layout: usize,
    /// The sources of the query that the tables of the record are, in the order of the record.
    pub sources: Vec<usize>,
    /// Another part of the same table that is read by the same calls.
    pub with: Option<Box<Part>>,
}

impl Part {
    /// The sources as bits, those of a part that is read with it too.
    pub fn mask(&self) -> u64 {
        let with = self.with.as_ref().map_or(0, |with| with.mask());
        self.sources.iter().fold(with, |mask, source| mask | 1 << source)
    }

    /// The part without what is read with it.
    pub fn alone(&self) -> Self {
        Self { with: None, ..self.clone() }
    }

    /// The field of the record that a column of the query is.
    pub fn field(&self, record: &Record, column: &Column) -> Option<String> {
        let at = self.sources.iter().position(|source| *source == column.source)?;
        let table = record.tables.get(at)?.clone();
        record.field(&ColumnOf { table, column: column.name.clone() })
    }
}

/// All parts that the layouts of these records can serve.
pub fn parts<'r>(
    records: impl Iterator<Item = &'r Record>,
    query: &Query,
    conditions: &Conditions,
    columns: &dyn Fn(usize, &str) -> Option<Column>,
) -> Vec<Part> {
    let mut parts = Vec::new();
    for (layout, record) in records.enumerate() {
        for sources in assignments(record, query) {
            let part = Part { layout, sources, with: None };
            let column = |of: &ColumnOf| {
                let at = record.tables.iter().position(|table| *table == of.table)?;
                columns(*part.sources.get(at)?, &of.column)
            };
            let is_made = record.joins.iter().all(|join| match (column(&join.have), column(&join.other)) {
                (Some(have), Some(other)) => conditions.are_equal(&have, &other),
                _ => false,
            });
            if is_made {
                parts.push(part);
            }
        }
    }
    parts
}

/// All ways to take the tables of a record for sources of the query, none of them twice.
fn assignments(record: &Record, query: &Query) -> Vec<Vec<usize>> {
    let mut ways: Vec<Vec<usize>> = vec![Vec::new()];
    for table in &record.tables {
        let mut longer = Vec::new();
        for way in &ways {
            for (source, _) in query.sources.iter().enumerate().filter(|(_, source)| source.table == *table) {
                if !way.contains(&source) {
                    longer.push(way.iter().copied().chain([source]).collect());
                }
            }
        }
        ways = longer;
    }
    ways
}
