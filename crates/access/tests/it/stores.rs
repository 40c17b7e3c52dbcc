//! Stores to ask.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use async_trait::async_trait;
use tablesmith_access::answer::{Database, Execution};
use tablesmith_access::{Living, LoadOptions, LoadSource, LoadWatch, Steps};
use tablesmith_model::design::Design;
use tablesmith_model::source_row::SourceRow;
use tablesmith_model::value::Value;
use tablesmith_model::workload::Workload;
use tablesmith_model::{Durability, Timestamp};
use tablesmith_sql::Dialect;
use tablesmith_sql::executable::{Parameters, PreparedStatement};
use tablesmith_store::wrap::{Intercept, Op, Outcome as Seen, Wrapped};
use tablesmith_store::{Clock, Store, StoreError, SystemClock};
use tablesmith_store_testing::memory::MemoryStore;

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

/// Creates the only table of a design under a name, and loads rows of the workload's only table into it.
pub async fn filled(
    store: &dyn Store,
    workload: &Workload,
    design: &Design,
    name: &str,
    rows: &[Vec<Value>],
) -> Database {
    let (database, rejected) = loaded(store, workload, design, name, rows).await;
    assert_eq!(rejected, [], "{}", design.to_toml());
    database
}

/// The same, and why rows did not go in.
pub async fn loaded(
    store: &dyn Store,
    workload: &Workload,
    design: &Design,
    name: &str,
    rows: &[Vec<Value>],
) -> (Database, Vec<(u64, String)>) {
    let mut design = design.clone();
    design.tables[0].name = name.to_owned();
    Steps::of(&design, &Living::default(), &[]).unwrap().make(store, &mut |_| ()).await.unwrap();
    let workload = Arc::new(workload.clone());
    let database = || Database::new(Arc::clone(&workload), &design).unwrap_or_else(|error| panic!("{error}"));
    let table = &workload.tables[0].name;
    let owned = rows.to_vec();
    let source =
        owned.into_iter().enumerate().map(|(at, values)| Ok(SourceRow { line: at as u64 + 2, values }));
    let source = LoadSource { table, file: table, rows: Box::new(source) };
    let options = LoadOptions { checkpoints: false, durability: Durability::SkipWal };
    let mut rejected = Rejected::default();
    let writer = Arc::clone(database().writer().unwrap());
    let loaded = writer.load(store, source, options, &mut rejected).await.unwrap();
    (database().with_never_null(table, &loaded.never_null), rejected.0)
}

#[derive(Default)]
struct Rejected(Vec<(u64, String)>);

impl LoadWatch for Rejected {
    fn rejected(&mut self, line: u64, _: u64, reason: &str) {
        self.0.push((line, reason.to_owned()));
    }

    fn loaded(&mut self, _: u64) {}
}

/// Executes a statement: its rows, or how many it wrote.
pub async fn execute(store: &dyn Store, database: &Database, sql: &str) -> (Vec<Vec<Value>>, u64) {
    let prepared = PreparedStatement::new(sql, database.workload(), Dialect::Generic);
    let statement = prepared.and_then(|prepared| prepared.bind(&Parameters::none()));
    let statement = statement.unwrap_or_else(|error| panic!("{sql}: {error}"));
    let planned = database.plan(None, &statement).unwrap_or_else(|error| panic!("{sql}: {error}"));
    match database.execute(store, &planned).await.unwrap_or_else(|error| panic!("{sql}: {error}")) {
        Execution::Rows(mut answer) => (answer.all().await.unwrap(), 0),
        Execution::Written(written) => (Vec::new(), written.rows),
    }
}
