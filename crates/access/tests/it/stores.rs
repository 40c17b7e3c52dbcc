//! Stores to ask.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use async_trait::async_trait;
use tablesmith_access::{Layout, Outcome, Question, apply, carry_out, load, plan};
use tablesmith_model::source_row::SourceRow;
use tablesmith_model::value::Value;
use tablesmith_model::{TableName, Timestamp};
use tablesmith_store::memory::MemoryStore;
use tablesmith_store::wrap::{Intercept, Op, Outcome as Seen, Wrapped};
use tablesmith_store::{Clock, Store, StoreError, SystemClock};

pub fn memory() -> MemoryStore {
    MemoryStore::new(Arc::new(SystemClock), 2)
}

/// A store as HBase is: answers take a while, several batches go to it at once, and calls overtake each other; it writes
/// one row at a time, and nobody knows the clock of its servers.
pub fn far(store: Arc<dyn Store>) -> Wrapped<Far> {
    Wrapped::new(store, Far)
}

pub struct Far;

#[async_trait]
impl Intercept for Far {
    type Ticket = ();

    async fn before(&self, _: &dyn Store, op: &Op<'_>) -> Result<(), StoreError> {
        for _ in 0..op.kind().name().len() % 3 {
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    async fn after(&self, (): (), _: Seen<'_>) -> Result<(), StoreError> {
        tokio::task::yield_now().await;
        Ok(())
    }

    fn batches_at_once(&self, _: &dyn Store) -> usize {
        3
    }

    fn has_atomic_batches(&self, _: &dyn Store) -> bool {
        false
    }

    fn now_ms(&self, _: &dyn Store) -> Option<Timestamp> {
        None
    }
}

/// The system's clock with an error that changes.
#[derive(Debug, Default)]
pub struct Shifted(AtomicI64);

impl Shifted {
    pub fn set(&self, shift_ms: i64) {
        self.0.store(shift_ms, Ordering::SeqCst);
    }
}

impl Clock for Shifted {
    fn now_ms(&self) -> Timestamp {
        SystemClock.now_ms() + self.0.load(Ordering::SeqCst)
    }
}

/// Makes a table and loads rows into it.
pub async fn filled(
    store: &dyn Store,
    mut layout: Layout,
    name: &str,
    rows: &[Vec<Value>],
) -> (TableName, Layout) {
    let name: TableName = name.parse().unwrap();
    apply(store, &layout, &name).await.unwrap();
    let source = rows.iter().enumerate();
    let source = source.map(|(at, values)| Ok(SourceRow { line: at as u64 + 2, values: values.clone() }));
    let loaded = load(store, &mut layout, &name, source, &mut |_| {}).await.unwrap();
    assert_eq!(loaded.rows, rows.len() as u64, "{:?}", loaded.rejected);
    (name, layout)
}

/// Asks a question with the literals of its own text.
pub async fn ask(store: &dyn Store, name: &TableName, layout: &Layout, question: &Question) -> Outcome {
    let literals: Vec<String> =
        question.slots().iter().map(|slot| slot.literal.clone().unwrap_or_default()).collect();
    let call = question.bind(&literals).unwrap();
    let plan = plan(layout, &call).unwrap();
    carry_out(store, layout, name, &plan).await.unwrap()
}
