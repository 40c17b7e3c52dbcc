//! The thread that keeps the journal short and written: what ASYNC_WAL wrote reaches the operating system a moment after,
//! and memtables are flushed before a crash would leave much to replay.
//!
//! The storage below flushes a memtable at 64 MiB each and keeps up to 512 MiB of journals for small ones. Replaying skips
//! what was flushed, so that the time to open after a kill follows [`MAX_UNFLUSHED_BYTES`] instead, over all tables.

use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

use fjall::{Database, Keyspace, PersistMode};

use crate::Catalog;
use crate::meta::Meta;
use crate::table::TableState;

/// An asynchronous write is safe from the end of the process after about this time.
const DELAY: Duration = Duration::from_millis(100);
/// With more than this in memtables they are flushed. About 0.1 s to replay.
const MAX_UNFLUSHED_BYTES: u64 = 16 << 20;

/// The handle of the thread, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct JournalKeeper {
    requests: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl JournalKeeper {
    pub fn start(db: Database, meta: Meta, catalog: Arc<RwLock<Catalog>>) -> std::io::Result<Self> {
        let (requests, received) = sync_channel::<()>(1);
        let thread = std::thread::Builder::new().name("journal".to_owned()).spawn(move || {
            while received.recv().is_ok() {
                std::thread::sleep(DELAY);
                // A failure poisons the database, which the next write reports.
                let _ = db.persist(PersistMode::Buffer);
                if has_much_to_replay(&db) {
                    let _ = flush_memtables(&keyspaces(&meta, &catalog));
                }
            }
        })?;
        Ok(Self { requests: Some(requests), thread: Some(thread) })
    }

    /// After every write: wakes the thread where there is something to do.
    pub fn after_write(&self, db: &Database, is_asynchronous: bool) {
        if !is_asynchronous && !has_much_to_replay(db) {
            return;
        }
        if let Some(requests) = &self.requests {
            match requests.try_send(()) {
                // Requested already, or the thread has ended with the store.
                Ok(()) | Err(TrySendError::Full(()) | TrySendError::Disconnected(())) => {}
            }
        }
    }

    /// Ends the thread; nothing is flushed in the background from now on.
    pub fn stop(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for JournalKeeper {
    fn drop(&mut self) {
        self.stop();
    }
}

fn has_much_to_replay(db: &Database) -> bool {
    db.write_buffer_size() > MAX_UNFLUSHED_BYTES
}

/// All keyspaces: one that is left out would keep old journals. They are never opened by name here, which would create
/// again what is dropped meanwhile.
pub(crate) fn keyspaces(meta: &Meta, catalog: &RwLock<Catalog>) -> Vec<Keyspace> {
    let catalog = catalog.read().unwrap_or_else(PoisonError::into_inner);
    let families = catalog.tables.values().flat_map(|table| keyspaces_of(&table.state()));
    families.chain([meta.keyspace().clone()]).collect()
}

/// The keyspaces of a table's families.
pub(crate) fn keyspaces_of(state: &TableState) -> Vec<Keyspace> {
    let families = state.regions.first().map(|region| region.families.iter());
    families.into_iter().flatten().map(|family| family.keyspace.clone()).collect()
}

/// Starts a flush of all memtables, unless the last one is still under way.
fn flush_memtables(keyspaces: &[Keyspace]) -> fjall::Result<()> {
    if keyspaces.iter().any(|keyspace| keyspace.sealed_memtable_count() > 0) {
        return Ok(());
    }
    keyspaces.iter().try_for_each(|keyspace| keyspace.rotate_memtable().map(drop))
}
