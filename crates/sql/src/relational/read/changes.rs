//! `INSERT`, `UPDATE` and `DELETE`.

use sqlparser::ast::{
    self, AssignmentTarget, BinaryOperator, Expr, FromTable, Ident, ObjectName, SetExpr, TableObject,
};
use tablesmith_model::value::{Decimal, Value, ValueType};
use tablesmith_model::workload::Table;

use super::super::error::{Problem, StatementError};
use super::super::{Assigned, Assignment, Column, Delete, Insert, Update, convert};
use super::scalars::{Over, computed};
use super::scope::{Scope, place_of};
use super::{Reading, clauses, place};

impl Scope<'_> {
    /// Rows that are added.
    pub fn insert(&self, insert: &ast::Insert) -> Reading<Insert> {
        clauses::of_insert(insert)?;
        let TableObject::TableName(name) = &insert.table else {
            let instead = "name a table of the workload";
            return Err(StatementError::unsupported("INSERT INTO a function", instead, place::of(insert)));
        };
        let table = self.table(name)?;
        let source = super::super::Source { table: table.name.clone(), alias: table.name.clone() };
        let scope = self.with_sources(vec![source]);
        let columns: Vec<Column> = match insert.columns.as_slice() {
            [] => scope.columns(0),
            names => names.iter().map(|name| scope.column(&parts(name))).collect::<Reading<_>>()?,
        };
        let is_again = |(at, column): &(usize, &Column)| columns.iter().take(*at).any(|one| one == *column);
        if let Some((_, column)) = columns.iter().enumerate().find(is_again) {
            let construct = format!("INSERT of {} twice", column.name);
            return Err(StatementError::unsupported(construct, "name it once", place::of(insert)));
        }
        let body = insert.source.as_ref().map(|query| &*query.body);
        let Some(SetExpr::Values(values)) = body else {
            let instead = "write VALUES (…), (…)";
            return Err(StatementError::unsupported("INSERT … SELECT", instead, place::of(insert)));
        };
        let rows = values.rows.iter().enumerate();
        let rows = rows.map(|(number, row)| scope.row(table, number, &columns, &row.content));
        Ok(Insert { table: table.name.clone(), rows: rows.collect::<Reading<_>>()? })
    }

    fn row(
        &self,
        table: &Table,
        number: usize,
        columns: &[Column],
        expressions: &[Expr],
    ) -> Reading<Vec<Value>> {
        if columns.len() != expressions.len() {
            let problem = Problem::Values { columns: columns.len(), values: expressions.len() };
            return Err(StatementError::new(problem, expressions.first().and_then(place::of)));
        }
        let mut row = vec![Value::Null; table.columns.len()];
        for (column, expression) in columns.iter().zip(expressions) {
            let value = self.stored(column, number, expression)?;
            let slot = table.column_index(&column.name).and_then(|index| row.get_mut(index));
            slot.into_iter().for_each(|slot| *slot = value.clone());
        }
        Ok(row)
    }

    /// A value that a column of a row can hold.
    fn stored(&self, column: &Column, row: usize, expression: &Expr) -> Reading<Value> {
        let expected = self.expected(column, row);
        let value = self.literal(expression, Some(&expected))?.ok_or_else(|| computed(expression))?;
        convert(&value, column.value_type).ok_or_else(|| {
            let (column, value_type) = (column.name.clone(), column.value_type);
            let problem = Problem::NoRoom { column, value: value.to_string(), value_type };
            StatementError::new(problem, place::of(expression))
        })
    }

    /// Rows that are changed.
    pub fn update(&self, update: &ast::Update) -> Reading<Update> {
        clauses::of_update(update)?;
        let (sources, _) = self.from(std::slice::from_ref(&update.table))?;
        let scope = self.with_sources(sources);
        let mut set: Vec<Assignment> = Vec::new();
        for ast::Assignment { target, value } in &update.assignments {
            let AssignmentTarget::ColumnName(name) = target else {
                let instead = "set each column alone";
                return Err(StatementError::unsupported("SET (a, b) = …", instead, place::of(value)));
            };
            let column = scope.column(&parts(name))?;
            let to = scope.assigned(&column, value)?;
            if set.iter().any(|have| have.column == column.name) {
                let construct = format!("SET of {} twice", column.name);
                return Err(StatementError::unsupported(construct, "set it once", place_of(&parts(name))));
            }
            set.push(Assignment { column: column.name, to });
        }
        let mut filter = Vec::new();
        scope.conditions(update.selection.as_ref(), &mut Over::Rows, &mut filter)?;
        Ok(Update { table: table_of(&scope), set, filter })
    }

    fn assigned(&self, column: &Column, value: &Expr) -> Reading<Assigned> {
        match value {
            Expr::Nested(inner) => self.assigned(column, inner),
            Expr::BinaryOp { left, op: op @ (BinaryOperator::Plus | BinaryOperator::Minus), right } => {
                self.plus(column, left, op, right)?.ok_or_else(|| computed(value))
            }
            value => match self.plain_column(value)? {
                Some(other) if other.value_type == column.value_type => Ok(Assigned::Column(other.name)),
                Some(other) => {
                    let problem = Problem::Types { one: column.value_type, two: other.value_type };
                    Err(StatementError::new(problem, place::of(value)))
                }
                None => self.stored(column, 0, value).map(Assigned::Value),
            },
        }
    }

    /// `n = n + 1`, `n = 1 + n` or `n = n - 1`.
    fn plus(
        &self,
        column: &Column,
        left: &Expr,
        op: &BinaryOperator,
        right: &Expr,
    ) -> Reading<Option<Assigned>> {
        let (own, amount) = match (self.plain_column(left)?, op) {
            (Some(own), _) => (own, right),
            (None, BinaryOperator::Plus) => match self.plain_column(right)? {
                Some(own) => (own, left),
                None => return Ok(None),
            },
            (None, _) => return Ok(None),
        };
        if own != *column {
            return Ok(None);
        }
        let is_number = matches!(column.value_type, ValueType::Int | ValueType::Float | ValueType::Decimal);
        if !is_number {
            let (column, value_type) = (column.name.clone(), column.value_type);
            let problem = Problem::NoNumbers { function: "+", column, value_type };
            return Err(StatementError::new(problem, place::of(left)));
        }
        let amount = self.stored(column, 0, amount)?;
        let signed = if *op == BinaryOperator::Minus { negative(&amount) } else { Some(amount) };
        Ok(signed.map(Assigned::Plus))
    }

    /// Rows that are removed.
    pub fn delete(&self, delete: &ast::Delete) -> Reading<Delete> {
        clauses::of_delete(delete)?;
        let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = &delete.from;
        let (sources, on) = self.from(from)?;
        if sources.len() != 1 || !on.is_empty() {
            let instead = "write DELETE FROM table WHERE …";
            return Err(StatementError::unsupported("DELETE of a join", instead, place::of(delete)));
        }
        let scope = self.with_sources(sources);
        let mut filter = Vec::new();
        scope.conditions(delete.selection.as_ref(), &mut Over::Rows, &mut filter)?;
        Ok(Delete { table: table_of(&scope), filter })
    }
}

fn table_of(scope: &Scope<'_>) -> String {
    scope.sources.first().map(|source| source.table.clone()).unwrap_or_default()
}

/// The parts of a name.
fn parts(name: &ObjectName) -> Vec<Ident> {
    name.0.iter().filter_map(|part| part.as_ident().cloned()).collect()
}

fn negative(value: &Value) -> Option<Value> {
    match value {
        Value::Null => Some(Value::Null),
        Value::Int(number) => number.checked_neg().map(Value::Int),
        Value::Float(number) => Some(Value::Float(-number)),
        Value::Decimal(number) => Decimal::parse(&flipped(&number.to_string())).map(Value::Decimal),
        _ => None,
    }
}

fn flipped(digits: &str) -> String {
    digits.strip_prefix('-').map_or_else(|| format!("-{digits}"), str::to_owned)
}
