//! Writes on several designs: afterwards every read is as on plain rows that were changed alike.

use fastrand::Rng;
use tablesmith_access::answer::Database;
use tablesmith_model::design::Cells;
use tablesmith_model::value::Value;
use tablesmith_store::Store;

use crate::oracle::{self, literal};
use crate::random::seed;
use crate::stores::{execute, filled, memory};
use crate::world::{self, COLUMNS};

/// A random write to the rows, and its text.
fn change(random: &mut Rng, rows: &mut Vec<Vec<Value>>) -> String {
    let at = random.usize(..rows.len());
    let id = literal(&rows[at][0]);
    match random.usize(..4) {
        0 => {
            rows.remove(at);
            format!("DELETE FROM t WHERE id = {id}")
        }
        1 => {
            let number = Value::Int(1_000 + random.usize(..100_000) as i64);
            let mut row = world::rows(random, 1).remove(0);
            row[0] = number;
            let given: Vec<usize> =
                (0..COLUMNS.len()).filter(|at| *at == 0 || random.usize(..3) != 0).collect();
            for (column, value) in row.iter_mut().enumerate() {
                if !given.contains(&column) {
                    *value = Value::Null;
                }
            }
            let names: Vec<&str> = given.iter().rev().map(|column| COLUMNS[*column].0).collect();
            let values: Vec<String> = given.iter().rev().map(|column| literal(&row[*column])).collect();
            rows.push(row);
            format!("INSERT INTO t ({}) VALUES ({})", names.join(", "), values.join(", "))
        }
        _ => {
            let set: Vec<usize> =
                (0..1 + random.usize(..3)).map(|_| 1 + random.usize(..COLUMNS.len() - 1)).collect();
            let mut texts = Vec::new();
            for column in set {
                let value = if random.usize(..3) == 0 {
                    Value::Null
                } else {
                    world::value(random, COLUMNS[column].1)
                };
                if !texts.iter().any(|text: &String| text.starts_with(&format!("{} =", COLUMNS[column].0))) {
                    texts.push(format!("{} = {}", COLUMNS[column].0, literal(&value)));
                    rows[at][column] = value;
                }
            }
            format!("UPDATE t SET {} WHERE id = {id}", texts.join(", "))
        }
    }
}

async fn databases(store: &dyn Store, random: &mut Rng, rows: &[Vec<Value>]) -> Vec<(Database, String)> {
    let mut databases = Vec::new();
    let keys: [&[&str]; 5] =
        [&["id"], &["md5_mod(id, 4)", "id"], &["md5(id)"], &["pad(id, 7)"], &["desc(id)"]];
    for (number, key) in keys.iter().enumerate() {
        let mut design = world::design_with_key(random, key);
        if *key == ["md5(id)"] {
            // A digest does not give the id back.
            let cells = Cells { family: "f".into(), columns: vec!["id".into()], ..Cells::default() };
            let rows = &mut design.tables[0].rows[0];
            if !rows.cells.iter().any(|cells| cells.family == "f" && cells.columns == ["id"]) {
                rows.cells.push(cells);
            }
        }
        assert!(world::is_keyed_by_id(&design));
        let database = filled(store, &world::workload(), &design, &format!("t{number}"), rows).await;
        databases.push((database, design.to_toml()));
    }
    databases
}

#[tokio::test]
async fn what_is_written_is_read_alike_on_every_design() {
    let mut random = Rng::with_seed(seed() ^ 3);
    for case in 0..12 {
        let store = memory();
        let mut rows = world::rows(&mut random, 12);
        let databases = databases(&store, &mut random, &rows).await;
        for step in 0..25 {
            if rows.is_empty() {
                break;
            }
            let sql = change(&mut random, &mut rows);
            for (database, _) in &databases {
                assert_eq!(execute(&store, database, &sql).await.1, 1, "{sql}");
            }
            let column = random.usize(..COLUMNS.len());
            let read = format!("SELECT {} FROM t", COLUMNS[column].0);
            let expected = oracle::answer(rows.iter(), &[column]);
            for (database, design) in &databases {
                let (mut answer, _) = execute(&store, database, &read).await;
                answer.sort();
                let told =
                    format!("seed {}, case {case}, step {step}: {read} after {sql} on\n{design}", seed());
                assert_eq!(answer, expected, "{told}");
            }
        }
    }
}
