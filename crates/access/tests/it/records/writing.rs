//! After every statement every copy is the join of what the tables have.

use std::sync::Arc;

use fastrand::Rng;
use tablesmith_access::{Repair, Writer, repair};
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::design::Design;
use tablesmith_model::value::Value;
use tablesmith_store::Store;
use tablesmith_store::wrap::{Counting, OpKind, Wrapped};
use tablesmith_store_testing::faulty::{Condition, Fault, Faulty, Reaction, Rule, Turn};

use super::designs::{design, workload};
use super::model::Model;
use super::statements::statement;
use super::world::{all, assert_true, make};
use crate::random::seed;
use crate::stores::{far, memory};

async fn run(store: &dyn Store, random: &mut Rng, statements: usize, context: &str) {
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
        run(&memory(), &mut Rng::with_seed(seed), 25, &format!("seed {seed}")).await;
    }
}

#[tokio::test]
async fn every_copy_stays_true_on_a_store_that_writes_one_row_at_a_time() {
    for run_number in 0..40 {
        let seed = seed() + 500 + run_number;
        run(&far(Arc::new(memory())), &mut Rng::with_seed(seed), 25, &format!("seed {seed}")).await;
    }
}

#[tokio::test]
async fn every_copy_stays_true_on_the_embedded_store() {
    let directory = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions::new(directory.path())).unwrap();
    let seed = seed() + 1_000;
    run(&engine, &mut Rng::with_seed(seed), 25, &format!("seed {seed}")).await;
}

/// A list of whom somebody follows, and a copy the other way round.
const BOTH_WAYS: &str = "
version = 1
[[table]]
name = 'follow'
[[table.family]]
name = 'f'
[[table.rows]]
from = 'follow'
key = ['follower']
cells = [{ family = 'f', qualifier = 'followed', value = 'since' }]
[[table]]
name = 'followers'
[[table.family]]
name = 'f'
[[table.rows]]
from = 'follow'
key = ['followed', 'follower']
cells = [{ family = 'f', columns = ['since'] }]
";

fn edge(since: i64) -> Vec<Vec<Value>> {
    vec![vec![Value::String("ada".into()), Value::String("bob".into()), Value::Int(since)]]
}

#[tokio::test]
async fn a_new_row_takes_one_call_or_one_for_each_place() {
    let design = Design::parse(BOTH_WAYS).unwrap();
    let stores: [(Arc<dyn Store>, _); 2] = [
        (Arc::new(memory()), (1, OpKind::AtomicBatch)),
        (Arc::new(far(Arc::new(memory()))), (2, OpKind::CheckAndMutate)),
    ];
    for (store, (calls, kind)) in stores {
        a_new_row_takes(&design, store, calls, kind).await;
    }
}

async fn a_new_row_takes(design: &Design, store: Arc<dyn Store>, in_all: u64, kind: OpKind) {
    let store = Wrapped::new(store, Counting::default());
    make(&store, design).await;
    let writer = Writer::new(&workload(), design).unwrap();
    // The first statement looks whether another client has left something.
    writer.delete(&store, "follow", &[]).await.unwrap();
    store.intercept().take();
    writer.insert(&store, "follow", edge(1)).await.unwrap();
    let calls = store.intercept().take();
    assert_eq!((calls.all_calls(), calls.calls_of(kind)), (in_all, 1), "{calls:?}");
    // One that is there is replaced in both.
    writer.insert(&store, "follow", edge(2)).await.unwrap();
    for (layout, _) in writer.layouts() {
        assert_eq!(all(&store, layout).await.len(), 1);
    }
    let found = repair(&store, &writer, Repair::Look).await.unwrap();
    assert!(found.iter().all(|place| place.is_true()), "{found:?}");
}

/// Adds an edge while one call of the store goes wrong; how many each place has then.
async fn add_with(
    store: &Arc<dyn Store>,
    writer: &Writer,
    turn: u64,
    reaction: Reaction,
) -> (bool, Vec<usize>) {
    let rule = Rule { condition: Condition::Always, turn: Turn::Nth(turn), reaction };
    let faulty = Wrapped::new(store.clone(), Faulty::new(1, [rule]));
    let is_done = writer.insert(&faulty, "follow", edge(1)).await.is_ok();
    let mut there = Vec::new();
    for (layout, _) in writer.layouts() {
        there.push(all(&**store, layout).await.len());
    }
    (is_done, there)
}

#[tokio::test]
async fn a_row_that_comes_again_after_a_crash_gets_its_copies() {
    let design = Design::parse(BOTH_WAYS).unwrap();
    let store: Arc<dyn Store> = Arc::new(far(Arc::new(memory())));
    make(&*store, &design).await;
    let writer = Writer::new(&workload(), &design).unwrap();
    writer.delete(&*store, "follow", &[]).await.unwrap();
    let died = add_with(&store, &writer, 2, Reaction::FailBefore(Fault::Io)).await;
    assert_eq!(died, (false, vec![1, 0]));
    let again = add_with(&store, &writer, 100, Reaction::FailBefore(Fault::Io)).await;
    assert_eq!(again, (true, vec![1, 1]));
}

#[tokio::test]
async fn a_new_row_whose_answer_is_lost_gets_its_copies() {
    let design = Design::parse(BOTH_WAYS).unwrap();
    let stores: [Arc<dyn Store>; 2] = [Arc::new(memory()), Arc::new(far(Arc::new(memory())))];
    for store in stores {
        make(&*store, &design).await;
        let writer = Writer::new(&workload(), &design).unwrap();
        writer.delete(&*store, "follow", &[]).await.unwrap();
        let lost = add_with(&store, &writer, 1, Reaction::FailAfter(Fault::Io)).await;
        assert_eq!(lost, (true, vec![1, 1]));
    }
}
