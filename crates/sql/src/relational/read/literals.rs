//! Literals and parameters as values.

use sqlparser::ast::{Expr, UnaryOperator, Value as Literal, ValueWithSpan};
use tablesmith_model::value::{Decimal, ParseError, Value, ValueType, from_sql_literal};

use super::super::convert;
use super::super::error::{Problem, StatementError};
use super::super::given::{One, ParameterColumn};
use super::scope::Scope;
use super::{Reading, place};

/// What a value is read as: the type and the name of what it meets, and the column where that is one.
#[derive(Clone, Debug)]
pub(super) struct Expected {
    pub value_type: ValueType,
    pub name: String,
    pub column: Option<ParameterColumn>,
}

impl Expected {
    /// A value of a type that meets no column.
    pub fn of_type(value_type: ValueType, name: impl Into<String>) -> Self {
        Self { value_type, name: name.into(), column: None }
    }
}

impl Scope<'_> {
    /// The value of a literal or a parameter; none when the expression is something else.
    pub fn literal(&self, expression: &Expr, expected: Option<&Expected>) -> Reading<Option<Value>> {
        let value = match expression {
            Expr::Nested(inner) => return self.literal(inner, expected),
            Expr::Value(value) => return self.value(value, expected, expression).map(Some),
            Expr::TypedString(typed) => match &typed.value.value {
                Literal::SingleQuotedString(text) => {
                    let by_name = ValueType::from_name(&typed.data_type.to_string().to_lowercase());
                    let own = Expected::of_type(by_name.unwrap_or(ValueType::String), text);
                    parsed(expected.unwrap_or(&own), text)
                }
                _ => return Ok(None),
            },
            Expr::UnaryOp { op: sign @ (UnaryOperator::Minus | UnaryOperator::Plus), expr } => {
                match &**expr {
                    Expr::Value(ValueWithSpan { value: Literal::Number(digits, _), .. }) => {
                        number(expected, &format!("{sign}{digits}"))
                    }
                    _ => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        value.map(Some).map_err(|problem| StatementError::new(problem, place::of(expression)))
    }

    fn value(&self, value: &ValueWithSpan, expected: Option<&Expected>, whole: &Expr) -> Reading<Value> {
        let text = |text: &str| match expected {
            Some(expected) => parsed(expected, text),
            None => Ok(Value::String(text.to_owned())),
        };
        let read = match &value.value {
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
            Literal::Placeholder(name) => {
                return self.parameter_value(name, value, expected);
            }
            _ => {
                let instead = "write texts in single quotes";
                return Err(StatementError::unsupported("this kind of literal", instead, place::of(whole)));
            }
        };
        read.map_err(|problem| StatementError::new(problem, place::of_span(value.span)))
    }

    fn parameter_value(&self, text: &str, at: &ValueWithSpan, expected: Option<&Expected>) -> Reading<Value> {
        let name = self.parameter(text, at.span.start);
        self.note_parameter(&name, expected.and_then(|expected| expected.column.as_ref()));
        let value = match (self.given.one(&name), expected) {
            (None, expected) if self.given.is_anything() => Ok(something(expected)),
            (None, _) => Err(Problem::NoValue { text: told(text, &name), name }),
            (Some(One::Text(own)), Some(expected)) => parsed(expected, own),
            (Some(One::Text(own)), None) => Ok(Value::String(own.clone())),
            (Some(One::Value(value)), Some(expected)) => typed(expected, value),
            (Some(One::Value(value)), None) => Ok(value.clone()),
        };
        value.map_err(|problem| StatementError::new(problem, place::of_span(at.span)))
    }
}

/// A value where any will do: numbers of rows are no nulls.
fn something(expected: Option<&Expected>) -> Value {
    match expected {
        Some(expected) if expected.value_type == ValueType::Int => Value::Int(1),
        _ => Value::Null,
    }
}

/// A parameter as messages name it.
fn told(text: &str, name: &str) -> String {
    if text == "?" { format!("? (number {name})") } else { text.to_owned() }
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

/// A value that was given, as one that can be compared with the type.
fn typed(expected: &Expected, value: &Value) -> Result<Value, Problem> {
    let is_number =
        |value_type: ValueType| matches!(value_type, ValueType::Int | ValueType::Float | ValueType::Decimal);
    match (convert(value, expected.value_type), value.value_type()) {
        (Some(value), _) => Ok(value),
        (None, Some(own)) if is_number(own) && is_number(expected.value_type) => Ok(value.clone()),
        (None, own) => {
            Err(Problem::Types { one: expected.value_type, two: own.unwrap_or(expected.value_type) })
        }
    }
}
