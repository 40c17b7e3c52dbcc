//! Counters: a column that statements add to, in a cell of its own that the store itself adds to.
//!
//! # What
//! `UPDATE t SET n = n + ? WHERE key = ?` is one increment where `n` is stored as eight bytes.
//!
//! # Why
//! Reading a number, adding to it and writing it back loses additions when two clients do so at the same time (HBase in Action,
//! section 4.1.2); an increment is one call and atomic.
//!
//! # When
//! The column holds whole numbers, and rows are tall, with the column in a cell.

use tablesmith_model::design::{Cells, ColumnOf};
use tablesmith_model::value::{CellEncoding, ValueType};
use tablesmith_plan::{StoredRows, statistics};

use super::Ground;

/// The same rows with its counters in cells that can be added to.
pub fn of(entry: StoredRows, ground: &Ground<'_>) -> StoredRows {
    if entry.is_wide() {
        return entry;
    }
    let mut rows = entry.rows.clone();
    let mut counters: Vec<Cells> = Vec::new();
    for cells in &mut rows.cells {
        let (own, others): (Vec<String>, Vec<String>) = std::mem::take(&mut cells.columns)
            .into_iter()
            .partition(|field| entry.record.column(field).is_some_and(|column| is_counter(ground, &column)));
        cells.columns = others;
        let counter = |field: String| Cells {
            family: cells.family.clone(),
            columns: vec![field],
            encoding: Some(CellEncoding::I64),
            ..Cells::default()
        };
        counters.extend(own.into_iter().map(counter));
    }
    if counters.is_empty() {
        return entry;
    }
    rows.cells.retain(|cells| !cells.columns.is_empty());
    rows.cells.extend(counters);
    StoredRows::new(rows, ground.workload).unwrap_or(entry)
}

/// Whether a statement adds to a column of whole numbers.
pub fn is_counter(ground: &Ground<'_>, column: &ColumnOf) -> bool {
    let of_table =
        |ask: &&crate::tables::ask::Ask| ask.written().is_some_and(|need| need.table == column.table);
    let adds = ground.asks.iter().filter(of_table).any(|ask| ask.adds().contains(&column.column.as_str()));
    adds && statistics::column(ground.workload, column).value_type == ValueType::Int
}
