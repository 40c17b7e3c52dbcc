//! `INSERT`, `UPDATE` and `DELETE`.

use sqlparser::ast::BinaryOperator;
use tablesmith_model::value::{Decimal, Value};

use super::super::error::{Problem, StatementError};
use super::super::{Assigned, Assignment, Column, Delete, Insert, Predicate, Source, Update, convert};
use super::predicates::Over;
use super::values::is_number;
use super::{Lowered, Lowering, computed, executed};
use crate::resolved::{
    BodyKind, ColumnRef, ExprNode, ResolvedAssignment, ResolvedDelete, ResolvedExpr, ResolvedInsert,
    ResolvedUpdate,
};

impl Lowering<'_> {
    pub fn insert(&mut self, insert: &ResolvedInsert) -> Lowered<Insert> {
        executed(&insert.refused)?;
        let (table, mention) = self.known_table(&insert.target.kind)?;
        self.sources.push(Source { table: table.name.clone(), alias: table.name.clone() });
        self.mentions.push(mention);
        let columns: Vec<Column> = match insert.columns.as_slice() {
            [] => {
                let all = (0..table.columns.len()).map(|column| ColumnRef { table: mention, column });
                all.filter_map(|column| self.column_of(column)).collect()
            }
            names => names.iter().map(|name| self.target(name)).collect::<Lowered<_>>()?,
        };
        let is_again = |(at, column): &(usize, &Column)| columns.iter().take(*at).any(|one| one == *column);
        if let Some((_, column)) = columns.iter().enumerate().find(is_again) {
            let construct = format!("INSERT of {} twice", column.name);
            return Err(StatementError::unsupported(construct, "name it once", insert.position));
        }
        let Some(BodyKind::Values(values)) = insert.source.as_ref().map(|source| &source.body.kind) else {
            let instead = "write VALUES (…), (…)";
            return Err(StatementError::unsupported("INSERT … SELECT", instead, insert.position));
        };
        let mut rows = Vec::with_capacity(values.len());
        for (number, values) in values.iter().enumerate() {
            if columns.len() != values.len() {
                let problem = Problem::Values { columns: columns.len(), values: values.len() };
                return Err(StatementError::new(problem, values.first().and_then(|value| value.position)));
            }
            let mut row = vec![Value::Null; table.columns.len()];
            for (column, expr) in columns.iter().zip(values) {
                let value = self.stored(column, number, expr)?;
                let slot = table.column_index(&column.name).and_then(|index| row.get_mut(index));
                slot.into_iter().for_each(|slot| *slot = value.clone());
            }
            rows.push(row);
        }
        Ok(Insert { table: table.name.clone(), rows })
    }

    /// A column that is written.
    fn target(&self, target: &ResolvedExpr) -> Lowered<Column> {
        match &target.node {
            ExprNode::Name(name) => self.column(name, target),
            _ => Err(computed(target)),
        }
    }

    /// A value that a column of a row can hold.
    fn stored(&mut self, column: &Column, row: usize, expr: &ResolvedExpr) -> Lowered<Value> {
        let expected = self.expected(column, row);
        let value = self.constant(expr, Some(&expected))?.ok_or_else(|| computed(expr))?;
        convert(&value, column.value_type).ok_or_else(|| {
            let (column, value_type) = (column.name.clone(), column.value_type);
            let problem = Problem::NoRoom { column, value: value.to_string(), value_type };
            StatementError::new(problem, expr.position)
        })
    }

    pub fn update(&mut self, update: &ResolvedUpdate) -> Lowered<Update> {
        executed(&update.refused)?;
        self.from(&update.from)?;
        let mut set: Vec<Assignment> = Vec::new();
        for ResolvedAssignment { targets, is_tuple, value } in &update.assignments {
            let ([target], false) = (targets.as_slice(), *is_tuple) else {
                let instead = "set each column alone";
                return Err(StatementError::unsupported("SET (a, b) = …", instead, value.position));
            };
            let column = self.target(target)?;
            let to = self.assigned(&column, value)?;
            if set.iter().any(|have| have.column == column.name) {
                let construct = format!("SET of {} twice", column.name);
                return Err(StatementError::unsupported(construct, "set it once", target.position));
            }
            set.push(Assignment { column: column.name, to });
        }
        let filter = self.filter(update.filter.as_ref())?;
        Ok(Update { table: self.first_table(), set, filter })
    }

    fn assigned(&mut self, column: &Column, value: &ResolvedExpr) -> Lowered<Assigned> {
        match &value.node {
            ExprNode::Binary {
                left,
                operator: op @ (BinaryOperator::Plus | BinaryOperator::Minus),
                right,
            } => self.plus(column, left, *op == BinaryOperator::Minus, right)?.ok_or_else(|| computed(value)),
            ExprNode::Name(name) => {
                let other = self.column(name, value)?;
                if other.value_type != column.value_type {
                    let problem = Problem::Types { one: column.value_type, two: other.value_type };
                    return Err(StatementError::new(problem, value.position));
                }
                Ok(Assigned::Column(other.name))
            }
            _ => self.stored(column, 0, value).map(Assigned::Value),
        }
    }

    /// `n = n + 1`, `n = 1 + n` or `n = n - 1`.
    fn plus(
        &mut self,
        column: &Column,
        left: &ResolvedExpr,
        is_minus: bool,
        right: &ResolvedExpr,
    ) -> Lowered<Option<Assigned>> {
        let (own, amount) = match (&left.node, &right.node) {
            (ExprNode::Name(name), _) => (self.column(name, left)?, right),
            (_, ExprNode::Name(name)) if !is_minus => (self.column(name, right)?, left),
            _ => return Ok(None),
        };
        if own != *column {
            return Ok(None);
        }
        if !is_number(column.value_type) {
            let (column, value_type) = (column.name.clone(), column.value_type);
            let problem = Problem::NoNumbers { function: "+", column, value_type };
            return Err(StatementError::new(problem, left.position));
        }
        let amount = self.stored(column, 0, amount)?;
        let signed = if is_minus { negative(&amount) } else { Some(amount) };
        Ok(signed.map(Assigned::Plus))
    }

    pub fn delete(&mut self, delete: &ResolvedDelete) -> Lowered<Delete> {
        executed(&delete.refused)?;
        let on = self.from(&delete.from)?;
        if self.sources.len() != 1 || !on.is_empty() {
            let instead = "write DELETE FROM table WHERE …";
            return Err(StatementError::unsupported("DELETE of a join", instead, delete.position));
        }
        let filter = self.filter(delete.filter.as_ref())?;
        Ok(Delete { table: self.first_table(), filter })
    }

    fn filter(&mut self, predicate: Option<&ResolvedExpr>) -> Lowered<Vec<Predicate>> {
        let mut filter = Vec::new();
        if let Some(predicate) = predicate {
            self.predicate(predicate, &mut Over::Rows)?.conjuncts(&mut filter);
        }
        Ok(filter)
    }

    fn first_table(&self) -> String {
        self.sources.first().map(|source| source.table.clone()).unwrap_or_default()
    }
}

fn negative(value: &Value) -> Option<Value> {
    match value {
        Value::Null => Some(Value::Null),
        Value::Int(number) => number.checked_neg().map(Value::Int),
        Value::Float(number) => Some(Value::Float(-number)),
        Value::Decimal(number) => {
            let digits = number.to_string();
            let flipped = digits.strip_prefix('-').map_or_else(|| format!("-{digits}"), str::to_owned);
            Decimal::parse(&flipped).map(Value::Decimal)
        }
        _ => None,
    }
}
