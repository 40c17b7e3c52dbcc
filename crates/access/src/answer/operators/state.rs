//! What is known of an aggregate while rows come.

use std::collections::HashSet;

use tablesmith_model::value::Value;
use tablesmith_sql::executable::{Function, in_order};

use super::spill::{decode, encode};
use super::{Row, Total, row_bytes};
use crate::answer::error::AnswerError;

/// What is worked out, and of which place of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub function: Function,
    /// None counts rows.
    pub of: Option<usize>,
    pub distinct: bool,
}

/// What is known so far.
#[derive(Clone, Debug)]
pub enum State {
    /// How many, and their sum where one is wanted.
    Sum(i64, Total),
    /// The least or the greatest.
    Extreme(Value),
    /// All different values.
    Distinct(HashSet<Value>),
}

impl State {
    /// Of nothing.
    pub fn new(wanted: &Wanted) -> Self {
        match wanted.function {
            _ if wanted.distinct => Self::Distinct(HashSet::new()),
            Function::Count | Function::Sum | Function::Avg => Self::Sum(0, Total::None),
            Function::Min | Function::Max => Self::Extreme(Value::Null),
        }
    }

    /// Takes a value; bytes that it now takes more. Nulls are no values.
    pub fn add(&mut self, wanted: &Wanted, value: &Value) -> usize {
        if value.is_null() {
            return 0;
        }
        match self {
            Self::Sum(count, total) => {
                *count += 1;
                if wanted.function.adds() {
                    total.add(value);
                }
                0
            }
            Self::Extreme(have) => {
                keep(wanted.function, have, value);
                0
            }
            Self::Distinct(values) => {
                if values.contains(value) {
                    return 0;
                }
                values.insert(value.clone());
                row_bytes(std::slice::from_ref(value))
            }
        }
    }

    /// Counts a row.
    pub fn add_row(&mut self) {
        if let Self::Sum(count, _) = self {
            *count += 1;
        }
    }

    /// Adds what is known of other rows.
    pub fn merge(&mut self, wanted: &Wanted, other: Self) {
        match (self, other) {
            (Self::Sum(count, total), Self::Sum(more, other)) => {
                *count += more;
                total.merge(other);
            }
            (Self::Extreme(have), Self::Extreme(other)) => keep(wanted.function, have, &other),
            (Self::Distinct(values), Self::Distinct(others)) => values.extend(others),
            _ => {}
        }
    }

    /// What comes out.
    pub fn finish(self, wanted: &Wanted) -> Result<Value, AnswerError> {
        match self {
            Self::Sum(count, total) => match wanted.function {
                Function::Count => Ok(Value::Int(count)),
                Function::Sum => total.sum(),
                _ => Ok(total.mean(count)),
            },
            Self::Extreme(value) => Ok(value),
            Self::Distinct(values) => {
                let (count, mut total) = (i64::try_from(values.len()).unwrap_or(i64::MAX), Total::None);
                if wanted.function.adds() {
                    values.iter().for_each(|value| total.add(value));
                }
                Self::Sum(count, total).finish(wanted)
            }
        }
    }

    /// As values that [`State::from_values`] reads: always [`State::VALUES`] of them.
    pub fn to_values(&self) -> [Value; Self::VALUES] {
        match self {
            Self::Sum(count, total) => {
                let [first, second] = total.to_values();
                [Value::Int(*count), first, second]
            }
            Self::Extreme(value) => [value.clone(), Value::Null, Value::Null],
            Self::Distinct(values) => {
                let values: Row = values.iter().cloned().collect();
                let mut bytes = Vec::new();
                encode(&values, &mut bytes);
                [Value::Bytes(bytes), Value::Null, Value::Null]
            }
        }
    }

    /// How many values a state is written as.
    pub const VALUES: usize = 3;

    /// What [`State::to_values`] wrote.
    pub fn from_values(wanted: &Wanted, values: &[Value]) -> Self {
        match (Self::new(wanted), values) {
            (Self::Sum(..), [Value::Int(count), first, second]) => {
                Self::Sum(*count, Total::from_values(first, second))
            }
            (Self::Extreme(_), [value, ..]) => Self::Extreme(value.clone()),
            (Self::Distinct(_), [Value::Bytes(bytes), ..]) => {
                Self::Distinct(decode(bytes).unwrap_or_default().into_iter().collect())
            }
            (new, _) => new,
        }
    }
}

/// Keeps the lesser or the greater of two; nulls are neither.
fn keep(function: Function, have: &mut Value, value: &Value) {
    let ordering = in_order(value, have);
    let is_better = if function == Function::Min { ordering.is_lt() } else { ordering.is_gt() };
    if !value.is_null() && (have.is_null() || is_better) {
        have.clone_from(value);
    }
}
