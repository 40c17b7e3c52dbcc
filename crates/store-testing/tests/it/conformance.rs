//! The suite on the store in memory, and on stores that are wrong.

use std::sync::Arc;

use tablesmith_store::wrap::{Counting, Wrapped};
use tablesmith_store::{ManualClock, Store};
use tablesmith_store_testing::conformance::{CHECKS, Options, run, run_with};
use tablesmith_store_testing::memory::MemoryStore;

use crate::flawed::{Flaw, Flawed};
use crate::{PRESENT_MS, memory};

#[tokio::test]
async fn memory_store_conforms() {
    let report = run(&memory()).await;
    assert!(report.is_ok(), "{report}");
    assert_eq!(report.passed.len(), CHECKS.len());
}

#[tokio::test]
async fn memory_store_of_one_server_conforms() {
    let report = run(&MemoryStore::new(Arc::new(ManualClock::at(PRESENT_MS)), 1)).await;
    assert!(report.is_ok(), "{report}");
}

#[tokio::test]
async fn a_wrapped_store_conforms() {
    let store = Wrapped::new(Arc::new(memory()), Counting::default());
    let report = run(&store).await;
    assert!(report.is_ok(), "{report}");
    assert!(store.intercept().snapshot().all_calls() > 1_000);
}

#[tokio::test]
async fn the_suite_leaves_nothing_behind() {
    let store = memory();
    store.create_namespace("conformance_0").await.unwrap();
    let before = (store.list_namespaces().await.unwrap(), store.list_tables().await.unwrap());
    let report = run(&store).await;
    assert!(report.is_ok(), "{report}");
    assert_eq!((store.list_namespaces().await.unwrap(), store.list_tables().await.unwrap()), before);
}

#[tokio::test]
async fn every_flaw_is_found_and_nothing_left_behind() {
    for flaw in Flaw::ALL {
        let store = Flawed::new(memory(), flaw);
        let report = run(&store).await;
        assert!(!report.failures.is_empty(), "{flaw:?} passes the suite");
        assert!(report.leftovers.is_empty(), "{flaw:?}: {report}");
        assert_eq!(store.list_tables().await.unwrap(), []);
    }
}

#[tokio::test]
async fn a_failure_says_what_differs() {
    let options = Options { only: "versions::sort_by".to_owned(), ..Options::default() };
    let report = run_with(&Flawed::new(memory(), Flaw::OneVersionTooMany), &options).await;
    let text = report.to_string();
    assert!(text.contains("answers  f:q@3000=c f:q@2000=b"), "{text}");
    assert!(text.contains("expected f:q@3000=c\n"), "{text}");
}
