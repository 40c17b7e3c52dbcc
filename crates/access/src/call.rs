//! A question with the values of one call.

use std::sync::Arc;

use tablesmith_model::plan::Condition;
use tablesmith_model::value::Value;

/// One call: what is asked, with all its values. It knows no design.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The query's name.
    pub query: Arc<str>,
    /// The table of the workload.
    pub table: Arc<str>,
    /// What is asked.
    pub ask: Ask,
    /// Conditions of the statement that are not understood: no row is left out by them.
    pub not_understood: Arc<[String]>,
}

/// What a call asks.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// These columns of the rows that meet all conditions.
    Read {
        /// The columns of the answer, in the order of the table; those of the conditions are among them.
        columns: Arc<[String]>,
        /// What rows meet.
        conditions: Vec<Condition>,
        /// At most so many rows, whichever they are.
        limit: Option<u64>,
    },
    /// These columns of so many rows, from a place on in the order of the table's key.
    ReadOn {
        /// The columns of the answer, in the order of the table; those of the key are among them.
        columns: Arc<[String]>,
        /// The values of the table's key; the number of a row when the table has none.
        place: Vec<Value>,
        /// How many rows.
        rows: u64,
    },
    /// Adds rows: columns with their values; what is not named is null.
    Insert(Vec<Vec<(String, Value)>>),
    /// Sets columns of the rows that meet all conditions.
    Update {
        /// Columns with their new values.
        set: Vec<(String, Value)>,
        /// What rows meet.
        conditions: Vec<Condition>,
    },
    /// Removes the rows that meet all conditions.
    Delete(Vec<Condition>),
    /// Reads some columns of rows that are known by their keys, then sets others.
    ByKey {
        /// The columns that are read first, those of the key among them; none: nothing is read.
        columns: Arc<[String]>,
        /// The rows.
        rows: Vec<KeyedRow>,
    },
}

/// A row that is known by the columns that identify it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyedRow {
    /// The columns of the table's key, with their values.
    pub key: Vec<(String, Value)>,
    /// Columns with their new values.
    pub set: Vec<(String, Value)>,
}
