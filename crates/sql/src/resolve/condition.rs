//! Conditions: which columns they hold on, how, and which tables they join.

use sqlparser::ast::{BinaryOperator, Expr, Query, UnaryOperator, Value as Literal, ValueWithSpan};

use super::analysis::Analysis;
use super::output::Column;
use super::scope::Scope;
use crate::statement::{Operator, Value};

/// Whose rows a condition leaves out.
pub(super) enum Filters {
    /// Those of every table.
    All,
    /// Those of these needs: in an outer join the other side keeps its rows.
    Only(Vec<usize>),
}

impl Filters {
    fn holds(&self, column: Column) -> bool {
        match self {
            Self::All => true,
            Self::Only(needs) => needs.contains(&column.need),
        }
    }
}

impl Analysis<'_> {
    /// Notes what a condition asks of each column. All columns in it are read.
    pub fn condition(&mut self, scope: &Scope<'_>, condition: &Expr, filters: &Filters) {
        let mut waiting = vec![condition];
        while let Some(part) = waiting.pop() {
            match part {
                Expr::Nested(inner) => waiting.push(inner),
                Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                    waiting.extend([&**right, &**left])
                }
                part => self.conjunct(scope, part, filters),
            }
        }
    }

    /// One of the conditions which must all hold.
    fn conjunct(&mut self, scope: &Scope<'_>, part: &Expr, filters: &Filters) {
        match part {
            Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
                self.alternatives(scope, part, left, right, filters)
            }
            Expr::BinaryOp { left, op, right } => match (operator(op), tuples(left, right)) {
                (Some(Operator::Eq), Some((lefts, rights))) => {
                    let pairs = lefts.iter().zip(rights);
                    pairs.for_each(|(left, right)| self.compare(scope, Operator::Eq, left, right, filters));
                }
                (Some(operator), _) => self.compare(scope, operator, left, right, filters),
                (None, _) => self.other(scope, part, filters),
            },
            Expr::InList { expr, list, negated: false } => {
                let values: Vec<Value> = list.iter().map(literal).collect();
                self.one_of(scope, expr, Operator::In(list.len()), &values, filters);
                list.iter().for_each(|item| self.read_all(scope, item));
            }
            Expr::InSubquery { expr, subquery, negated } => {
                self.in_query(scope, expr, subquery, *negated, filters)
            }
            Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } => {
                let (count, values) = array(right);
                self.one_of(scope, left, Operator::In(count), &values, filters);
                self.read_all(scope, right);
            }
            Expr::Between { expr, negated: false, low, high } => {
                self.one_of(scope, expr, Operator::Between, &[literal(low), literal(high)], filters);
                self.read_all(scope, low);
                self.read_all(scope, high);
            }
            Expr::Like { negated: false, expr, pattern, .. } => {
                self.compare(scope, Operator::Like, expr, pattern, filters)
            }
            Expr::IsNull(inner) => self.one_of(scope, inner, Operator::IsNull, &[], filters),
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::IsTrue(_) => {
                self.boolean(scope, part, true, filters)
            }
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => self.boolean(scope, expr, false, filters),
            part => self.other(scope, part, filters),
        }
    }

    /// A comparison; between columns of two places, an equality is a join.
    fn compare(
        &mut self,
        scope: &Scope<'_>,
        operator: Operator,
        left: &Expr,
        right: &Expr,
        filters: &Filters,
    ) {
        match (self.table_column(scope, left), self.table_column(scope, right)) {
            (Some(left), Some(right)) if operator == Operator::Eq && left.need != right.need => {
                self.join(left, right)
            }
            (Some(left), Some(right)) => {
                let (left_value, right_value) = (self.value(left), self.value(right));
                self.filter_if(filters, left, operator, &[right_value]);
                self.filter_if(filters, right, mirrored(operator), &[left_value]);
            }
            (Some(column), None) => {
                self.filter_if(filters, column, operator, &[literal(right)]);
                self.read_all(scope, right);
            }
            (None, Some(column)) => {
                self.filter_if(filters, column, mirrored(operator), &[literal(left)]);
                self.read_all(scope, left);
            }
            (None, None) => {
                self.other(scope, left, filters);
                self.other(scope, right, filters);
            }
        }
    }

    /// A condition on a column, or on each column of a tuple.
    fn one_of(
        &mut self,
        scope: &Scope<'_>,
        left: &Expr,
        operator: Operator,
        values: &[Value],
        filters: &Filters,
    ) {
        let columns = match left {
            Expr::Tuple(columns) => columns.as_slice(),
            column => std::slice::from_ref(column),
        };
        for column in columns {
            match self.table_column(scope, column) {
                Some(found) => self.filter_if(filters, found, operator, values),
                None => self.other(scope, column, filters),
            }
        }
    }

    /// `column IN (SELECT …)` joins the column with what the query shows.
    fn in_query(&mut self, scope: &Scope<'_>, left: &Expr, query: &Query, negated: bool, filters: &Filters) {
        let outputs = self.query(query, Some(scope));
        self.read_outputs(&outputs);
        let shown = outputs.first().and_then(|output| output.is);
        match (self.table_column(scope, left), shown) {
            (Some(column), Some(other)) if !negated => self.join(column, other),
            _ if negated => self.other(scope, left, filters),
            _ => self.one_of(scope, left, Operator::In(0), &[], filters),
        }
    }

    /// A column that is its own condition.
    fn boolean(&mut self, scope: &Scope<'_>, part: &Expr, wanted: bool, filters: &Filters) {
        let inner = if let Expr::IsTrue(inner) = part { inner } else { part };
        match self.table_column(scope, inner) {
            Some(column) => {
                self.filter_if(filters, column, Operator::Eq, &[Value::Literal(wanted.to_string())])
            }
            None => self.other(scope, part, filters),
        }
    }

    /// `OR`: one column compared with several values is like `IN`, anything else leaves no order to use.
    fn alternatives(
        &mut self,
        scope: &Scope<'_>,
        whole: &Expr,
        left: &Expr,
        right: &Expr,
        filters: &Filters,
    ) {
        match self.same_column(scope, left, right) {
            Some((column, values)) => self.filter_if(filters, column, Operator::In(values.len()), &values),
            None => self.other(scope, whole, filters),
        }
    }

    /// The column that all alternatives compare with values, and these.
    fn same_column(&self, scope: &Scope<'_>, left: &Expr, right: &Expr) -> Option<(Column, Vec<Value>)> {
        let mut waiting = vec![right, left];
        let mut found: Option<(Column, Vec<Value>)> = None;
        while let Some(part) = waiting.pop() {
            let (column, values) = match part {
                Expr::Nested(inner) => {
                    waiting.push(inner);
                    continue;
                }
                Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
                    waiting.extend([&**right, &**left]);
                    continue;
                }
                Expr::BinaryOp { left, op: BinaryOperator::Eq, right } if is_value(right) => {
                    (left, vec![literal(right)])
                }
                Expr::InList { expr, list, negated: false } if list.iter().all(is_value) => {
                    (expr, list.iter().map(literal).collect())
                }
                _ => return None,
            };
            let column = self.table_column(scope, column)?;
            match &mut found {
                None => found = Some((column, values)),
                Some((first, before)) if *first == column => before.extend(values),
                Some(_) => return None,
            }
        }
        found
    }

    /// A condition that no key order helps with.
    fn other(&mut self, scope: &Scope<'_>, part: &Expr, filters: &Filters) {
        let walked = self.walk_and_read(scope, part);
        for column in walked.filtered {
            if filters.holds(column) {
                self.filter(column, Operator::Other, &[]);
            }
        }
    }

    fn filter_if(&mut self, filters: &Filters, column: Column, operator: Operator, values: &[Value]) {
        if filters.holds(column) {
            self.filter(column, operator, values);
        } else {
            self.read(&[column]);
        }
    }

    fn read_all(&mut self, scope: &Scope<'_>, part: &Expr) {
        self.walk_and_read(scope, part);
    }
}

fn operator(operator: &BinaryOperator) -> Option<Operator> {
    Some(match operator {
        BinaryOperator::Eq | BinaryOperator::Spaceship => Operator::Eq,
        BinaryOperator::Lt => Operator::Lt,
        BinaryOperator::LtEq => Operator::Le,
        BinaryOperator::Gt => Operator::Gt,
        BinaryOperator::GtEq => Operator::Ge,
        BinaryOperator::PGLikeMatch => Operator::Like,
        _ => return None,
    })
}

/// The operator with its sides exchanged.
fn mirrored(operator: Operator) -> Operator {
    match operator {
        Operator::Lt => Operator::Gt,
        Operator::Le => Operator::Ge,
        Operator::Gt => Operator::Lt,
        Operator::Ge => Operator::Le,
        Operator::Like => Operator::Other,
        same => same,
    }
}

fn tuples<'e>(left: &'e Expr, right: &'e Expr) -> Option<(&'e [Expr], &'e [Expr])> {
    match (left, right) {
        (Expr::Tuple(left), Expr::Tuple(right)) if left.len() == right.len() => Some((left, right)),
        _ => None,
    }
}

/// How many values an array has and what they are; 0 when it is a parameter.
fn array(expression: &Expr) -> (usize, Vec<Value>) {
    match expression {
        Expr::Nested(inner) => array(inner),
        Expr::Array(array) => (array.elem.len(), array.elem.iter().map(literal).collect()),
        other => (0, vec![literal(other)]),
    }
}

fn is_value(expression: &Expr) -> bool {
    matches!(literal(expression), Value::Literal(_) | Value::Parameter)
}

/// What a column is compared with, or set to, when that is no column.
pub(super) fn literal(expression: &Expr) -> Value {
    match expression {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => literal(inner),
        Expr::Value(value) => text(value),
        Expr::TypedString(typed) => text(&typed.value),
        Expr::Identifier(name) if name.quote_style == Some('"') => Value::Literal(name.value.clone()),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match literal(expr) {
            Value::Literal(number) => Value::Literal(format!("-{number}")),
            other => other,
        },
        _ => Value::Expression,
    }
}

fn text(value: &ValueWithSpan) -> Value {
    match &value.value {
        Literal::Placeholder(_) => Value::Parameter,
        Literal::Number(number, _) => Value::Literal(number.clone()),
        Literal::Boolean(truth) => Value::Literal(truth.to_string()),
        other => Value::Literal(other.clone().into_string().unwrap_or_else(|| other.to_string())),
    }
}
