//! `ORDER BY`, `LIMIT` and `OFFSET`.

use sqlparser::ast::{self, Expr, LimitClause, OrderByExpr, OrderByKind, OrderBySort};
use tablesmith_model::value::{Value, ValueType};

use super::super::error::{Problem, StatementError};
use super::super::{Order, Query, Shown};
use super::literals::Expected;
use super::scalars::computed;
use super::scope::Scope;
use super::{Reading, place};

impl Scope<'_> {
    /// Reads what follows the body of a query.
    pub fn tail(&self, tree: &ast::Query, query: &mut Query) -> Reading<()> {
        if let Some(OrderByKind::Expressions(expressions)) = tree.order_by.as_ref().map(|order| &order.kind) {
            for expression in expressions {
                let order = self.order(expression, query)?;
                // What is sorted by a second time, or is always the same, changes nothing.
                let is_new = !query.order.iter().any(|have| have.by == order.by);
                if is_new && !matches!(order.by, Shown::Value(_)) {
                    query.order.push(order);
                }
            }
        }
        match &tree.limit_clause {
            Some(LimitClause::LimitOffset { limit, offset, .. }) => {
                query.limit = limit.as_ref().map(|limit| self.amount(limit)).transpose()?.flatten();
                let offset = offset.as_ref().map(|offset| self.amount(&offset.value)).transpose()?;
                query.offset = offset.flatten().unwrap_or(0);
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => {
                query.offset = self.amount(offset)?.unwrap_or(0);
                query.limit = self.amount(limit)?;
            }
            None => {}
        }
        Ok(())
    }

    fn order(&self, tree: &OrderByExpr, query: &mut Query) -> Reading<Order> {
        if tree.with_fill.is_some() {
            return Err(StatementError::unsupported("WITH FILL", "sort by columns", place::of(tree)));
        }
        let descending = match &tree.options.sort {
            None | Some(OrderBySort::Asc) => false,
            Some(OrderBySort::Desc) => true,
            Some(OrderBySort::Using(_)) => {
                let instead = "write ASC or DESC";
                return Err(StatementError::unsupported("ORDER BY … USING", instead, place::of(tree)));
            }
        };
        let by = match self.item_of(&tree.expr, &query.items)? {
            Some(shown) => shown,
            None => self.sorted_by(&tree.expr, query)?,
        };
        let nulls_first = tree.options.nulls_first.unwrap_or(!descending);
        Ok(Order { by, descending, nulls_first })
    }

    fn sorted_by(&self, expression: &Expr, query: &mut Query) -> Reading<Shown> {
        if let Some(column) = self.plain_column(expression)? {
            return Ok(Shown::Column(column));
        }
        match (&mut query.grouping, expression) {
            (Some(grouping), Expr::Function(_)) => self.shown(expression, &mut grouping.aggregates),
            _ => Err(computed(expression)),
        }
    }

    /// A number of rows; none where all are wanted (`LIMIT ALL`, `LIMIT -1`).
    fn amount(&self, expression: &Expr) -> Reading<Option<u64>> {
        let expected = Expected::of_type(ValueType::Int, "the number of rows");
        match self.literal(expression, Some(&expected))? {
            Some(Value::Int(rows)) => Ok(u64::try_from(rows).ok()),
            Some(other) => {
                let problem = Problem::NoAmount(other.to_string());
                Err(StatementError::new(problem, place::of(expression)))
            }
            None => Err(computed(expression)),
        }
    }
}
