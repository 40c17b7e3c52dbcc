//! Whether the clock that stamps writes is behind what is stored.
//!
//! A cell with an older timestamp than an existing one, or than a tombstone, is hidden. So before a statement writes, the
//! newest timestamp that its writer has seen is compared with the clock. The embedded store's clock never runs back. The
//! clocks of HBase's servers are not known here: this machine's stands for them, and a difference is reported. What one
//! statement has seen there is kept in the store for those that follow, of this client and of others: they may not see it
//! themselves, as they read nothing, or index rows that were written with the clock set back.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use async_trait::async_trait;
use tablesmith_model::{TableName, Timestamp};
use tablesmith_store::{Clock, OpStats, Row, Scanner, Store, StoreError};

/// Clocks that differ by less are not reported: HBase's servers and its clients always do a little.
const TOLERANCE_MS: Timestamp = 1_000;

/// Tombstones, which nobody sees, may be later than the newest cell by as long as a statement takes.
const MARGIN_MS: Timestamp = 60_000;

/// The newest timestamps that the statements of one writer have seen.
#[derive(Debug)]
pub(crate) struct StatementClock {
    /// This machine's clock.
    system: Arc<dyn Clock>,
    /// The newest timestamp of a cell.
    newest_cell_ms: AtomicI64,
    /// The latest time that the clock showed.
    latest_ms: AtomicI64,
    /// What is kept in the store.
    kept_ms: AtomicI64,
    /// Tables whose timestamps are data.
    ignored: Vec<TableName>,
}

impl StatementClock {
    /// Nothing seen yet. The timestamps of some tables are data, and say nothing about clocks.
    pub fn new(system: Arc<dyn Clock>, ignored: Vec<TableName>) -> Self {
        let zero = || AtomicI64::new(0);
        Self { system, newest_cell_ms: zero(), latest_ms: zero(), kept_ms: zero(), ignored }
    }

    /// The same with another clock.
    pub fn with_system(&self, system: Arc<dyn Clock>) -> Self {
        Self::new(system, self.ignored.clone())
    }

    /// Notes the timestamps of what was read.
    pub fn saw(&self, table: &TableName, row: &Row) {
        let newest_ms = row.cells.iter().map(|cell| cell.timestamp).max().unwrap_or(0);
        if newest_ms > self.newest_cell_ms.load(Ordering::Relaxed) && !self.ignored.contains(table) {
            self.newest_cell_ms.fetch_max(newest_ms, Ordering::Relaxed);
        }
    }

    /// The present time, when it is before something that was seen.
    pub fn behind(&self, store: &dyn Store) -> Option<Timestamp> {
        let now_ms = store.now_ms().unwrap_or_else(|| self.system.now_ms());
        let latest_ms = self.latest_ms.fetch_max(now_ms, Ordering::Relaxed);
        let newest_ms = latest_ms.max(self.newest_cell_ms.load(Ordering::Relaxed));
        (newest_ms.max(self.kept_ms.load(Ordering::Relaxed)) > now_ms).then_some(now_ms)
    }

    /// Learns what is kept in the store.
    pub fn learn(&self, kept_ms: Timestamp) {
        self.kept_ms.fetch_max(kept_ms, Ordering::Relaxed);
    }

    /// What has to be kept in the store before something is written while the clock is behind; none where it is.
    pub fn to_keep(&self, store: &dyn Store) -> Option<Timestamp> {
        let newest_ms =
            self.newest_cell_ms.load(Ordering::Relaxed).max(self.latest_ms.load(Ordering::Relaxed));
        let is_kept = newest_ms < self.kept_ms.load(Ordering::Relaxed);
        (store.now_ms().is_none() && !is_kept).then(|| newest_ms.saturating_add(MARGIN_MS))
    }

    /// By how many milliseconds cells of the store are ahead of this machine's clock, where that stands for the store's.
    pub fn ahead_ms(&self, store: &dyn Store) -> Option<Timestamp> {
        let newest_ms = self.newest_cell_ms.load(Ordering::Relaxed);
        let ahead_ms = newest_ms.saturating_sub(self.system.now_ms());
        (store.now_ms().is_none() && ahead_ms > TOLERANCE_MS).then_some(ahead_ms)
    }
}

/// A scanner whose rows are noted.
pub(super) struct NotingScanner {
    scanner: Box<dyn Scanner>,
    table: TableName,
    clock: Arc<StatementClock>,
}

impl NotingScanner {
    pub fn new(scanner: Box<dyn Scanner>, table: TableName, clock: Arc<StatementClock>) -> Self {
        Self { scanner, table, clock }
    }
}

#[async_trait]
impl Scanner for NotingScanner {
    async fn next_rows(&mut self) -> Result<Vec<Row>, StoreError> {
        let rows = self.scanner.next_rows().await?;
        rows.iter().for_each(|row| self.clock.saw(&self.table, row));
        Ok(rows)
    }

    fn stats(&self) -> OpStats {
        self.scanner.stats()
    }
}
