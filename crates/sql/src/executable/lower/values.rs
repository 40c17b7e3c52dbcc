//! Constants and parameters as typed values.

use sqlparser::ast::Value as Literal;
use sqlparser::tokenizer::Location;
use tablesmith_model::value::{Decimal, ParseError, Value, ValueType, from_sql_literal};

use super::super::error::{Problem, StatementError};
use super::super::parameters::{Parameter, ParameterColumn, ParameterValue};
use super::super::{Column, convert};
use super::{Lowered, Lowering};
use crate::resolved::{Constant, ExprNode, ResolvedExpr};

/// What a value is read as: the type and the name of what it is compared with or written to, and the column where that is one.
#[derive(Clone, Debug)]
pub(in crate::executable) struct Expected {
    pub value_type: ValueType,
    pub name: String,
    pub column: Option<ParameterColumn>,
}

impl Expected {
    /// A value of a type, for no column.
    pub fn of_type(value_type: ValueType, name: impl Into<String>) -> Self {
        Self { value_type, name: name.into(), column: None }
    }
}

impl Lowering<'_> {
    /// What a value for a column is read as; `row` numbers the rows of an INSERT.
    pub fn expected(&self, column: &Column, row: usize) -> Expected {
        let table = self.sources.get(column.source).map(|source| source.table.clone()).unwrap_or_default();
        let met = ParameterColumn { table, source: column.source, column: column.name.clone(), row };
        Expected { value_type: column.value_type, name: column.name.clone(), column: Some(met) }
    }

    /// The value of a constant; none when the expression is something else.
    pub fn constant(&mut self, expr: &ResolvedExpr, expected: Option<&Expected>) -> Lowered<Option<Value>> {
        let ExprNode::Constant(constant) = &expr.node else { return Ok(None) };
        let value = match constant {
            Constant::Literal(literal) => match self::literal(literal, expected) {
                Some(value) => value,
                None => {
                    let instead = "write texts in single quotes";
                    return Err(StatementError::unsupported("this kind of literal", instead, expr.position));
                }
            },
            Constant::Typed { type_name, value: Literal::SingleQuotedString(text) } => {
                let value_type = ValueType::from_name(type_name).unwrap_or(ValueType::String);
                parsed(expected.unwrap_or(&Expected::of_type(value_type, text)), text)
            }
            Constant::Typed { .. } => return Ok(None),
            Constant::Signed { is_negative, digits } => {
                number(expected, &format!("{}{digits}", if *is_negative { '-' } else { '+' }))
            }
            Constant::Parameter { text, at } => self.parameter(text, *at, expected),
        };
        value.map(Some).map_err(|problem| StatementError::new(problem, expr.position))
    }

    fn parameter(&mut self, text: &str, at: Location, expected: Option<&Expected>) -> Result<Value, Problem> {
        let name = self.placeholders.name(at).to_owned();
        let column = expected.and_then(|expected| expected.column.clone());
        match self.parameters.iter_mut().find(|known| known.name == name) {
            Some(known) => known.column = known.column.take().or(column),
            None => self.parameters.push(Parameter { name: name.clone(), column }),
        }
        let Some(values) = self.values else { return Ok(any_value(expected)) };
        match (values.get(&name), expected) {
            (None, _) => {
                let text = if text == "?" { format!("? (number {name})") } else { text.to_owned() };
                Err(Problem::NoValue { text, name })
            }
            (Some(ParameterValue::Text(own)), Some(expected)) => parsed(expected, own),
            (Some(ParameterValue::Text(own)), None) => Ok(Value::String(own.clone())),
            (Some(ParameterValue::Value(value)), Some(expected)) => typed(expected, value),
            (Some(ParameterValue::Value(value)), None) => Ok(value.clone()),
        }
    }
}

/// The value of a literal; none for kinds of literals that are not read.
fn literal(literal: &Literal, expected: Option<&Expected>) -> Option<Result<Value, Problem>> {
    let text = |text: &str| match expected {
        Some(expected) => parsed(expected, text),
        None => Ok(Value::String(text.to_owned())),
    };
    Some(match literal {
        Literal::Null => Ok(Value::Null),
        Literal::Number(digits, _) => number(expected, digits),
        Literal::Boolean(truth) => match expected {
            None => Ok(Value::Bool(*truth)),
            Some(expected) if expected.value_type == ValueType::Int => Ok(Value::Int((*truth).into())),
            Some(expected) => parsed(expected, if *truth { "true" } else { "false" }),
        },
        Literal::SingleQuotedString(own)
        | Literal::NationalStringLiteral(own)
        | Literal::EscapedStringLiteral(own)
        | Literal::DoubleQuotedString(own) => text(own),
        Literal::DollarQuotedString(own) => text(&own.value),
        Literal::HexStringLiteral(digits) => hexadecimal(expected, digits),
        _ => return None,
    })
}

/// A value where no parameter is bound yet: numbers of rows are no nulls.
fn any_value(expected: Option<&Expected>) -> Value {
    match expected {
        Some(expected) if expected.value_type == ValueType::Int => Value::Int(1),
        _ => Value::Null,
    }
}

fn literal_error(expected: &Expected, source: ParseError) -> Problem {
    Problem::Literal { column: expected.name.clone(), source }
}

/// A text as a value of the type. A whole number may be written `5.0`, and what is no whole number compares with one.
fn parsed(expected: &Expected, text: &str) -> Result<Value, Problem> {
    match (Value::parse(expected.value_type, text), expected.value_type) {
        (Ok(value), _) => Ok(value),
        (Err(source), ValueType::Int) => {
            let decimal = Decimal::parse(text.trim()).map(Value::Decimal);
            let value = decimal.map(|value| convert(&value, ValueType::Int).unwrap_or(value));
            value.ok_or_else(|| literal_error(expected, source))
        }
        (Err(source), _) => Err(literal_error(expected, source)),
    }
}

fn number(expected: Option<&Expected>, digits: &str) -> Result<Value, Problem> {
    match expected {
        Some(expected) => parsed(expected, digits),
        None => {
            let value = digits.parse().map(Value::Int).or_else(|_| digits.parse().map(Value::Float));
            value.map_err(|_| Problem::NotSql(format!("{digits} is no number")))
        }
    }
}

fn hexadecimal(expected: Option<&Expected>, digits: &str) -> Result<Value, Problem> {
    let own = || Expected::of_type(ValueType::Bytes, format!("X'{digits}'"));
    let expected = expected.cloned().unwrap_or_else(own);
    let value = from_sql_literal(expected.value_type, &format!("X'{digits}'"));
    value.map_err(|source| literal_error(&expected, source))
}

pub(super) fn is_number(value_type: ValueType) -> bool {
    matches!(value_type, ValueType::Int | ValueType::Float | ValueType::Decimal)
}

/// A bound value, as one that can be compared with the type.
fn typed(expected: &Expected, value: &Value) -> Result<Value, Problem> {
    match (convert(value, expected.value_type), value.value_type()) {
        (Some(value), _) => Ok(value),
        (None, Some(own)) if is_number(own) && is_number(expected.value_type) => Ok(value.clone()),
        (None, own) => {
            Err(Problem::Types { one: expected.value_type, two: own.unwrap_or(expected.value_type) })
        }
    }
}
