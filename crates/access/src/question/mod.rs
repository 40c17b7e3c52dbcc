//! A prepared statement on one table: what is asked, with places for the values of each call.
//!
//! Resolving a text takes a parser and is done once for all calls that differ in values; [`Question::bind`] puts the
//! values of a call in, by the types of the columns that they are compared with. [`Questions`] keeps what was resolved.

mod bind;
mod columns;
mod markers;
mod questions;
mod sql;

pub use questions::{AskError, Questions};

use std::sync::Arc;

use tablesmith_model::value::{Value, ValueType};

/// A prepared statement on one table.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    name: Arc<str>,
    table: Arc<str>,
    slots: Vec<Slot>,
    shape: Shape,
    not_understood: Arc<[String]>,
}

/// A place for a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The column that it is compared with or written to; none when it takes no part in what is carried out.
    pub column: Option<String>,
    /// Which of several rows it is about: values of one row belong together when they are drawn from data.
    pub row: usize,
    /// What stands there in the text that the question was made of.
    pub literal: Option<String>,
}

/// What is asked, with places for values.
#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Read { columns: Arc<[String]>, conditions: Vec<OpenCondition>, limit: Option<OpenLimit> },
    ReadOn { columns: Arc<[String]>, place: Vec<Operand>, rows: u64 },
    Insert(Vec<Vec<(String, Operand)>>),
    Update { set: Vec<(String, Operand)>, conditions: Vec<OpenCondition> },
    Delete(Vec<OpenCondition>),
    ByKey { columns: Arc<[String]>, rows: Vec<OpenRow> },
}

/// A row that is known by its key, with places for values.
#[derive(Clone, Debug, PartialEq)]
struct OpenRow {
    key: Vec<(String, Operand)>,
    set: Vec<(String, Operand)>,
}

/// A condition with places for values.
#[derive(Clone, Debug, PartialEq)]
struct OpenCondition {
    column: String,
    operator: tablesmith_sql::Operator,
    operands: Vec<Operand>,
}

/// A value, or the place of one.
#[derive(Clone, Debug, PartialEq)]
struct Operand {
    value_type: ValueType,
    from: From,
}

#[derive(Clone, Debug, PartialEq)]
enum From {
    Slot(usize),
    Constant(Value),
}

/// How many rows are wanted: the sum of a limit and what is passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OpenLimit(Vec<OpenAmount>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenAmount {
    Slot(usize),
    Rows(u64),
}

impl Question {
    /// The query's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The table of the workload.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The places for values, in the order in which [`Question::bind`] takes them.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Whether calls write.
    pub fn writes(&self) -> bool {
        match &self.shape {
            Shape::Read { .. } | Shape::ReadOn { .. } => false,
            Shape::Insert(_) | Shape::Update { .. } | Shape::Delete(_) => true,
            Shape::ByKey { rows, .. } => rows.iter().any(|row| !row.set.is_empty()),
        }
    }

    /// Conditions of the statement that are not understood: no row is left out by them, on no design.
    pub fn not_understood(&self) -> &[String] {
        &self.not_understood
    }
}
