//! Counts are those of what was asked.

use std::sync::Arc;

use tablesmith_model::{Cell, FamilyDescriptor, TableDescriptor};
use tablesmith_store::wrap::{Counting, OpKind, Volume, Wrapped};
use tablesmith_store::{Action, Get, Mutation, Put, Scan, Store};

use crate::{memory, table};

async fn counted() -> Wrapped<Counting> {
    let store = Wrapped::new(Arc::new(memory()), Counting::default());
    let descriptor = TableDescriptor::new(table("t"), [FamilyDescriptor::new("f")]);
    store.create_table(descriptor, Vec::new()).await.unwrap();
    store.intercept().take();
    store
}

fn put(row: &'static str) -> Put {
    Put::new(row).add_at("f", "q", 1, "value")
}

/// Cells of rows with keys of one byte.
fn cells(cells: u64) -> Volume {
    Volume { rows: cells, cells, bytes: cells * Cell::put("a", "f", "q", 1, "value").size_bytes() }
}

#[tokio::test]
async fn writes_and_reads_are_counted() {
    let store = counted().await;
    let t = table("t");
    store.put(&t, put("a")).await.unwrap();
    store.batch(&t, vec![Action::Mutate(Mutation::Put(put("b"))), Action::Get(Get::new("a"))]).await.unwrap();
    store.get(&t, Get::new("missing")).await.unwrap();
    let counts = store.intercept().snapshot();
    assert_eq!(counts.written, cells(2));
    assert_eq!(counts.read, cells(1));
    assert_eq!((counts.calls_of(OpKind::Put), counts.calls_of(OpKind::Batch)), (1, 1));
    assert_eq!((counts.all_calls(), counts.failures), (3, 0));
}

#[tokio::test]
async fn portions_of_scans_are_counted() {
    let store = counted().await;
    for row in ["a", "b", "c"] {
        store.put(&table("t"), put(row)).await.unwrap();
    }
    store.intercept().take();
    let scan = Scan { caching: Some(2), ..Scan::all() };
    assert_eq!(store.scan_all(&table("t"), scan).await.unwrap().value.len(), 3);
    let counts = store.intercept().take();
    assert_eq!((counts.calls_of(OpKind::Scan), counts.portions()), (1, 3));
    assert_eq!(counts.read, cells(3));
    assert_eq!(store.intercept().snapshot().all_calls(), 0);
}

#[tokio::test]
async fn failures_write_nothing() {
    let store = counted().await;
    store.put(&table("t"), Put::new("a").add("nope", "q", "v")).await.unwrap_err();
    store.get(&table("nope"), Get::new("a")).await.unwrap_err();
    let counts = store.intercept().snapshot();
    assert_eq!((counts.failures, counts.all_calls()), (2, 2));
    assert_eq!(counts.written, Volume::default());
}
