//! What a statement asks of one place, as a want.

use tablesmith_model::design::ColumnOf;
use tablesmith_model::workload::Workload;
use tablesmith_sql::{Need, Operator, Predicate, Value, share_of_range, share_of_values};

use super::{Given, Stretch, Want};
use crate::tables::facts;

/// The conditions and columns of one place, without order, limit and joins.
pub fn of_place(workload: &Workload, need: &Need) -> Want {
    let mut want = Want { tables: vec![need.table.clone()], times: 1.0, ..Want::default() };
    want.reads = need.reads.iter().map(|column| ColumnOf::new(&need.table, column)).collect();
    let mut seen: Vec<&str> = Vec::new();
    for predicate in &need.predicates {
        if seen.contains(&predicate.column.as_str()) {
            continue;
        }
        seen.push(&predicate.column);
        let own: Vec<&Predicate> =
            need.predicates.iter().filter(|other| other.column == predicate.column).collect();
        add(workload, &mut want, &predicate.column, &own);
    }
    want.grouping = need.grouping.iter().map(|column| ColumnOf::new(&need.table, column)).collect();
    want.sums = !need.aggregates.is_empty();
    want
}

/// Adds what conditions on one column ask for.
fn add(workload: &Workload, want: &mut Want, name: &str, conditions: &[&Predicate]) {
    let table = want.tables.first().cloned().unwrap_or_default();
    let of = ColumnOf::new(table, name);
    let column = facts::column(workload, &of);
    let known: Vec<&Predicate> =
        conditions.iter().copied().filter(|predicate| !is_between_columns(predicate)).collect();
    want.has_others |= known.len() < conditions.len();
    if let Some(share) = share_of_values(&column, &known) {
        let values = known.iter().find_map(|predicate| match predicate.operator {
            Operator::Eq => Some(1.0),
            Operator::In(count) => Some(count.max(1) as f64),
            _ => None,
        });
        want.given.push(Given { column: of, values: values.unwrap_or(1.0), share });
        want.has_others |= known.len() > 1;
        return;
    }
    let narrows = |predicate: &&Predicate| match predicate.operator {
        Operator::Lt | Operator::Le | Operator::Gt | Operator::Ge | Operator::Between => true,
        Operator::Like => !predicate.value.literal().is_some_and(|text| text.starts_with(['%', '_'])),
        Operator::Eq | Operator::In(_) | Operator::IsNull | Operator::Other => false,
    };
    let ranges: Vec<&Predicate> = known.iter().copied().filter(narrows).collect();
    want.has_others |= ranges.len() < known.len();
    if !ranges.is_empty() {
        want.ranges.push(Stretch { share: share_of_range(&column, &ranges).clamp(0.0, 1.0), column: of });
    }
}

/// Whether a column is compared with another one.
fn is_between_columns(predicate: &Predicate) -> bool {
    predicate.values().any(|value| matches!(value, Value::Column(..)))
}
