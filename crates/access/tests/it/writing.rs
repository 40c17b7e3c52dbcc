//! Writes on several designs: afterwards every read is as on plain rows that were changed alike.

use tablesmith_access::{Layout, Question, carry_out, plan};
use tablesmith_model::TableName;
use tablesmith_model::value::Value;
use tablesmith_model::workload::{Access, Touched};
use tablesmith_sql::Dialect;
use tablesmith_store::Store;

use crate::oracle::{self, literal};
use crate::random::{Random, seed};
use crate::stores::{ask, filled, memory};
use crate::world::{self, COLUMNS};

/// A random write to the rows, and its text.
fn change(random: &mut Random, rows: &mut Vec<Vec<Value>>) -> String {
    let at = random.below(rows.len());
    let id = literal(&rows[at][0]);
    match random.below(4) {
        0 => {
            rows.remove(at);
            format!("DELETE FROM t WHERE id = {id}")
        }
        1 => {
            let number = Value::Int(1_000 + random.below(100_000) as i64);
            let mut row = world::rows(random, 1).remove(0);
            row[0] = number;
            let given: Vec<usize> = (0..COLUMNS.len()).filter(|at| *at == 0 || !random.one_in(3)).collect();
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
                (0..1 + random.below(3)).map(|_| 1 + random.below(COLUMNS.len() - 1)).collect();
            let mut texts = Vec::new();
            for column in set {
                let value =
                    if random.one_in(3) { Value::Null } else { world::value(random, COLUMNS[column].1) };
                if !texts.iter().any(|text: &String| text.starts_with(&format!("{} =", COLUMNS[column].0))) {
                    texts.push(format!("{} = {}", COLUMNS[column].0, literal(&value)));
                    rows[at][column] = value;
                }
            }
            format!("UPDATE t SET {} WHERE id = {id}", texts.join(", "))
        }
    }
}

async fn laid(
    store: &dyn Store,
    random: &mut Random,
    rows: &[Vec<Value>],
) -> Vec<(TableName, Layout, String)> {
    let mut laid = Vec::new();
    let keys: [&[&str]; 5] =
        [&["id"], &["md5_mod(id, 4)", "id"], &["md5(id)"], &["pad(id, 7)"], &["desc(id)"]];
    for (number, key) in keys.iter().enumerate() {
        let design = world::design_with_key(random, key);
        assert!(world::is_keyed_by_id(&design));
        let (name, layout) = filled(store, world::layout(&design), &format!("t{number}"), rows).await;
        laid.push((name, layout, design.to_toml()));
    }
    laid
}

#[tokio::test]
async fn what_is_written_is_read_alike_on_every_design() {
    let mut random = Random::new(seed() ^ 3);
    for case in 0..12 {
        let store = memory();
        let mut rows = world::rows(&mut random, 12);
        let laid = laid(&store, &mut random, &rows).await;
        for step in 0..25 {
            if rows.is_empty() {
                break;
            }
            let sql = change(&mut random, &mut rows);
            let question = Question::of_sql("w", &sql, &world::workload(), Dialect::Generic).unwrap();
            assert!(question.writes(), "{sql}");
            for (name, layout, _) in &laid {
                assert_eq!(ask(&store, name, layout, &question).await.rows, 1, "{sql}");
            }
            let column = random.below(COLUMNS.len());
            let read = format!("SELECT {} FROM t", COLUMNS[column].0);
            let read = Question::of_sql("r", &read, &world::workload(), Dialect::Generic).unwrap();
            let expected = oracle::answer(rows.iter(), &[column]);
            for (name, layout, design) in &laid {
                let outcome = ask(&store, name, layout, &read).await;
                let told = format!(
                    "seed {}, case {case}, step {step}: {} after {sql} on\n{design}",
                    seed(),
                    read.name()
                );
                assert_eq!((outcome.rows, outcome.hash), expected, "{told}");
            }
        }
    }
}

#[tokio::test]
async fn rows_touched_by_key_are_read_and_written() {
    let store = memory();
    let mut random = Random::new(seed() ^ 4);
    let rows = world::rows(&mut random, 30);
    let touched = Touched {
        table: "t".into(),
        reads: vec!["a".into(), "price".into()],
        writes: vec!["a".into(), "s".into()],
        access: Some(Access::Get),
    };
    let question = Question::of_columns("touch", &touched, Some(3), &world::workload()).unwrap();
    let columns: Vec<&str> = question.slots().iter().map(|slot| slot.column.as_deref().unwrap()).collect();
    assert_eq!(columns, ["id", "a", "s"].repeat(3), "values of one row follow each other");
    let values: Vec<Value> = [4, 9, 4].iter().flat_map(|at: &usize| rows[*at][..3].to_vec()).collect();
    let call = question.bind_values(&values).unwrap();
    let expected = oracle::answer([&rows[4], &rows[9]].into_iter(), &[0, 1, 5]);
    for (name, layout, design) in laid(&store, &mut random, &rows).await {
        let plan = plan(&layout, &call).unwrap_or_else(|error| panic!("{error}\n{design}"));
        let outcome = carry_out(&store, &layout, &name, &plan).await.unwrap();
        assert_eq!((outcome.rows, outcome.hash), (expected.0 + 3, expected.1), "{design}");
        // Where the statement itself says what is hashed into a key, every row is read on its own.
        let reads = if design.contains("md5(id)") { 2 } else { 1 };
        assert_eq!(outcome.calls, reads + 1, "one call writes\n{design}");
    }
}
