//! What a statement answers, evaluated on plain rows.

use fastrand::Rng;
use tablesmith_model::value::Value;

use crate::world::{self, COLUMNS};

/// A condition that the oracle evaluates, and its text.
pub enum Condition {
    Compare(usize, &'static str, Value),
    In(usize, Vec<Value>),
    Or(usize, Vec<Value>),
    Between(usize, Value, Value),
    IsNull(usize),
}

impl Condition {
    pub fn random(random: &mut Rng) -> Self {
        let column = random.usize(..COLUMNS.len());
        let value_type = COLUMNS[column].1;
        let operand = |random: &mut Rng| match COLUMNS[column].0 {
            "id" => Value::Int(random.usize(..200) as i64),
            _ => world::value(random, value_type),
        };
        match random.usize(..12) {
            0 | 1 => Self::IsNull(column),
            2 | 3 => Self::In(column, (0..1 + random.usize(..4)).map(|_| operand(random)).collect()),
            4 => Self::Or(column, (0..2 + random.usize(..2)).map(|_| operand(random)).collect()),
            5 | 6 => Self::Between(column, operand(random), operand(random)),
            7 | 8 => Self::Compare(column, "=", operand(random)),
            _ => {
                let operator = *random.choice(&["<", "<=", ">", ">="]).unwrap();
                let value = if random.usize(..20) == 0 { Value::Null } else { operand(random) };
                Self::Compare(column, operator, value)
            }
        }
    }

    pub fn sql(&self) -> String {
        let name = |column: &usize| COLUMNS[*column].0;
        let list =
            |values: &[Value], between: &str| values.iter().map(literal).collect::<Vec<_>>().join(between);
        match self {
            Self::Compare(column, operator, value) => {
                format!("{} {operator} {}", name(column), literal(value))
            }
            Self::In(column, values) => format!("{} IN ({})", name(column), list(values, ", ")),
            Self::Or(column, values) => {
                let column = name(column);
                format!("({column} = {})", list(values, &format!(" OR {column} = ")))
            }
            Self::Between(column, low, high) => {
                format!("{} BETWEEN {} AND {}", name(column), literal(low), literal(high))
            }
            Self::IsNull(column) => format!("{} IS NULL", name(column)),
        }
    }

    pub fn column(&self) -> usize {
        match self {
            Self::Compare(column, ..) | Self::In(column, _) | Self::Or(column, _) => *column,
            Self::Between(column, ..) | Self::IsNull(column) => *column,
        }
    }

    pub fn holds(&self, row: &[Value]) -> bool {
        let value = &row[self.column()];
        let known = |other: &Value| !value.is_null() && !other.is_null();
        match self {
            Self::Compare(_, operator, other) => {
                known(other)
                    && match *operator {
                        "=" => value == other,
                        "<" => value < other,
                        "<=" => value <= other,
                        ">" => value > other,
                        _ => value >= other,
                    }
            }
            Self::In(_, values) | Self::Or(_, values) => {
                values.iter().any(|other| known(other) && value == other)
            }
            Self::Between(_, low, high) => known(low) && known(high) && low <= value && value <= high,
            Self::IsNull(_) => value.is_null(),
        }
    }
}

/// A value as a literal of SQL.
pub fn literal(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Int(_) | Value::Decimal(_) => value.to_string(),
        Value::Bool(_) => value.to_string().to_uppercase(),
        Value::Bytes(bytes) => {
            format!("X'{}'", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        }
        value => format!("'{}'", value.to_string().replace('\'', "''")),
    }
}

/// Some columns of rows, sorted.
pub fn answer<'r>(rows: impl Iterator<Item = &'r Vec<Value>>, columns: &[usize]) -> Vec<Vec<Value>> {
    let mut answer: Vec<Vec<Value>> =
        rows.map(|row| columns.iter().map(|column| row[*column].clone()).collect()).collect();
    answer.sort();
    answer
}
