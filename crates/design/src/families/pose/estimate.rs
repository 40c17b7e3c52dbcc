//! What is taken where nobody measured.

use tablesmith_model::value::ValueType;
use tablesmith_model::workload::{Column, Table};
use tablesmith_sql::{Need, Operator};

use crate::families::Access;

/// A range keeps this share of the rows, as optimisers have assumed since System R.
const RANGE_SHARE: f64 = 1.0 / 3.0;
/// Different values of a column of which nobody counted them.
const DISTINCT_ASSUMED: f64 = 100.0;

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
pub fn access(table: &Table, need: &Need, rows: f64) -> (Access, f64) {
    let mut touched = rows;
    let mut by_key = 0;
    for name in &table.key {
        let on_key: Vec<Operator> = need
            .predicates
            .iter()
            .filter(|predicate| predicate.column == *name)
            .map(|found| found.operator)
            .collect();
        let distinct = table
            .column(name)
            .and_then(|column| column.distinct)
            .map_or(DISTINCT_ASSUMED, |count| count as f64);
        let values = on_key.iter().find_map(|operator| match operator {
            Operator::Eq => Some(1.0),
            Operator::In(count) => Some((*count).max(1) as f64),
            _ => None,
        });
        match values {
            Some(values) => touched *= (values / distinct.max(1.0)).min(1.0),
            None => {
                // A range on the next part of the key still narrows the scan; what comes after it does not.
                if on_key.iter().any(|operator| is_range(*operator)) {
                    touched *= RANGE_SHARE;
                }
                break;
            }
        }
        by_key += 1;
    }
    if by_key > 0 && by_key == table.key.len() {
        return (Access::Get, values_asked(table, need));
    }
    (Access::Scan, stop_early(need, touched.max(1.0)))
}

fn is_range(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::Lt | Operator::Le | Operator::Gt | Operator::Ge | Operator::Between | Operator::Like
    )
}

/// Rows of a statement that names whole keys.
fn values_asked(table: &Table, need: &Need) -> f64 {
    let of_key = need.predicates.iter().filter(|predicate| table.key.contains(&predicate.column));
    of_key
        .map(|predicate| if let Operator::In(count) = predicate.operator { count.max(1) as f64 } else { 1.0 })
        .product()
}

/// A limit ends a scan early only when no other condition, order or grouping has to see the rows first.
fn stop_early(need: &Need, rows: f64) -> f64 {
    let sees_all = !need.grouping.is_empty() || !need.aggregates.is_empty() || !need.order.is_empty();
    match need.limit.and_then(|limit| limit.rows()) {
        Some(limit) if !sees_all => rows.min(limit.max(1) as f64),
        _ => rows,
    }
}
