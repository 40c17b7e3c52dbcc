//! After every statement every copy is the join of what the tables have.

use tablesmith_access::{Repair, Writer, repair};
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_store::Store;

use super::designs::{design, workload};
use super::model::Model;
use super::statements::statement;
use super::world::{assert_true, make};
use crate::random::{Random, seed};
use crate::stores::memory;

async fn run(store: &dyn Store, random: &mut Random, statements: usize, context: &str) {
    let design = design(random);
    make(store, &design).await;
    let writer =
        Writer::new(&workload(), &design).unwrap_or_else(|error| panic!("{error}: {}", design.to_toml()));
    let mut model = Model::new(&workload());
    for number in 0..statements {
        let statement = statement(random, &model);
        let context = format!("{context}, statement {number} {statement:?}\n{}", design.to_toml());
        let done = statement.carry_out(store, &writer).await;
        done.unwrap_or_else(|error| panic!("{error}: {context}"));
        statement.on(&mut model);
        assert_true(store, &writer, &model, &context).await;
    }
    let found = repair(store, &writer, Repair::Look).await.unwrap();
    assert!(found.iter().all(|place| place.is_true()), "{found:?}: {context}\n{}", design.to_toml());
}

#[tokio::test]
async fn every_copy_stays_true_on_random_designs() {
    for run_number in 0..40 {
        let seed = seed() + run_number;
        run(&memory(), &mut Random::new(seed), 25, &format!("seed {seed}")).await;
    }
}

#[tokio::test]
async fn every_copy_stays_true_on_the_embedded_store() {
    let directory = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions::new(directory.path())).unwrap();
    let seed = seed() + 1_000;
    run(&engine, &mut Random::new(seed), 25, &format!("seed {seed}")).await;
}
