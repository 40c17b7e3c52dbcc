//! Random tables, designs and statements: every design answers as the oracle does.

use fastrand::Rng;
use tablesmith_access::answer::Database;
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::value::Value;
use tablesmith_store::Store;

use crate::oracle::{self, Condition};
use crate::random::seed;
use crate::stores::{execute, filled, memory};
use crate::world::{self, COLUMNS};

/// A random query, and which rows and columns its answer has.
struct RandomQuery {
    sql: String,
    columns: Vec<usize>,
    conditions: Vec<Condition>,
}

impl RandomQuery {
    fn new(random: &mut Rng) -> Self {
        let conditions: Vec<Condition> = (0..random.usize(..4)).map(|_| Condition::random(random)).collect();
        let mut columns: Vec<usize> = (0..COLUMNS.len()).filter(|_| random.usize(..4) == 0).collect();
        if columns.is_empty() {
            columns.push(random.usize(..COLUMNS.len()));
        }
        let names: Vec<&str> = columns.iter().map(|column| COLUMNS[*column].0).collect();
        let mut sql = format!("SELECT {} FROM t", names.join(", "));
        for (at, condition) in conditions.iter().enumerate() {
            sql += if at == 0 { " WHERE " } else { " AND " };
            sql += &condition.sql();
        }
        Self { sql, columns, conditions }
    }

    fn answer(&self, rows: &[Vec<Value>]) -> Vec<Vec<Value>> {
        let meets = |row: &&Vec<Value>| self.conditions.iter().all(|condition| condition.holds(row));
        oracle::answer(rows.iter().filter(meets), &self.columns)
    }
}

/// Executes the same queries on some designs of one table.
async fn compare(store: &dyn Store, random: &mut Rng, case: u64, designs: usize, queries: usize) {
    let count = *random.choice(&[0, 1, 40, 90]).unwrap();
    let rows = world::rows(random, count.max(1));
    let mut databases: Vec<(Database, String)> = Vec::new();
    for number in 0..designs {
        let design = world::design(random);
        let name = format!("t{case}_{number}");
        databases.push((filled(store, &world::workload(), &design, &name, &rows).await, design.to_toml()));
    }
    for _ in 0..queries {
        let query = RandomQuery::new(random);
        let expected = query.answer(&rows);
        for (database, design) in &databases {
            let (mut answer, _) = execute(store, database, &query.sql).await;
            answer.sort();
            assert_eq!(answer, expected, "seed {}, case {case}: {} on\n{design}", seed(), query.sql);
        }
    }
}

#[tokio::test]
async fn every_design_answers_as_the_oracle_does() {
    let mut random = Rng::with_seed(seed());
    for case in 0..60 {
        compare(&memory(), &mut random, case, 4, 12).await;
    }
}

#[tokio::test]
async fn the_embedded_store_answers_as_the_oracle_does() {
    let directory = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions::new(directory.path())).unwrap();
    let mut random = Rng::with_seed(seed() ^ 1);
    for case in 0..6 {
        compare(&engine, &mut random, case, 3, 20).await;
    }
}

/// Where a limit leaves open which rows there are, their number is the same; in the order of the key they are the same.
#[tokio::test]
async fn a_limit_gives_as_many_rows_on_every_design() {
    let store = memory();
    let mut random = Rng::with_seed(seed() ^ 2);
    let rows = world::rows(&mut random, 60);
    for case in 0..12 {
        let design = world::design(&mut random);
        let database = filled(&store, &world::workload(), &design, &format!("t{case}"), &rows).await;
        for (sql, expected) in [
            ("SELECT id, a FROM t LIMIT 7", 7),
            ("SELECT id FROM t WHERE id >= 90 LIMIT 5 OFFSET 4", 5),
            ("SELECT id FROM t WHERE id < 9 LIMIT 5", 3),
        ] {
            let (answer, _) = execute(&store, &database, sql).await;
            assert_eq!(answer.len(), expected, "{sql} on\n{}", design.to_toml());
        }
        let (answer, _) =
            execute(&store, &database, "SELECT id, s FROM t WHERE id >= 38 ORDER BY id LIMIT 10").await;
        let expected = oracle::answer(rows.iter().skip(13).take(10), &[0, 2]);
        assert_eq!(answer, expected, "on\n{}", design.to_toml());
    }
}
