//! What requests answer about rows.

use bytes::Bytes;
use tablesmith_model::Cell;

/// What a read found of one row; no cells when there is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The key.
    pub row: Bytes,
    /// The cells, sorted.
    pub cells: Vec<Cell>,
}

impl Row {
    /// The newest value of a column among the cells read.
    pub fn value(&self, family: &[u8], qualifier: &[u8]) -> Option<&Bytes> {
        self.cells
            .iter()
            .find(|cell| cell.family == family && cell.qualifier == qualifier)
            .map(|cell| &cell.value)
    }
}

/// What an element of a batch answers.
#[derive(Clone, Debug, PartialEq)]
pub enum ActionAnswer {
    /// A get's row, or the new values of an increment or append; an empty row for other writes.
    Row(Row),
    /// Whether a check-and-mutate happened.
    Checked(CheckOutcome),
}

/// Whether a check-and-mutate happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOutcome {
    /// The condition held and the writes are done.
    pub success: bool,
    /// The new values of increments and appends among them.
    pub row: Option<Row>,
}
