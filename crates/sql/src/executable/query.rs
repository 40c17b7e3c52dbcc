//! A query as a plain value.

use tablesmith_model::value::ValueType;

use super::{Aggregate, Expr, Predicate};

/// A `SELECT`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// The tables, in the order of the text; a table that is named twice stands here twice.
    pub sources: Vec<Source>,
    /// What every combination of their rows meets; equalities between two sources join them.
    pub filter: Vec<Predicate>,
    /// How rows are put together; none when each stands for itself.
    pub grouping: Option<Grouping>,
    /// The columns of the answer.
    pub outputs: Vec<OutputColumn>,
    /// Whether equal rows of the answer are one.
    pub distinct: bool,
    /// The order of the answer, first by the first.
    pub order: Vec<Order>,
    /// At most so many rows.
    pub limit: Option<u64>,
    /// So many rows are passed over first.
    pub offset: u64,
}

/// A table in a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The table of the workload.
    pub table: String,
    /// What the query calls it.
    pub alias: String,
}

/// A column of a source.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Column {
    /// The place of the source in [`Query::sources`].
    pub source: usize,
    /// The column, spelled as the workload does.
    pub name: String,
    /// Its type.
    pub value_type: ValueType,
}

/// How rows are put together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grouping {
    /// Rows that agree in these columns are one group; without any, all rows are.
    pub by: Vec<Column>,
    /// What is worked out of each group, in the order in which [`Expr::Aggregate`] counts.
    pub aggregates: Vec<Aggregate>,
    /// What groups meet; its columns are among `by`.
    pub having: Vec<Predicate>,
}

/// A column of the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputColumn {
    /// Its name.
    pub name: String,
    /// What stands in it.
    pub expr: Expr,
}

/// One step of an order.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// What it goes by.
    pub by: Expr,
    /// Whether great values come first.
    pub descending: bool,
    /// Whether nulls come first; as SQLite does it when not said: nulls are less than everything.
    pub nulls_first: bool,
}

impl Order {
    /// Whether nulls stand where the order itself puts them.
    pub fn is_natural(&self) -> bool {
        self.nulls_first != self.descending
    }
}
