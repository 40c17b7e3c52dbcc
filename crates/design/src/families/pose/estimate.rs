//! What is taken where nobody measured.

use tablesmith_model::value::ValueType;
use tablesmith_model::workload::{Column, Table};
use tablesmith_sql::{Kind, Need, Reach, reach};

use crate::families::Access;

/// Bytes of a value.
pub fn bytes(column: &Column) -> f64 {
    column.bytes.unwrap_or(match column.value_type {
        ValueType::Bool => 1.0,
        ValueType::Int | ValueType::Float | ValueType::Date | ValueType::Timestamp | ValueType::Decimal => {
            8.0
        }
        ValueType::String => 16.0,
        ValueType::Bytes => 64.0,
    })
}

/// How a statement finds its rows when the key is the declared one, and how many it has to look at.
pub fn access(table: &Table, kind: Kind, need: &Need, rows: f64) -> (Access, f64) {
    let Reach { whole_keys, rows } = reach(table, kind, need, rows);
    (if whole_keys { Access::Get } else { Access::Scan }, rows)
}
