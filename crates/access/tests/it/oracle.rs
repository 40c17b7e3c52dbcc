//! What a question answers, evaluated on plain rows.

use tablesmith_model::value::{KeyEncoding, Value};
use xxhash_rust::xxh3::xxh3_64;

use crate::random::Random;
use crate::world::{self, COLUMNS};

/// A condition that the oracle evaluates, and its text.
pub enum Condition {
    Compare(usize, &'static str, Value),
    In(usize, Vec<Value>),
    Or(usize, Vec<Value>),
    Between(usize, Value, Value),
    IsNull(usize),
    /// What no one understands: it leaves no row out.
    Like(usize),
}

impl Condition {
    pub fn random(random: &mut Random) -> Self {
        let column = random.below(COLUMNS.len());
        let value_type = COLUMNS[column].1;
        let operand = |random: &mut Random| match COLUMNS[column].0 {
            "id" => Value::Int(random.below(200) as i64),
            _ => world::value(random, value_type),
        };
        match random.below(12) {
            0 => Self::IsNull(column),
            1 => Self::Like(column),
            2 | 3 => Self::In(column, (0..1 + random.below(4)).map(|_| operand(random)).collect()),
            4 => Self::Or(column, (0..2 + random.below(2)).map(|_| operand(random)).collect()),
            5 | 6 => Self::Between(column, operand(random), operand(random)),
            7 | 8 => Self::Compare(column, "=", operand(random)),
            _ => {
                let operator = *random.pick(&["<", "<=", ">", ">="]);
                let value = if random.one_in(20) { Value::Null } else { operand(random) };
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
            Self::Like(column) => format!("{} LIKE 'q%'", name(column)),
        }
    }

    pub fn column(&self) -> usize {
        match self {
            Self::Compare(column, ..) | Self::In(column, _) | Self::Or(column, _) => *column,
            Self::Between(column, ..) | Self::IsNull(column) | Self::Like(column) => *column,
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
            Self::Like(_) => true,
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

/// The number of rows and the hash that an answer of these columns has.
pub fn answer<'r>(rows: impl Iterator<Item = &'r Vec<Value>>, columns: &[usize]) -> (u64, u64) {
    let (mut count, mut sum) = (0_u64, 0_u64);
    for row in rows {
        let mut bytes = Vec::new();
        for (column, value) in row.iter().enumerate().filter(|(column, _)| columns.contains(column)) {
            KeyEncoding::Binary.encode(COLUMNS[column].1, value, &mut bytes).unwrap();
        }
        count += 1;
        sum = sum.wrapping_add(xxh3_64(&bytes));
    }
    (count, xxh3_64(&[count.to_be_bytes(), sum.to_be_bytes()].concat()))
}
