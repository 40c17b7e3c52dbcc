//! Write streams to judge.

use tablesmith_design::keys::{IdColumn, Judge, Judgement, Row, Setup};
use tablesmith_model::value::{Moment, Value, ValueType};

/// The setup of a single number.
pub fn of_ids(servers: usize) -> Setup {
    Setup::new(vec![IdColumn::new("id", ValueType::Int)], servers)
}

/// The setup of readings of users over time.
pub fn of_readings(servers: usize) -> Setup {
    let at = IdColumn::new("at", ValueType::Timestamp);
    let mut setup = Setup::new(vec![IdColumn::new("user", ValueType::String), at.clone()], servers);
    setup.time = Some(at);
    setup
}

/// Judges rows; each has its values as its line.
pub fn judge(setup: &Setup, rows: impl Iterator<Item = Vec<Value>>) -> Judgement {
    let mut judge = Judge::new(setup).expect("a setup that makes sense");
    for values in rows {
        let line = values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        judge.take(&Row { values: &values, line: Some(line.as_bytes()), bytes: 100 });
    }
    judge.finish()
}

/// Sequential numbers.
pub fn ids(rows: i64) -> impl Iterator<Item = Vec<Value>> {
    (1..=rows).map(|id| vec![Value::Int(id)])
}

/// A reading of a user each second.
pub fn readings(users: impl Iterator<Item = u64>) -> impl Iterator<Item = Vec<Value>> {
    users.enumerate().map(|(second, user)| {
        let at = Moment::from_millis(1_700_000_000_000 + second as i64 * 1_000).expect("a moment");
        vec![Value::String(format!("user{user}")), Value::Timestamp(at)]
    })
}
