//! Rows that meet conditions.

use async_trait::async_trait;
use tablesmith_model::value::Value;
use tablesmith_sql::executable::{Expr, Predicate};

use super::{Input, Row, Rows, at};
use crate::answer::error::AnswerError;

/// The rows of a stream that meet all conditions.
pub struct Filter<'i> {
    pub input: Input<'i>,
    pub conditions: Vec<Predicate<usize>>,
}

#[async_trait]
impl Rows for Filter<'_> {
    async fn next(&mut self) -> Result<Vec<Row>, AnswerError> {
        loop {
            let mut rows = self.input.next().await?;
            if rows.is_empty() {
                return Ok(rows);
            }
            rows.retain(|row| meets(&self.conditions, row));
            if !rows.is_empty() {
                return Ok(rows);
            }
        }
    }
}

/// Whether a row meets all conditions: unknown is not enough.
fn meets<'r>(conditions: &'r [Predicate<usize>], row: &'r Row) -> bool {
    let value = |expr: &'r Expr<usize>| match expr {
        Expr::Column(place) => at(row, *place),
        Expr::Value(_) | Expr::Aggregate(_) => &Value::Null,
    };
    conditions.iter().all(|truth| truth.holds(&value) == Some(true))
}

#[cfg(test)]
mod tests {
    use tablesmith_sql::executable::Comparison;

    use super::super::testing::{Given, all, ints};
    use super::*;

    #[tokio::test]
    async fn only_what_is_surely_true_passes() {
        let mut rows: Vec<Row> = (0..10).map(|number| ints(&[number])).collect();
        rows.push(vec![Value::Null]);
        let condition = Predicate::Compare(Expr::Column(0), Comparison::Ge, Expr::Value(Value::Int(8)));
        let filter = Filter { input: Given::rows(rows, 3), conditions: vec![condition] };
        assert_eq!(all(filter).await, [ints(&[8]), ints(&[9])]);
    }
}
