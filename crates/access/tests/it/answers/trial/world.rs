//! Random tables with references, and rows for them with nulls and values that repeat.

use fastrand::Rng;
use tablesmith_model::value::{Date, Decimal, Moment, Value, ValueType};
use tablesmith_model::workload::{Column, Reference, Table, Workload};

/// A workload with the rows of its tables.
pub struct World {
    pub workload: Workload,
    /// The rows of each table, in the order of the workload, with the values of all columns.
    pub rows: Vec<Vec<Vec<Value>>>,
}

/// Types of columns that are no keys.
const TYPES: [ValueType; 8] = [
    ValueType::Int,
    ValueType::String,
    ValueType::Float,
    ValueType::Decimal,
    ValueType::Bool,
    ValueType::Bytes,
    ValueType::Date,
    ValueType::Timestamp,
];

impl World {
    /// People, things that people have, and likes between people and things.
    pub fn random(random: &mut Rng) -> Self {
        let key_type = *random.choice(&[ValueType::Int, ValueType::Int, ValueType::String]).unwrap();
        let mut person = table("person", &["id"]);
        person.columns.push(Column::new("id", key_type));
        more_columns(random, &mut person, "p");
        let mut thing = table("thing", &["no"]);
        thing.columns.push(Column::new("no", ValueType::Int));
        thing.columns.push(Column::new("owner", key_type));
        thing.references.push(reference("owner", "person", "id"));
        more_columns(random, &mut thing, "t");
        let mut likes = table("likes", &["who", "what"]);
        likes.columns.push(Column::new("who", key_type));
        likes.columns.push(Column::new("what", ValueType::Int));
        likes.references.push(reference("who", "person", "id"));
        likes.references.push(reference("what", "thing", "no"));
        more_columns(random, &mut likes, "l");
        let people = rows_of(random, &person, |at, _| vec![key(key_type, at)]);
        let things = rows_of(random, &thing, |at, random| {
            let owner = if random.usize(..6) == 0 { Value::Null } else { key(key_type, random.usize(..12)) };
            vec![Value::Int(at as i64), owner]
        });
        let liked = rows_of(random, &likes, |at, _| vec![key(key_type, at % 7), Value::Int(at as i64 / 3)]);
        let mut tables = vec![person, thing, likes];
        let rows = vec![people, things, liked];
        if random.bool() {
            tables.iter_mut().zip(&rows).for_each(|(table, rows)| table.rows = Some(rows.len() as u64));
        }
        Self { workload: Workload { tables, ..Workload::default() }, rows }
    }
}

fn table(name: &str, key: &[&str]) -> Table {
    let key = key.iter().map(|column| (*column).to_owned()).collect();
    Table { name: name.into(), key, ..Table::default() }
}

fn reference(column: &str, table: &str, target: &str) -> Reference {
    Reference { column: column.into(), table: table.into(), target: target.into() }
}

fn more_columns(random: &mut Rng, table: &mut Table, prefix: &str) {
    for number in 0..2 + random.usize(..3) {
        table.columns.push(Column::new(format!("{prefix}{number}"), *random.choice(&TYPES).unwrap()));
    }
}

/// The value of a key.
pub fn key(value_type: ValueType, at: usize) -> Value {
    match value_type {
        ValueType::String => Value::String(format!("{}{at}", ["k", "K", "é"][at % 3])),
        _ => Value::Int(at as i64 * 5 - 10),
    }
}

/// Rows of a table: first what `keys` says, then values of the other columns.
fn rows_of(random: &mut Rng, table: &Table, keys: impl Fn(usize, &mut Rng) -> Vec<Value>) -> Vec<Vec<Value>> {
    let count = *random.choice(&[0, 1, 8, 15, 21]).unwrap();
    let nulls: Vec<usize> = table.columns.iter().map(|_| *random.choice(&[0, 2, 8]).unwrap()).collect();
    let row = |at: usize, random: &mut Rng| {
        let mut row = keys(at, random);
        for (column, nulls) in table.columns.iter().zip(&nulls).skip(row.len()) {
            let is_null = random.usize(..10) < *nulls;
            row.push(if is_null { Value::Null } else { value(random, column.value_type) });
        }
        row
    };
    (0..count).map(|at| row(at, random)).collect()
}

/// A value from few, so that conditions meet some rows. Floats add up without rounding.
pub fn value(random: &mut Rng, value_type: ValueType) -> Value {
    let number = random.usize(..7) as i64 - 3;
    match value_type {
        ValueType::Int => Value::Int(number),
        ValueType::String => Value::String(
            (*random.choice(&["", "a", "ab", "b", "B", "ba%", "é", "a\u{10ffff}"]).unwrap()).into(),
        ),
        ValueType::Float => Value::Float(number as f64 / 4.0),
        ValueType::Decimal => Value::Decimal(Decimal::parse(&(number as f64 / 2.0).to_string()).unwrap()),
        ValueType::Bool => Value::Bool(number % 2 == 0),
        ValueType::Bytes => {
            Value::Bytes(random.choice(&[&b""[..], b"\0", b"\xff", b"x\0", b"y"]).unwrap().to_vec())
        }
        ValueType::Date => Value::Date(Date::from_days(number as i32 * 40).unwrap()),
        ValueType::Timestamp => Value::Timestamp(Moment::from_micros(number * 3_600_000_000 + 7).unwrap()),
    }
}
