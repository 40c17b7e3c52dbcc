//! Random workloads, designs and statements: every answer is the one that SQLite gives on the same data.

mod check;
mod design;
mod sqlite;
mod statement;
mod world;

use std::sync::Arc;

use tablesmith_access::answer::Designed;
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_sql::Dialect;
use tablesmith_sql::relational::{Statement, read};
use tablesmith_store::Store;

use crate::random::{Random, seed};
use world::World;

/// Makes a workload, a design and its tables, and asks some queries of both.
async fn case(store: &dyn Store, seed: u64) {
    let mut random = Random::new(seed);
    let world = World::random(&mut random);
    let design = design::random(&mut random, &world, seed);
    let told = format!("TABLESMITH_SEED={seed}, on\n{}\n{}", world.workload.to_toml(), design.to_toml());
    let designed = Designed::new(Arc::new(world.workload.clone()), &design);
    let designed = designed.unwrap_or_else(|error| panic!("{error}; {told}"));
    design::fill(store, &world, &designed).await;
    let oracle = sqlite::Oracle::new(&world);
    for _ in 0..12 {
        let asked = statement::select(&mut random, &world);
        let told = format!("{}\nwith {:?}; {told}", asked.sql, asked.given);
        let read = read(&asked.sql, &world.workload, Dialect::Generic, &asked.given);
        let Statement::Select(query) = read.unwrap_or_else(|error| panic!("{error}: {told}")).statement
        else {
            panic!("no query: {told}")
        };
        let plan = designed.plan(&query).unwrap_or_else(|error| panic!("{error}: {told}"));
        let mut answer = designed.answer(store, &plan).unwrap_or_else(|error| panic!("{error}: {told}"));
        let rows = answer.all().await.unwrap_or_else(|error| panic!("{error}: {told}"));
        let expected = oracle.rows(&asked.sql, &asked.parameters);
        let all = oracle.rows(&asked.without_limit, &asked.parameters);
        check::same(&rows, &expected, &all, &asked, &format!("{}\n{told}", answer.explain()));
    }
}

/// The seeds of a run: the one that is asked for, else so many.
fn seeds(count: u64) -> Vec<u64> {
    match std::env::var("TABLESMITH_SEED") {
        Ok(_) => vec![seed()],
        Err(_) => (1..=count).collect(),
    }
}

#[tokio::test]
async fn the_embedded_store_answers_as_sqlite_does() {
    let directory = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions::new(directory.path())).unwrap();
    for seed in seeds(200) {
        case(&engine, seed).await;
    }
}
