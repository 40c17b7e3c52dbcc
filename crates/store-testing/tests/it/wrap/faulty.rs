//! Faults happen as the rules say, and again with the same seed.

use std::sync::Arc;
use std::time::Duration;

use tablesmith_model::{FamilyDescriptor, TableDescriptor};
use tablesmith_store::wrap::{OpKind, Wrapped};
use tablesmith_store::{Get, Put, Store};
use tablesmith_store_testing::faulty::{Condition, Fault, Faulty, Reaction, Rule, Turn};
use tokio::time::Instant;

use crate::{memory, table};

async fn faulty(seed: u64, rules: Vec<Rule>) -> Wrapped<Faulty> {
    let store = memory();
    let descriptor = TableDescriptor::new(table("t"), [FamilyDescriptor::new("f")]);
    store.create_table(descriptor, Vec::new()).await.unwrap();
    Wrapped::new(Arc::new(store), Faulty::new(seed, rules))
}

async fn put(store: &dyn Store, row: &'static str) -> Result<(), String> {
    let put = Put::new(row).add_at("f", "q", 1, "v");
    store.put(&table("t"), put).await.map(drop).map_err(|error| error.to_string())
}

async fn has(store: &dyn Store, row: &'static str) -> bool {
    store.exists(&table("t"), Get::new(row)).await.unwrap().value
}

#[tokio::test]
async fn the_nth_call_of_a_kind_fails_before_it_is_done() {
    let rule = Rule::new(Condition::Kind(OpKind::Put), Turn::Nth(2), Reaction::FailBefore(Fault::TooBusy));
    let store = faulty(1, vec![rule]).await;
    put(&store, "a").await.unwrap();
    let message = put(&store, "b").await.unwrap_err();
    assert!(message.contains("seed 1"), "{message}");
    put(&store, "c").await.unwrap();
    assert_eq!((has(&store, "a").await, has(&store, "b").await, has(&store, "c").await), (true, false, true));
    assert_eq!(store.intercept().injected().len(), 1);
}

#[tokio::test]
async fn a_lost_acknowledgement_leaves_the_write_done() {
    let rule = Rule::new(Condition::Writes, Turn::First(1), Reaction::FailAfter(Fault::Io));
    let store = faulty(1, vec![rule]).await;
    put(&store, "a").await.unwrap_err();
    assert!(has(&store, "a").await);
    put(&store, "a").await.unwrap();
}

#[tokio::test]
async fn chances_come_from_the_seed() {
    let outcomes = async |seed| {
        let rule = Rule::new(Condition::Writes, Turn::Chance(0.3), Reaction::FailBefore(Fault::Io));
        let store = faulty(seed, vec![rule]).await;
        let mut outcomes = Vec::new();
        for _ in 0..200 {
            outcomes.push(put(&store, "a").await.is_ok());
            has(&store, "a").await;
        }
        outcomes
    };
    let first = outcomes(7).await;
    assert_eq!(first, outcomes(7).await);
    assert_ne!(first, outcomes(8).await);
    let failed = first.iter().filter(|done| !**done).count();
    assert!((30..=90).contains(&failed), "{failed} of 200");
}

#[tokio::test(start_paused = true)]
async fn delays_pass_before_the_call() {
    let rules = vec![
        Rule::new(Condition::Table(table("other")), Turn::Each, Reaction::FailBefore(Fault::Io)),
        Rule::new(Condition::Reads, Turn::Each, Reaction::Delay(Duration::from_secs(5))),
    ];
    let store = faulty(1, rules).await;
    let start = Instant::now();
    put(&store, "a").await.unwrap();
    assert_eq!(start.elapsed(), Duration::ZERO);
    assert!(has(&store, "a").await);
    assert_eq!(start.elapsed(), Duration::from_secs(5));
}
