//! What is compared: columns, values, and aggregates where groups are compared.

use sqlparser::ast::Expr;
use tablesmith_model::value::ValueType;

use super::super::error::{Problem, StatementError};
use super::super::{Aggregate, Column, Item, Scalar, Shown};
use super::literals::Expected;
use super::scope::Scope;
use super::{Reading, place};

/// Where conditions stand: over rows, or over groups whose aggregates are collected; what is shown may be called by its alias.
pub(super) enum Over<'a> {
    Rows,
    Groups { aggregates: &'a mut Vec<Aggregate>, items: &'a [Item] },
}

impl Scope<'_> {
    /// Two things that are compared with each other: a literal is read as a value of what it is compared with.
    pub fn pair(&self, one: &Expr, two: &Expr, over: &mut Over<'_>) -> Reading<(Scalar, Scalar)> {
        let (left, right) = (self.known(one, over)?, self.known(two, over)?);
        match (left, right) {
            (Some((left, left_type)), Some((right, right_type))) => {
                if !comparable(left_type.value_type, right_type.value_type) {
                    let problem = Problem::Types { one: left_type.value_type, two: right_type.value_type };
                    return Err(StatementError::new(problem, place::of(two)));
                }
                Ok((left, right))
            }
            (Some((left, expected)), None) => Ok((left, self.constant(two, Some(&expected))?)),
            (None, Some((right, expected))) => Ok((self.constant(one, Some(&expected))?, right)),
            (None, None) => Ok((self.constant(one, None)?, self.constant(two, None)?)),
        }
    }

    /// A column or an aggregate with its type; none when it is something else.
    pub fn known(&self, expression: &Expr, over: &mut Over<'_>) -> Reading<Option<(Scalar, Expected)>> {
        match expression {
            Expr::Nested(inner) => self.known(inner, over),
            // A column hides an alias, as in SQLite.
            Expr::Identifier(name) => match (self.column(std::slice::from_ref(name)), over) {
                (Err(error), Over::Groups { aggregates, items }) => {
                    aliased(&name.value, items, aggregates).map(Some).ok_or(error)
                }
                (column, _) => column.map(|column| Some(self.compared(column))),
            },
            Expr::CompoundIdentifier(names) => self.column(names).map(|column| Some(self.compared(column))),
            Expr::Function(function) => match over {
                Over::Groups { aggregates, .. } => {
                    let aggregate = self.aggregate(function, expression)?;
                    let expected = Expected::of_type(aggregate.value_type(), aggregate.to_string());
                    Ok(Some((Scalar::Aggregate(place_among(aggregates, aggregate)), expected)))
                }
                Over::Rows => {
                    let construct = format!("the function {} here", function.name);
                    let instead = "compare columns with values";
                    Err(StatementError::unsupported(construct, instead, place::of(expression)))
                }
            },
            _ => Ok(None),
        }
    }

    /// A column, and what a value that is compared with it is read as.
    fn compared(&self, column: Column) -> (Scalar, Expected) {
        let expected = self.expected(&column, 0);
        (Scalar::Column(column), expected)
    }

    /// A value that stands in the text or is given.
    pub fn constant(&self, expression: &Expr, expected: Option<&Expected>) -> Reading<Scalar> {
        self.literal(expression, expected)?.map(Scalar::Value).ok_or_else(|| computed(expression))
    }
}

/// What only a database could compute.
pub(super) fn computed(expression: &Expr) -> StatementError {
    let construct = match expression {
        Expr::Subquery(_) | Expr::Exists { .. } | Expr::InSubquery { .. } => {
            "a query inside a query".to_owned()
        }
        Expr::Case { .. } => "CASE".to_owned(),
        Expr::Cast { .. } => "CAST".to_owned(),
        Expr::Function(function) => format!("the function {}", function.name),
        other => format!("the expression {}", shortened(&other.to_string())),
    };
    StatementError::unsupported(construct, "use columns, values and parameters", place::of(expression))
}

/// A text that a message can show.
fn shortened(text: &str) -> String {
    const CHARS: usize = 60;
    match text.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The place of an aggregate among those of the query; it is added when it is new.
pub(super) fn place_among(aggregates: &mut Vec<Aggregate>, aggregate: Aggregate) -> usize {
    aggregates.iter().position(|have| *have == aggregate).unwrap_or_else(|| {
        aggregates.push(aggregate);
        aggregates.len() - 1
    })
}

/// The column or the aggregate that is shown under an alias.
fn aliased(name: &str, items: &[Item], aggregates: &[Aggregate]) -> Option<(Scalar, Expected)> {
    let item = items.iter().find(|item| item.name.eq_ignore_ascii_case(name))?;
    let value_type = match &item.shown {
        Shown::Column(column) => column.value_type,
        Shown::Aggregate(at) => aggregates.get(*at)?.value_type(),
        Shown::Value(_) => return None,
    };
    Some((item.shown.clone().into(), Expected::of_type(value_type, item.name.clone())))
}

fn comparable(one: ValueType, two: ValueType) -> bool {
    let is_number =
        |value_type: ValueType| matches!(value_type, ValueType::Int | ValueType::Float | ValueType::Decimal);
    one == two || (is_number(one) && is_number(two))
}
