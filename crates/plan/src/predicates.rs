//! From the predicates of a statement on one table to its access pattern.

use tablesmith_model::design::ColumnOf;
use tablesmith_model::workload::Workload;
use tablesmith_sql::{Need, Operator, Predicate, Value};

use crate::{AccessPattern, EqualityPredicate, RangePredicate, selectivity, statistics};

impl AccessPattern {
    /// The predicates and columns of one table of a statement, without order, limit and joins.
    pub fn of_table(workload: &Workload, need: &Need) -> Self {
        let columns = need.reads.iter().map(|column| ColumnOf::new(&need.table, column)).collect();
        let grouping = need.grouping.iter().map(|column| ColumnOf::new(&need.table, column)).collect();
        let mut pattern = Self {
            tables: vec![need.table.clone()],
            columns,
            grouping,
            aggregates: !need.aggregates.is_empty(),
            executions: 1.0,
            ..Self::default()
        };
        let mut seen: Vec<&str> = Vec::new();
        for predicate in &need.predicates {
            if seen.contains(&predicate.column.as_str()) {
                continue;
            }
            seen.push(&predicate.column);
            let own: Vec<&Predicate> =
                need.predicates.iter().filter(|other| other.column == predicate.column).collect();
            pattern.add(workload, ColumnOf::new(&need.table, &predicate.column), &own);
        }
        pattern
    }

    /// Adds the predicates on one column.
    fn add(&mut self, workload: &Workload, of: ColumnOf, predicates: &[&Predicate]) {
        let column = statistics::column(workload, &of);
        let known: Vec<&Predicate> =
            predicates.iter().copied().filter(|predicate| !is_between_columns(predicate)).collect();
        self.residual += predicates.len() - known.len();
        if let Some(share) = selectivity::of_values(&column, &known) {
            let values = known.iter().find_map(|predicate| match predicate.operator {
                Operator::Eq => Some(1.0),
                Operator::In(count) => Some(count.max(1) as f64),
                _ => None,
            });
            self.equalities.push(EqualityPredicate { column: of, values: values.unwrap_or(1.0), share });
            self.residual += known.len() - 1;
            return;
        }
        let ranges: Vec<&Predicate> = known.iter().copied().filter(|predicate| bounds(predicate)).collect();
        self.residual += known.len() - ranges.len();
        if !ranges.is_empty() {
            let share = selectivity::of_range(&column, &ranges).clamp(0.0, 1.0);
            self.ranges.push(RangePredicate { column: of, share });
        }
    }
}

/// Whether a predicate bounds its column, so that rows that are sorted by it are one range.
fn bounds(predicate: &Predicate) -> bool {
    match predicate.operator {
        Operator::Lt | Operator::Le | Operator::Gt | Operator::Ge | Operator::Between => true,
        Operator::Like => !predicate.value.literal().is_some_and(|text| text.starts_with(['%', '_'])),
        Operator::Eq | Operator::In(_) | Operator::IsNull | Operator::Other => false,
    }
}

/// Whether a column is compared with another one.
fn is_between_columns(predicate: &Predicate) -> bool {
    predicate.values().any(|value| matches!(value, Value::Column(..)))
}
