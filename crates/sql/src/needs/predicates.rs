//! Predicates: which columns they hold on, how, and which tables they join.

use sqlparser::ast::{BinaryOperator, Value as Literal};

use super::collect::Collector;
use crate::resolved::{ColumnRef, Constant, ExprNode, ResolvedExpr, ResolvedQuery};
use crate::statement::{Operator, Value};

/// Whose rows a predicate leaves out.
pub(super) enum Filters<'t> {
    /// Those of every table.
    All,
    /// Those of these tables: in an outer join the other side keeps its rows.
    Only(&'t [usize]),
}

impl Filters<'_> {
    fn holds(&self, column: ColumnRef) -> bool {
        match self {
            Self::All => true,
            Self::Only(tables) => tables.contains(&column.table),
        }
    }
}

impl Collector<'_> {
    /// What a predicate needs of each column. All columns in it are read.
    pub fn predicate(&mut self, predicate: &ResolvedExpr, filters: &Filters<'_>) {
        match &predicate.node {
            ExprNode::And(all) => all.iter().for_each(|part| self.predicate(part, filters)),
            ExprNode::Or(some) => match same_column(some) {
                Some((column, values)) => {
                    self.filter_if(filters, column, Operator::In(values.len()), &values);
                }
                None => self.other(predicate, filters),
            },
            ExprNode::Binary { left, operator: op, right } => match (operator(op), &left.node, &right.node) {
                (Some(Operator::Eq), ExprNode::Tuple(lefts), ExprNode::Tuple(rights))
                    if lefts.len() == rights.len() =>
                {
                    let pairs = lefts.iter().zip(rights);
                    pairs.for_each(|(left, right)| self.compare(Operator::Eq, left, right, filters));
                }
                (Some(operator), ..) => self.compare(operator, left, right, filters),
                (None, ..) => self.other(predicate, filters),
            },
            ExprNode::InList { expr, list } => {
                let values: Vec<Value> = list.iter().map(literal).collect();
                self.one_of(expr, Operator::In(list.len()), &values, filters);
                list.iter().for_each(|item| self.read_all(item));
            }
            ExprNode::InQuery { expr, query } => self.in_query(expr, query, filters),
            ExprNode::AnyOf { expr, array } => {
                let (count, values) = match &array.node {
                    ExprNode::Array(elements) => (elements.len(), elements.iter().map(literal).collect()),
                    _ => (0, vec![literal(array)]),
                };
                self.one_of(expr, Operator::In(count), &values, filters);
                self.read_all(array);
            }
            ExprNode::Between { expr, low, high } => {
                self.one_of(expr, Operator::Between, &[literal(low), literal(high)], filters);
                self.read_all(low);
                self.read_all(high);
            }
            ExprNode::Like { expr, pattern, .. } => self.compare(Operator::Like, expr, pattern, filters),
            ExprNode::IsNull(inner) => self.one_of(inner, Operator::IsNull, &[], filters),
            ExprNode::Name(_) => self.boolean(predicate, true, filters),
            ExprNode::IsTrue(inner) => self.boolean(inner, true, filters),
            ExprNode::Not(inner) => match &inner.node {
                ExprNode::InQuery { expr, query } => {
                    self.query(query);
                    self.read_columns(&query.body.columns);
                    self.other(expr, filters);
                }
                _ => self.boolean(inner, false, filters),
            },
            _ => self.other(predicate, filters),
        }
    }

    /// A comparison; between columns of two tables, an equality is a join.
    fn compare(
        &mut self,
        operator: Operator,
        left: &ResolvedExpr,
        right: &ResolvedExpr,
        filters: &Filters<'_>,
    ) {
        match (left.column(), right.column()) {
            (Some(left), Some(right)) if operator == Operator::Eq && left.table != right.table => {
                self.join(left, right)
            }
            (Some(left), Some(right)) => {
                let (left_value, right_value) = (self.value(left), self.value(right));
                self.filter_if(filters, left, operator, &[right_value]);
                self.filter_if(filters, right, mirrored(operator), &[left_value]);
            }
            (Some(column), None) => {
                self.filter_if(filters, column, operator, &[literal(right)]);
                self.read_all(right);
            }
            (None, Some(column)) => {
                self.filter_if(filters, column, mirrored(operator), &[literal(left)]);
                self.read_all(left);
            }
            (None, None) => {
                self.other(left, filters);
                self.other(right, filters);
            }
        }
    }

    /// A predicate on a column, or on each column of a tuple.
    fn one_of(&mut self, left: &ResolvedExpr, operator: Operator, values: &[Value], filters: &Filters<'_>) {
        let columns = match &left.node {
            ExprNode::Tuple(columns) => columns.as_slice(),
            _ => std::slice::from_ref(left),
        };
        for column in columns {
            match column.column() {
                Some(found) => self.filter_if(filters, found, operator, values),
                None => self.other(column, filters),
            }
        }
    }

    /// `column IN (SELECT …)` joins the column with the query's.
    fn in_query(&mut self, left: &ResolvedExpr, query: &ResolvedQuery, filters: &Filters<'_>) {
        self.query(query);
        self.read_columns(&query.body.columns);
        let other = query.body.columns.first().and_then(|column| column.same_as);
        match (left.column(), other) {
            (Some(column), Some(other)) => self.join(column, other),
            _ => self.one_of(left, Operator::In(0), &[], filters),
        }
    }

    /// A column that is its own predicate.
    fn boolean(&mut self, part: &ResolvedExpr, wanted: bool, filters: &Filters<'_>) {
        match part.column() {
            Some(column) => {
                self.filter_if(filters, column, Operator::Eq, &[Value::Literal(wanted.to_string())])
            }
            None => self.other(part, filters),
        }
    }

    /// A predicate that no key order helps with.
    fn other(&mut self, part: &ResolvedExpr, filters: &Filters<'_>) {
        self.read_all(part);
        let mut filtered = Vec::new();
        part.walk(&mut |part| filtered.extend(part.column()));
        for column in filtered.into_iter().filter(|column| filters.holds(*column)) {
            self.filter(column, Operator::Other, &[]);
        }
    }

    fn filter_if(&mut self, filters: &Filters<'_>, column: ColumnRef, operator: Operator, values: &[Value]) {
        if filters.holds(column) {
            self.filter(column, operator, values);
        } else {
            self.read(&[column]);
        }
    }
}

/// One column compared with several values is like `IN`; anything else leaves no order to use.
fn same_column(alternatives: &[ResolvedExpr]) -> Option<(ColumnRef, Vec<Value>)> {
    let mut found: Option<(ColumnRef, Vec<Value>)> = None;
    for part in alternatives {
        let (column, values) = match &part.node {
            ExprNode::Binary { left, operator: BinaryOperator::Eq, right } if is_value(right) => {
                (left, vec![literal(right)])
            }
            ExprNode::InList { expr, list } if list.iter().all(is_value) => {
                (expr, list.iter().map(literal).collect())
            }
            _ => return None,
        };
        let column = column.column()?;
        match &mut found {
            None => found = Some((column, values)),
            Some((first, before)) if *first == column => before.extend(values),
            Some(_) => return None,
        }
    }
    found
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

fn is_value(expr: &ResolvedExpr) -> bool {
    matches!(literal(expr), Value::Literal(_) | Value::Parameter)
}

/// What a column is compared with, or set to, when that is no column.
pub(super) fn literal(expr: &ResolvedExpr) -> Value {
    match &expr.node {
        ExprNode::Cast(inner) => literal(inner),
        ExprNode::Negative(inner) => match literal(inner) {
            Value::Literal(number) => Value::Literal(format!("-{number}")),
            other => other,
        },
        ExprNode::Name(name) if name.is_quoted => Value::Literal(name.parts.concat()),
        ExprNode::Constant(constant) => match constant {
            Constant::Literal(value) | Constant::Typed { value, .. } => Value::Literal(text(value)),
            Constant::Signed { is_negative: true, digits } => Value::Literal(format!("-{digits}")),
            Constant::Signed { is_negative: false, .. } => Value::Expression,
            Constant::Parameter { .. } => Value::Parameter,
        },
        _ => Value::Expression,
    }
}

fn text(value: &Literal) -> String {
    match value {
        Literal::Number(number, _) => number.clone(),
        Literal::Boolean(truth) => truth.to_string(),
        other => other.clone().into_string().unwrap_or_else(|| other.to_string()),
    }
}
