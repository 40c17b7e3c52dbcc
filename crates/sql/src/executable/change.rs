//! Statements that change rows, as plain values.

use tablesmith_model::value::Value;

use super::{Predicate, Query};

/// Rows that are added.
#[derive(Clone, Debug, PartialEq)]
pub struct Insert {
    /// The table of the workload.
    pub table: String,
    /// Each row: the values of all columns, in the order of the workload; what the statement does not name is null.
    pub rows: Vec<Vec<Value>>,
}

/// Rows that are changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Update {
    /// The table of the workload.
    pub table: String,
    /// What is set.
    pub set: Vec<Assignment>,
    /// What the rows meet; their columns are those of source 0.
    pub filter: Vec<Predicate>,
}

/// Rows that are removed.
#[derive(Clone, Debug, PartialEq)]
pub struct Delete {
    /// The table of the workload.
    pub table: String,
    /// What the rows meet; their columns are those of source 0.
    pub filter: Vec<Predicate>,
}

/// A column that is set.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The column, spelled as the workload does.
    pub column: String,
    /// What it is set to.
    pub to: Assigned,
}

/// What a column is set to.
#[derive(Clone, Debug, PartialEq)]
pub enum Assigned {
    /// This value.
    Value(Value),
    /// What it has, and so much more: `n = n + 1`.
    Plus(Value),
    /// What another column of the row has.
    Column(String),
}

/// The rows of one table that meet conditions, as a query without output columns.
pub(super) fn rows_of(table: &str, filter: Vec<Predicate>) -> Query {
    let sources = vec![super::Source { table: table.to_owned(), alias: table.to_owned() }];
    Query { sources, filter, ..Query::default() }
}

impl Update {
    /// The rows that are changed, as a query without output columns.
    pub fn rows(&self) -> Query {
        rows_of(&self.table, self.filter.clone())
    }
}

impl Delete {
    /// The rows that are removed, as a query without output columns.
    pub fn rows(&self) -> Query {
        rows_of(&self.table, self.filter.clone())
    }
}
