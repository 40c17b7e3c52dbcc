//! The oracle: SQLite with the same rows.

use rusqlite::Connection;
use rusqlite::types::{Value as Sql, ValueRef};
use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::Table;

use super::world::World;

/// A database of the same rows.
pub struct Oracle {
    connection: Connection,
}

impl Oracle {
    pub fn new(world: &World) -> Self {
        let connection = Connection::open_in_memory().unwrap();
        // Texts compare by their bytes everywhere, in LIKE too.
        connection.execute_batch("PRAGMA case_sensitive_like = ON").unwrap();
        for (table, rows) in world.workload.tables.iter().zip(&world.rows) {
            connection.execute_batch(&create(table)).unwrap();
            let places = vec!["?"; table.columns.len()].join(", ");
            let insert = format!("INSERT INTO {} VALUES ({places})", table.name);
            for row in rows {
                let values: Vec<Sql> = row.iter().map(sql).collect();
                connection.execute(&insert, rusqlite::params_from_iter(values)).unwrap();
            }
        }
        Self { connection }
    }

    /// The rows of a query, each value in the form that answers are compared in.
    pub fn rows(&self, text: &str, parameters: &[Value]) -> Vec<Vec<Form>> {
        let mut statement = self.connection.prepare(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let columns = statement.column_count();
        let values: Vec<Sql> = parameters.iter().map(sql).collect();
        let mut rows = statement.query(rusqlite::params_from_iter(values)).unwrap();
        let mut all = Vec::new();
        while let Some(row) = rows.next().unwrap_or_else(|error| panic!("{error}: {text}")) {
            all.push((0..columns).map(|at| of_sqlite(row.get_ref(at).unwrap())).collect());
        }
        all
    }

    /// Changes rows; how many.
    pub fn change(&self, text: &str, parameters: &[Value]) -> usize {
        let values: Vec<Sql> = parameters.iter().map(sql).collect();
        self.connection
            .execute(text, rusqlite::params_from_iter(values))
            .unwrap_or_else(|error| panic!("{error}: {text}"))
    }
}

fn create(table: &Table) -> String {
    let column = |column: &tablesmith_model::workload::Column| {
        let sql_type = match column.value_type {
            ValueType::String => "TEXT",
            ValueType::Float | ValueType::Decimal => "REAL",
            ValueType::Bytes => "BLOB",
            ValueType::Int | ValueType::Bool | ValueType::Date | ValueType::Timestamp => "INTEGER",
        };
        format!("{} {sql_type}", column.name)
    };
    let columns: Vec<String> = table.columns.iter().map(column).collect();
    format!("CREATE TABLE {} ({}, PRIMARY KEY ({}))", table.name, columns.join(", "), table.key.join(", "))
}

fn sql(value: &Value) -> Sql {
    match value {
        Value::Null => Sql::Null,
        Value::String(text) => Sql::Text(text.clone()),
        Value::Int(number) => Sql::Integer(*number),
        Value::Float(number) => Sql::Real(*number),
        Value::Decimal(number) => Sql::Real(number.to_string().parse().unwrap()),
        Value::Bool(truth) => Sql::Integer((*truth).into()),
        Value::Bytes(bytes) => Sql::Blob(bytes.clone()),
        Value::Date(date) => Sql::Integer(date.days().into()),
        Value::Timestamp(moment) => Sql::Integer(moment.micros()),
    }
}

/// A value in the form that answers are compared in: numbers of all kinds are alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    Null,
    Number(String),
    Text(String),
    Bytes(Vec<u8>),
}

pub fn of_ours(value: &Value) -> Form {
    match value {
        Value::Null => Form::Null,
        Value::String(text) => Form::Text(text.clone()),
        Value::Bytes(bytes) => Form::Bytes(bytes.clone()),
        Value::Int(number) => Form::Number(number.to_string()),
        Value::Bool(truth) => Form::Number(i64::from(*truth).to_string()),
        Value::Date(date) => Form::Number(date.days().to_string()),
        Value::Timestamp(moment) => Form::Number(moment.micros().to_string()),
        Value::Float(number) => Form::Number(float(*number)),
        Value::Decimal(number) => Form::Number(float(number.to_string().parse().unwrap())),
    }
}

fn of_sqlite(value: ValueRef<'_>) -> Form {
    match value {
        ValueRef::Null => Form::Null,
        ValueRef::Integer(number) => Form::Number(number.to_string()),
        ValueRef::Real(number) => Form::Number(float(number)),
        ValueRef::Text(text) => Form::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Form::Bytes(bytes.to_vec()),
    }
}

/// A float to twelve digits: sums may be rounded in another order.
fn float(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        (number as i64).to_string()
    } else {
        format!("{number:.11e}")
    }
}
