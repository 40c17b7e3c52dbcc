//! Random statements, on a design and on the model.

use std::ops::Bound;

use fastrand::Rng;
use tablesmith_access::{AccessError, SetTo, Writer};
use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::value::Value;
use tablesmith_store::Store;

use super::model::Model;

#[derive(Clone, Debug)]
pub enum Statement {
    Insert(&'static str, Vec<Vec<Value>>),
    Update(&'static str, Vec<(String, SetTo)>, Vec<Condition>),
    Delete(&'static str, Vec<Condition>),
}

const TABLES: [&str; 3] = ["user", "follow", "twit"];

/// A value of a column: few different ones, so that rows meet.
pub fn value(random: &mut Rng, column: &str) -> Value {
    let person =
        |random: &mut Rng| Value::String((*random.choice(&["a", "b", "c", "dd", ""]).unwrap()).to_owned());
    match column {
        "id" | "follower" | "followed" | "author" => person(random),
        "name" | "text" if random.usize(..4) == 0 => Value::Null,
        "name" | "text" => Value::String((*random.choice(&["x", "y\0", "", "zz"]).unwrap()).to_owned()),
        "since" | "age" | "at" if random.usize(..5) == 0 => Value::Null,
        _ => Value::Int(random.usize(..9) as i64 - 3),
    }
}

pub fn of(random: &mut Rng, table: &str, column: &str) -> Value {
    match (table, column) {
        ("twit", "id") => Value::Int(random.usize(..6) as i64),
        _ => value(random, column),
    }
}

pub fn columns(model: &Model, table: &str) -> Vec<String> {
    model.workload.table(table).unwrap().columns.iter().map(|column| column.name.clone()).collect()
}

fn row(random: &mut Rng, model: &Model, table: &str) -> Vec<Value> {
    columns(model, table).iter().map(|column| of(random, table, column)).collect()
}

/// Conditions on a table: its key, or something else.
fn conditions(random: &mut Rng, model: &Model, table: &str) -> Vec<Condition> {
    let key = model.workload.table(table).unwrap().key.clone();
    let columns = columns(model, table);
    match random.usize(..5) {
        0 | 1 => {
            key.iter().map(|one| Condition::new(one.clone(), Test::equals(of(random, table, one)))).collect()
        }
        2 => {
            let column = random.choice(&columns).unwrap().clone();
            vec![Condition::new(column.clone(), test(random, table, &column))]
        }
        3 => vec![Condition::new(key[0].clone(), Test::equals(of(random, table, &key[0])))],
        _ => {
            let column = random.choice(&columns).unwrap().clone();
            let mut all = vec![Condition::new(column.clone(), test(random, table, &column))];
            all.extend(key.iter().map(|one| Condition::new(one.clone(), test(random, table, one))));
            all
        }
    }
}

pub fn test(random: &mut Rng, table: &str, column: &str) -> Test {
    let one = of(random, table, column);
    match random.usize(..5) {
        0 => Test::IsNull,
        1 => Test::In(vec![one, of(random, table, column)]),
        2 => Test::Between(Bound::Included(one), Bound::Unbounded),
        3 => Test::Between(Bound::Unbounded, Bound::Excluded(one)),
        _ => Test::equals(one),
    }
}

pub fn statement(random: &mut Rng, model: &Model) -> Statement {
    let table = *random.choice(&TABLES).unwrap();
    match random.usize(..10) {
        0..5 => {
            Statement::Insert(table, (0..=random.usize(..3)).map(|_| row(random, model, table)).collect())
        }
        5..8 => {
            let key = model.workload.table(table).unwrap().key.clone();
            let others: Vec<String> =
                columns(model, table).into_iter().filter(|column| !key.contains(column)).collect();
            let column = random.choice(&others).unwrap().clone();
            let to = match (column.as_str(), random.usize(..2)) {
                ("age" | "since" | "at", 0) => SetTo::Plus(random.usize(..5) as i64 - 2),
                _ => SetTo::Value(of(random, table, &column)),
            };
            Statement::Update(table, vec![(column, to)], conditions(random, model, table))
        }
        _ => Statement::Delete(table, conditions(random, model, table)),
    }
}

impl Statement {
    pub async fn carry_out(&self, store: &dyn Store, writer: &Writer) -> Result<(), AccessError> {
        match self {
            Self::Insert(table, rows) => writer.insert(store, table, rows.clone()).await,
            Self::Update(table, set, conditions) => writer.update(store, table, set, conditions).await,
            Self::Delete(table, conditions) => writer.delete(store, table, conditions).await,
        }
        .map(|_| ())
    }

    pub fn on(&self, model: &mut Model) {
        match self {
            Self::Insert(table, rows) => {
                let key = model.key(table);
                for row in rows {
                    let is_same = |other: &Vec<Value>| key.iter().all(|at| other[*at] == row[*at]);
                    model.rows_mut(table).retain(|other| !is_same(other));
                    model.rows_mut(table).push(row.clone());
                }
            }
            Self::Update(table, set, conditions) => {
                let before = model.clone();
                for row in model.rows_mut(table).iter_mut().filter(|row| before.meets(table, row, conditions))
                {
                    for (column, to) in set {
                        let slot = &mut row[before.index(table, column)];
                        *slot = match (to, &*slot) {
                            (SetTo::Value(value), _) => value.clone(),
                            (SetTo::Plus(amount), Value::Int(old)) => Value::Int(old + amount),
                            _ => Value::Null,
                        };
                    }
                }
            }
            Self::Delete(table, conditions) => {
                let before = model.clone();
                model.rows_mut(table).retain(|row| !before.meets(table, row, conditions));
            }
        }
    }
}
