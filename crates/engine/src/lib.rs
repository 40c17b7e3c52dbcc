//! The embedded store: HBase's data model on fjall, in one directory, for one process at a time.
//!
//! ```text
//! Engine ── tables ── Table ── TableState ── regions ── Region ── families ── FamilyStore ── keyspace (fjall)
//! ```
//! - [`key`](mod@key) and [`value`](mod@value) draw the bytes of a stored cell.
//! - A read goes `scan` → `region_scan` → `family_scan` → `cursor`; the `matcher` decides on every cell.
//! - A write goes `commit` → `write` (which cells) → one atomic batch for the row.
//! - `purge` is flush and compaction, `regions` cuts, joins and moves regions, `admin` makes and changes tables.
//! - `open` and `close` are the ends of a process; `integrity` says whether a directory is a whole store.
//!
//! All calls block for the time of their disk reads, which are short; an executor of more than one thread is advised.

mod admin;
mod aggregate;
mod arena;
mod backup;
mod checkpoint;
mod clock;
mod close;
mod commit;
mod condition;
mod cursor;
mod dir_lock;
mod error;
mod family;
mod family_scan;
mod gate;
mod in_regions;
mod integrity;
mod interned;
mod journal_keeper;
mod key;
mod keyspaces;
mod locks;
mod matcher;
mod meta;
mod names;
mod open;
mod output;
mod purge;
mod read;
mod region;
mod region_scan;
mod regions;
mod salvage;
mod scan;
mod select;
mod shadow;
mod short;
mod store;
mod stored;
mod table;
mod unfinished;
mod value;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use fjall::Database;
use tablesmith_model::{TableName, Timestamp};
use tablesmith_store::{Clock, StoreError, SystemClock};

pub use crate::integrity::Damage;
pub use crate::integrity::keyspace::Depth;
pub use crate::salvage::{Salvage, SalvagedTable, check, salvage};

use crate::clock::StoreClock;
use crate::gate::WriteGate;
use crate::journal_keeper::JournalKeeper;
use crate::meta::Meta;
use crate::open::Keep;
use crate::table::Table;

/// How to open an engine.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// The directory; created if it does not exist.
    pub dir: PathBuf,
    /// Region servers to spread regions over.
    pub servers: usize,
    /// Memory for blocks that were read.
    pub cache_bytes: u64,
    /// A region's family is flushed when so much was written to it (a table's `MEMSTORE_FLUSHSIZE` comes first).
    pub flush_bytes: u64,
    /// A region is split when it has grown so large; a table's `MAX_FILESIZE` comes first. Without either, never.
    pub split_bytes: Option<u64>,
    /// Where timestamps come from.
    pub clock: Arc<dyn Clock>,
    /// Timestamps follow the clock also when it is set back: for tests that run many histories on one store.
    pub follows_clock_back: bool,
    /// Change no file: for media that cannot be written to, and to read what is whole of a damaged store.
    pub read_only: bool,
}

impl EngineOptions {
    /// The defaults for a directory: three servers, no automatic splits.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self {
            dir: dir.into(),
            servers: 3,
            cache_bytes: 64 << 20,
            flush_bytes: 128 << 20,
            split_bytes: None,
            clock: Arc::new(SystemClock),
            follows_clock_back: false,
            read_only: false,
        }
    }
}

/// The embedded store. Clones share it; it closes with the last one.
#[derive(Clone, Debug)]
pub struct Engine {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    options: EngineOptions,
    clock: StoreClock,
    gate: Arc<WriteGate>,
    /// Before `db`: its thread holds the database too.
    journal_keeper: JournalKeeper,
    meta: Meta,
    catalog: Arc<RwLock<Catalog>>,
    /// Held by whoever changes the catalog.
    changing: Mutex<()>,
    /// Held by whoever writes the second copy of the records.
    backing_up: Mutex<()>,
    /// A flush was asked for: closing empties the journal however small it is.
    is_flushed: AtomicBool,
    db: Database,
    /// After `db`: the lock is released last.
    keep: Keep,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("options", &self.options).finish_non_exhaustive()
    }
}

/// What there is.
#[derive(Debug, Default)]
struct Catalog {
    namespaces: BTreeSet<String>,
    tables: BTreeMap<TableName, Arc<Table>>,
    /// Tables that exist but cannot be read, and why.
    unreadable: BTreeMap<TableName, String>,
    /// Keyspaces that records name.
    named_keyspaces: BTreeSet<String>,
    /// Numbers for tables and keyspaces; never used twice.
    next_number: u64,
}

impl Catalog {
    /// Whether there is a table of this name, readable or not.
    fn contains(&self, name: &TableName) -> bool {
        self.tables.contains_key(name) || self.unreadable.contains_key(name)
    }

    /// The names of all tables, sorted.
    fn names(&self) -> impl Iterator<Item = &TableName> {
        let names: BTreeSet<&TableName> = self.tables.keys().chain(self.unreadable.keys()).collect();
        names.into_iter()
    }
}

impl Engine {
    /// Whether the storage below still writes or merges files in the background. Benchmarks wait for it.
    pub fn is_busy(&self) -> bool {
        self.inner.db.outstanding_flushes() > 0 || self.inner.db.active_compactions() > 0
    }

    fn now_ms(&self) -> Timestamp {
        self.inner.clock.now_ms()
    }

    /// The timestamp of a write.
    fn stamp_ms(&self) -> Result<Timestamp, StoreError> {
        self.inner.gate.pass(&self.inner.db)?;
        self.inner.clock.stamp_ms()
    }

    fn table(&self, name: &TableName) -> Result<Arc<Table>, StoreError> {
        self.with_catalog(|catalog| match (catalog.tables.get(name), catalog.unreadable.get(name)) {
            (Some(table), _) => Ok(table.clone()),
            (None, Some(problem)) => Err(StoreError::Corrupt(problem.clone())),
            (None, None) => Err(StoreError::TableNotFound(name.clone())),
        })
    }

    fn with_catalog<T>(&self, look: impl FnOnce(&Catalog) -> T) -> T {
        look(&self.inner.catalog.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn change_catalog<T>(&self, change: impl FnOnce(&mut Catalog) -> T) -> T {
        change(&mut self.inner.catalog.write().unwrap_or_else(PoisonError::into_inner))
    }

    /// Lets one caller at a time make, change and remove tables and namespaces.
    fn lock_catalog(&self) -> MutexGuard<'_, ()> {
        self.inner.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
