//! Random tables, designs and questions: every design answers as the oracle does.

use tablesmith_access::{Layout, Question};
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::TableName;
use tablesmith_model::value::Value;
use tablesmith_model::workload::{Access, Touched};
use tablesmith_sql::Dialect;
use tablesmith_store::Store;

use crate::oracle::{self, Condition};
use crate::random::{Random, seed};
use crate::stores::{ask, filled, memory};
use crate::world::{self, COLUMNS};

/// A random statement, and which rows and columns its answer has.
struct Asked {
    sql: String,
    columns: Vec<usize>,
    conditions: Vec<Condition>,
}

impl Asked {
    fn random(random: &mut Random) -> Self {
        let conditions: Vec<Condition> = (0..random.below(4)).map(|_| Condition::random(random)).collect();
        let shown: Vec<usize> = (0..COLUMNS.len()).filter(|_| random.one_in(4)).collect();
        let names: Vec<&str> = shown.iter().map(|column| COLUMNS[*column].0).collect();
        let list = if names.is_empty() { "count(*)".to_owned() } else { names.join(", ") };
        let mut sql = format!("SELECT {list} FROM t");
        for (at, condition) in conditions.iter().enumerate() {
            sql += if at == 0 { " WHERE " } else { " AND " };
            sql += &condition.sql();
        }
        let columns = shown.into_iter().chain(conditions.iter().map(Condition::column)).collect();
        Self { sql, columns, conditions }
    }

    fn answer(&self, rows: &[Vec<Value>]) -> (u64, u64) {
        let meets = |row: &&Vec<Value>| self.conditions.iter().all(|condition| condition.holds(row));
        oracle::answer(rows.iter().filter(meets), &self.columns)
    }
}

/// Asks the same questions on some designs of one table.
async fn compare(store: &dyn Store, random: &mut Random, case: u64, designs: usize, questions: usize) {
    let count = *random.pick(&[0, 1, 40, 90]);
    let rows = world::rows(random, count.max(1));
    let mut laid: Vec<(TableName, Layout, String)> = Vec::new();
    for number in 0..designs {
        let design = world::design(random);
        let (name, layout) = filled(store, world::layout(&design), &format!("t{case}_{number}"), &rows).await;
        laid.push((name, layout, design.to_toml()));
    }
    for _ in 0..questions {
        let asked = Asked::random(random);
        let question = Question::of_sql("q", &asked.sql, &world::workload(), Dialect::Generic).unwrap();
        let expected = asked.answer(&rows);
        for (name, layout, design) in &laid {
            let outcome = ask(store, name, layout, &question).await;
            assert_eq!(
                (outcome.rows, outcome.hash),
                expected,
                "seed {}, case {case}: {} on\n{design}",
                seed(),
                asked.sql
            );
        }
    }
}

#[tokio::test]
async fn every_design_answers_as_the_oracle_does() {
    let mut random = Random::new(seed());
    for case in 0..60 {
        compare(&memory(), &mut random, case, 4, 12).await;
    }
}

#[tokio::test]
async fn the_embedded_store_answers_as_the_oracle_does() {
    let directory = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions::new(directory.path())).unwrap();
    let mut random = Random::new(seed() ^ 1);
    for case in 0..6 {
        compare(&engine, &mut random, case, 3, 20).await;
    }
}

/// Where a limit leaves open which rows there are, their number is the same.
#[tokio::test]
async fn a_limit_gives_as_many_rows_on_every_design() {
    let store = memory();
    let mut random = Random::new(seed() ^ 2);
    let rows = world::rows(&mut random, 60);
    for case in 0..12 {
        let design = world::design(&mut random);
        let (name, layout) = filled(&store, world::layout(&design), &format!("t{case}"), &rows).await;
        for (sql, expected) in [
            ("SELECT id, a FROM t LIMIT 7", 7),
            ("SELECT id FROM t WHERE id >= 90 LIMIT 5 OFFSET 4", 9),
            ("SELECT id FROM t WHERE id < 9 LIMIT 5", 3),
            ("SELECT id FROM t WHERE id < 9 ORDER BY id LIMIT 2", 3),
        ] {
            let question = Question::of_sql("q", sql, &world::workload(), Dialect::Generic).unwrap();
            let outcome = ask(&store, &name, &layout, &question).await;
            assert_eq!(outcome.rows, expected, "{sql} on\n{}", design.to_toml());
        }
    }
}

/// So many rows from a place on, in the order of the table's key: the same ones whatever the design's order is.
#[tokio::test]
async fn reading_on_from_a_place_gives_the_same_rows_on_every_design() {
    let store = memory();
    let mut random = Random::new(seed() ^ 5);
    let rows = world::rows(&mut random, 50);
    let touched =
        Touched { table: "t".into(), reads: vec!["s".into()], writes: vec![], access: Some(Access::Scan) };
    let question = Question::of_columns("on", &touched, Some(10), &world::workload()).unwrap();
    for case in 0..12 {
        let design = world::design(&mut random);
        let (name, layout) = filled(&store, world::layout(&design), &format!("t{case}"), &rows).await;
        for first in [0_usize, 13, 45, 50] {
            let call = question.bind_values(&[Value::Int(first as i64 * 3 - 1)]).unwrap();
            let plan = tablesmith_access::plan(&layout, &call).unwrap();
            let outcome = tablesmith_access::carry_out(&store, &layout, &name, &plan).await.unwrap();
            let expected = oracle::answer(rows.iter().skip(first).take(10), &[0, 2]);
            assert_eq!((outcome.rows, outcome.hash), expected, "from {first} on\n{}", design.to_toml());
        }
    }
}
