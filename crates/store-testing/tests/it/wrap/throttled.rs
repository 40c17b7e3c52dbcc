//! A hot region server makes its callers wait. Time is paused: it passes only when everyone waits.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tablesmith_model::{FamilyDescriptor, TableDescriptor};
use tablesmith_store::wrap::{Throttled, Wrapped};
use tablesmith_store::{Action, Mutation, Put, Scan, Store};
use tokio::time::Instant;

use crate::{memory, table};

/// Three regions on three servers, each good for 100 requests a second.
async fn throttled() -> Wrapped<Throttled> {
    let store = Wrapped::new(Arc::new(memory()), Throttled::new(100.0, 1));
    let descriptor = TableDescriptor::new(table("t"), [FamilyDescriptor::new("f")]);
    let splits = ["b", "c"].map(Bytes::from).to_vec();
    store.create_table(descriptor, splits).await.unwrap();
    let mut servers: Vec<_> = store.regions(&table("t")).await.unwrap();
    servers.dedup_by(|a, b| a.server == b.server);
    assert_eq!(servers.len(), 3, "each region has a server of its own");
    store
}

fn put(row: &'static str) -> Put {
    Put::new(row).add_at("f", "q", 1, "v")
}

async fn time_of(work: impl Future<Output = ()>) -> Duration {
    let start = Instant::now();
    work.await;
    start.elapsed()
}

#[tokio::test(start_paused = true)]
async fn one_hot_server_is_slower_than_three() {
    let store = throttled().await;
    let to_rows = async |rows: [&'static str; 3]| {
        for row in rows.into_iter().cycle().take(30) {
            store.put(&table("t"), put(row)).await.unwrap();
        }
    };
    let hot = time_of(to_rows(["a", "a1", "a2"])).await;
    let spread = time_of(async {
        let batch = |row| Action::Mutate(Mutation::Put(put(row)));
        for _ in 0..10 {
            store.batch(&table("t"), ["a", "b", "c"].map(batch).to_vec()).await.unwrap();
        }
    })
    .await;
    assert!((280..=300).contains(&hot.as_millis()), "{hot:?}");
    assert!((90..=110).contains(&spread.as_millis()), "{spread:?}");
    let used = store.intercept().use_by_server();
    let requests: Vec<_> = used.values().map(|server| server.requests).collect();
    assert_eq!(requests.iter().sum::<u64>(), 60);
    assert_eq!((requests.iter().max(), requests.iter().min()), (Some(&40), Some(&10)));
}

#[tokio::test(start_paused = true)]
async fn a_scan_pays_for_each_portion_and_region() {
    let store = throttled().await;
    for row in ["a", "a1", "b", "c"] {
        store.put(&table("t"), put(row)).await.unwrap();
    }
    let requests = || store.intercept().use_by_server().into_values().map(|server| server.requests);
    let before: u64 = requests().sum();
    store.scan_all(&table("t"), Scan { caching: Some(1), ..Scan::range("a", "b") }).await.unwrap();
    // a, then a1, then a look for more.
    assert_eq!(requests().sum::<u64>() - before, 3);
    let before: Vec<_> = requests().collect();
    store.scan_all(&table("t"), Scan::all()).await.unwrap();
    assert!(requests().zip(before).all(|(after, before)| after > before), "each server was asked");
}

#[tokio::test(start_paused = true)]
async fn a_moved_region_is_paid_for_at_its_new_server() {
    let store = throttled().await;
    let region = store.regions(&table("t")).await.unwrap()[0].clone();
    store.put(&table("t"), put("a")).await.unwrap();
    store.move_region(&region.encoded_name(), None).await.unwrap();
    let moved = store.regions(&table("t")).await.unwrap()[0].clone();
    assert_ne!(moved.server, region.server);
    store.put(&table("t"), put("a")).await.unwrap();
    let used = store.intercept().use_by_server();
    assert_eq!((used[&region.server].requests, used[&moved.server].requests), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn tables_that_are_not_there_fail_as_always() {
    let store = throttled().await;
    let error = store.put(&table("nope"), put("a")).await.unwrap_err();
    assert_eq!(error.exception(), "TableNotFoundException");
}
