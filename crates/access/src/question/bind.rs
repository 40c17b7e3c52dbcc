//! A question and the values of a call become a call.

use std::ops::Bound;

use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::value::{Decimal, EncodeError, ParseError, Value, ValueType, from_sql_literal};
use tablesmith_sql::Operator;

use super::{From, OpenAmount, OpenCondition, OpenLimit, Operand, Question, Shape};
use crate::call::{Ask, Call, KeyedRow};
use crate::error::BindError;

impl Question {
    /// The call with these literals of SQL, as they stand in a text.
    pub fn bind<S: AsRef<str>>(&self, literals: &[S]) -> Result<Call, BindError> {
        self.check_count(literals.len())?;
        let given = |slot: usize| literals.get(slot).map(AsRef::as_ref).unwrap_or_default();
        self.call(&Binding {
            value: &|slot, column, value_type| self.literal(given(slot), column, value_type),
            rows: &|slot| given(slot).trim().parse().ok(),
        })
    }

    /// The call with these values.
    pub fn bind_values(&self, values: &[Value]) -> Result<Call, BindError> {
        self.check_count(values.len())?;
        self.call(&Binding {
            value: &|slot, column, value_type| {
                let value = values.get(slot).unwrap_or(&Value::Null);
                if value.fits(value_type) {
                    return Ok(value.clone());
                }
                let source = EncodeError { value: value.to_string(), expected: value_type };
                Err(BindError::Type { query: self.name().to_owned(), column: column.to_owned(), source })
            },
            rows: &|slot| match values.get(slot) {
                Some(Value::Int(rows)) => u64::try_from(*rows).ok(),
                _ => None,
            },
        })
    }

    fn check_count(&self, given: usize) -> Result<(), BindError> {
        let wanted = self.slots.len();
        let wrong = || BindError::Count { query: self.name().to_owned(), wanted, given };
        if given == wanted { Ok(()) } else { Err(wrong()) }
    }

    fn literal(&self, literal: &str, column: &str, value_type: ValueType) -> Result<Value, BindError> {
        if literal.starts_with(['?', '$', ':', '@', '%']) {
            let (query, parameter) = (self.name().to_owned(), literal.to_owned());
            return Err(BindError::Unbound { query, parameter });
        }
        from_literal(value_type, literal).map_err(|source| BindError::Literal {
            query: self.name().to_owned(),
            column: column.to_owned(),
            source,
        })
    }

    fn call(&self, binding: &Binding<'_>) -> Result<Call, BindError> {
        let ask = match &self.shape {
            Shape::Read { columns, conditions, limit } => Ask::Read {
                columns: columns.clone(),
                conditions: binding.conditions(conditions)?,
                limit: limit.as_ref().and_then(|limit| binding.limit(limit)),
            },
            Shape::ReadOn { columns, place, rows } => Ask::ReadOn {
                columns: columns.clone(),
                place: place.iter().map(|operand| binding.value("", operand)).collect::<Result<_, _>>()?,
                rows: *rows,
            },
            Shape::Insert(rows) => {
                Ask::Insert(rows.iter().map(|row| binding.set(row)).collect::<Result<_, _>>()?)
            }
            Shape::Update { set, conditions } => {
                Ask::Update { set: binding.set(set)?, conditions: binding.conditions(conditions)? }
            }
            Shape::Delete(conditions) => Ask::Delete(binding.conditions(conditions)?),
            Shape::ByKey { columns, rows } => {
                let row = |row: &super::OpenRow| {
                    Ok(KeyedRow { key: binding.set(&row.key)?, set: binding.set(&row.set)? })
                };
                Ask::ByKey { columns: columns.clone(), rows: rows.iter().map(row).collect::<Result<_, _>>()? }
            }
        };
        Ok(Call {
            query: self.name.clone(),
            table: self.table.clone(),
            ask,
            not_understood: self.not_understood.clone(),
        })
    }
}

/// Where the values of a call come from.
struct Binding<'b> {
    value: &'b dyn Fn(usize, &str, ValueType) -> Result<Value, BindError>,
    rows: &'b dyn Fn(usize) -> Option<u64>,
}

impl Binding<'_> {
    fn value(&self, column: &str, operand: &Operand) -> Result<Value, BindError> {
        match &operand.from {
            From::Slot(slot) => (self.value)(*slot, column, operand.value_type),
            From::Constant(value) => Ok(value.clone()),
        }
    }

    fn set(&self, columns: &[(String, Operand)]) -> Result<Vec<(String, Value)>, BindError> {
        columns.iter().map(|(column, operand)| Ok((column.clone(), self.value(column, operand)?))).collect()
    }

    fn conditions(&self, conditions: &[OpenCondition]) -> Result<Vec<Condition>, BindError> {
        conditions.iter().map(|condition| self.condition(condition)).collect()
    }

    fn condition(&self, condition: &OpenCondition) -> Result<Condition, BindError> {
        let column = condition.column.as_str();
        let mut values = Vec::with_capacity(condition.operands.len());
        for operand in &condition.operands {
            values.push(self.value(column, operand)?);
        }
        let mut values = values.into_iter();
        let mut next = || values.next().unwrap_or(Value::Null);
        let test = match condition.operator {
            Operator::Lt => Test::Between(Bound::Unbounded, Bound::Excluded(next())),
            Operator::Le => Test::Between(Bound::Unbounded, Bound::Included(next())),
            Operator::Gt => Test::Between(Bound::Excluded(next()), Bound::Unbounded),
            Operator::Ge => Test::Between(Bound::Included(next()), Bound::Unbounded),
            Operator::Between => Test::Between(Bound::Included(next()), Bound::Included(next())),
            Operator::IsNull => Test::IsNull,
            Operator::Eq | Operator::In(_) | Operator::Like | Operator::Other => Test::In(values.collect()),
        };
        Ok(Condition::new(column, test))
    }

    /// The rows wanted; none when an amount is no number, so that all are read.
    fn limit(&self, limit: &OpenLimit) -> Option<u64> {
        let amount = |amount: &OpenAmount| match amount {
            OpenAmount::Slot(slot) => (self.rows)(*slot),
            OpenAmount::Rows(rows) => Some(*rows),
        };
        limit.0.iter().map(amount).try_fold(0_u64, |sum, rows| Some(sum.saturating_add(rows?)))
    }
}

/// A literal by the type of its column. MySQL also quotes texts with `"`, and a whole number may be written `5.0`.
fn from_literal(value_type: ValueType, literal: &str) -> Result<Value, ParseError> {
    let double_quoted = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    if let Some(text) = double_quoted {
        return Value::parse(value_type, &text.replace("\"\"", "\""));
    }
    let parsed = from_sql_literal(value_type, literal);
    match (&parsed, value_type) {
        (Err(_), ValueType::Int) => {
            let whole = Decimal::parse(literal.trim()).map(|number| number.to_string());
            whole.and_then(|text| text.parse().ok()).map(Value::Int).map_or(parsed, Ok)
        }
        _ => parsed,
    }
}
