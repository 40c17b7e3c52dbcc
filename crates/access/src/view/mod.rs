//! The store as one statement uses it.
//!
//! ```text
//!  statement ──▶ View ──▶ store
//!                 │ reads:  note the newest timestamp (`clock`), leave out rows of unfinished moves (`hidden`)
//!                 └ writes: while the clock is behind what was read, timestamps above what the rows have (`stamps`)
//! ```
//!
//! Where nothing was moved and the clock is right, every call goes through as it is.

mod clock;
mod hidden;
mod stamps;

pub(crate) use clock::StatementClock;
pub(crate) use hidden::{Hidden, RecordCells};
pub(crate) use stamps::stamp_above;

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use bytes::Bytes;
use tablesmith_model::{TableDescriptor, TableName, Timestamp};
use tablesmith_store::aggregate::Aggregator;
use tablesmith_store::{
    Action, ActionAnswer, Aggregate, Answer, Append, AtomicBatch, CheckAndMutate, CheckOutcome,
    ClusterStatus, Delete, FlushScope, Get, Increment, OpStats, Put, RegionInfo, RegionPartials, RegionRows,
    Row, RowMutations, Scan, Scanner, Select, Store, StoreError, within,
};

use crate::moves;
use clock::NotingScanner;
use hidden::HidingScanner;
use stamps::Unstamped;

/// A store as one statement uses it.
pub(crate) struct View<'s> {
    store: &'s dyn Store,
    clock: Option<Arc<StatementClock>>,
    hidden: Arc<Hidden>,
}

impl<'s> View<'s> {
    /// For a statement that writes.
    pub fn of_writer(store: &'s dyn Store, clock: &Arc<StatementClock>) -> Self {
        Self { store, clock: Some(Arc::clone(clock)), hidden: Arc::default() }
    }

    /// For a statement that reads while these rows are hidden.
    pub fn hiding(store: &'s dyn Store, hidden: Hidden) -> Self {
        Self { store, clock: None, hidden: Arc::new(hidden) }
    }

    /// What was read: noted, and without hidden cells.
    fn seen(&self, table: &TableName, row: &mut Row) {
        self.hidden.leave_out(table, row);
        if let Some(clock) = &self.clock {
            clock.saw(table, row);
        }
    }

    /// The present time, when the store's clock would stamp writes too low.
    async fn behind(&self) -> Result<Option<Timestamp>, StoreError> {
        let Some(clock) = &self.clock else { return Ok(None) };
        let Some(now_ms) = clock.behind(self.store) else { return Ok(None) };
        if let Some(newest_ms) = clock.to_keep(self.store) {
            moves::keep_newest(self.store, newest_ms).await?;
            clock.learn(newest_ms);
        }
        Ok(Some(now_ms))
    }

    /// Gives writes to a table timestamps above what their rows have, where the store's clock would not.
    async fn stamp(&self, table: &TableName, writes: Vec<Unstamped<'_>>) -> Result<(), StoreError> {
        match self.behind().await? {
            Some(now_ms) => stamps::stamp(self.store, table, now_ms, writes).await,
            None => Ok(()),
        }
    }
}

#[async_trait]
impl Store for View<'_> {
    async fn get(&self, table: &TableName, mut get: Get) -> Result<Answer<Row>, StoreError> {
        self.hidden.widen(table, &mut get.read);
        let mut answer = self.store.get(table, get).await?;
        self.seen(table, &mut answer.value);
        Ok(answer)
    }

    async fn put(&self, table: &TableName, mut put: Put) -> Result<Answer<()>, StoreError> {
        self.stamp(table, vec![Unstamped::Put(&mut put)]).await?;
        self.store.put(table, put).await
    }

    async fn delete(&self, table: &TableName, mut delete: Delete) -> Result<Answer<()>, StoreError> {
        self.stamp(table, vec![Unstamped::Delete(&mut delete)]).await?;
        self.store.delete(table, delete).await
    }

    async fn append(&self, table: &TableName, append: Append) -> Result<Answer<Row>, StoreError> {
        self.store.append(table, append).await
    }

    async fn increment(&self, table: &TableName, increment: Increment) -> Result<Answer<Row>, StoreError> {
        self.store.increment(table, increment).await
    }

    async fn batch(
        &self,
        table: &TableName,
        mut actions: Vec<Action>,
    ) -> Result<Answer<Vec<Result<ActionAnswer, StoreError>>>, StoreError> {
        if self.hidden.has(table) {
            for action in &mut actions {
                if let Action::Get(get) = action {
                    self.hidden.widen(table, &mut get.read);
                }
            }
        }
        if let Some(now_ms) = self.behind().await? {
            let writes = actions.iter_mut().flat_map(unstamped).collect();
            stamps::stamp(self.store, table, now_ms, writes).await?;
        }
        let mut answer = self.store.batch(table, actions).await?;
        for one in &mut answer.value {
            if let Ok(ActionAnswer::Row(row)) = one {
                self.seen(table, row);
            }
        }
        Ok(answer)
    }

    fn batches_at_once(&self) -> usize {
        self.store.batches_at_once()
    }

    async fn check_and_mutate(
        &self,
        table: &TableName,
        mut check: CheckAndMutate,
    ) -> Result<Answer<CheckOutcome>, StoreError> {
        self.stamp(table, several(&mut check.then)).await?;
        self.store.check_and_mutate(table, check).await
    }

    async fn mutate_row(
        &self,
        table: &TableName,
        mut mutations: RowMutations,
    ) -> Result<Answer<Row>, StoreError> {
        self.stamp(table, several(&mut mutations)).await?;
        self.store.mutate_row(table, mutations).await
    }

    fn has_atomic_batches(&self) -> bool {
        self.store.has_atomic_batches()
    }

    async fn atomic_batch(&self, mut batch: AtomicBatch) -> Result<Answer<bool>, StoreError> {
        for (table, mutations) in &mut batch.writes {
            self.stamp(table, mutations.iter_mut().filter_map(Unstamped::of).collect()).await?;
        }
        self.store.atomic_batch(batch).await
    }

    fn now_ms(&self) -> Option<Timestamp> {
        self.store.now_ms()
    }

    async fn scan(&self, table: &TableName, mut scan: Scan) -> Result<Box<dyn Scanner>, StoreError> {
        let limit = scan.limit;
        if self.hidden.has(table) {
            self.hidden.widen(table, &mut scan.read);
            scan.limit = limit.map(|limit| limit.saturating_add(self.hidden.len_of(table)));
            let scanner = self.store.scan(table, scan).await?;
            return Ok(Box::new(HidingScanner::new(scanner, table.clone(), Arc::clone(&self.hidden), limit)));
        }
        let scanner = self.store.scan(table, scan).await?;
        Ok(match &self.clock {
            Some(clock) => Box::new(NotingScanner::new(scanner, table.clone(), Arc::clone(clock))),
            None => scanner,
        })
    }

    async fn aggregate(
        &self,
        table: &TableName,
        aggregate: Aggregate,
    ) -> Result<Answer<Vec<RegionPartials>>, StoreError> {
        if !self.hidden.has(table) {
            return self.store.aggregate(table, aggregate).await;
        }
        // A region does not know what is hidden: its cells are added up here.
        let (mut partials, mut stats) = (Vec::new(), OpStats::default());
        for region in self.regions(table).await? {
            let begun = Instant::now();
            let Some(scan) = within(&aggregate.scan, &region.start, &region.end) else { continue };
            let answer = self.scan_all(table, scan).await?;
            let mut aggregator = Aggregator::new(&aggregate);
            answer.value.iter().for_each(|row| aggregator.add(&row.cells));
            stats += answer.stats;
            let (name, groups) = (region.name(), aggregator.finish());
            partials.push(RegionPartials {
                region: name,
                server: region.server,
                took: begun.elapsed(),
                groups,
            });
        }
        Ok(Answer { value: partials, stats })
    }

    // Only data points are selected so, and those are moved within atomic writes.
    async fn select(&self, table: &TableName, select: Select) -> Result<Answer<Vec<RegionRows>>, StoreError> {
        self.store.select(table, select).await
    }

    async fn create_table(&self, table: TableDescriptor, splits: Vec<Bytes>) -> Result<(), StoreError> {
        self.store.create_table(table, splits).await
    }

    async fn alter_table(&self, table: TableDescriptor) -> Result<(), StoreError> {
        self.store.alter_table(table).await
    }

    async fn describe_table(&self, table: &TableName) -> Result<TableDescriptor, StoreError> {
        self.store.describe_table(table).await
    }

    async fn table_exists(&self, table: &TableName) -> Result<bool, StoreError> {
        self.store.table_exists(table).await
    }

    async fn list_tables(&self) -> Result<Vec<TableName>, StoreError> {
        self.store.list_tables().await
    }

    async fn disable_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.store.disable_table(table).await
    }

    async fn enable_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.store.enable_table(table).await
    }

    async fn is_enabled(&self, table: &TableName) -> Result<bool, StoreError> {
        self.store.is_enabled(table).await
    }

    async fn drop_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.store.drop_table(table).await
    }

    async fn truncate_table(&self, table: &TableName, preserve_splits: bool) -> Result<(), StoreError> {
        self.store.truncate_table(table, preserve_splits).await
    }

    async fn flush(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.store.flush(scope).await
    }

    async fn compact(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.store.compact(scope).await
    }

    async fn major_compact(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.store.major_compact(scope).await
    }

    async fn regions(&self, table: &TableName) -> Result<Vec<RegionInfo>, StoreError> {
        self.store.regions(table).await
    }

    async fn split_region(&self, region: &str, at: Option<Bytes>) -> Result<(), StoreError> {
        self.store.split_region(region, at).await
    }

    async fn split_table(&self, table: &TableName, at: Option<Bytes>) -> Result<(), StoreError> {
        self.store.split_table(table, at).await
    }

    async fn merge_regions(&self, regions: &[String], force: bool) -> Result<(), StoreError> {
        self.store.merge_regions(regions, force).await
    }

    async fn move_region(&self, region: &str, server: Option<&str>) -> Result<(), StoreError> {
        self.store.move_region(region, server).await
    }

    async fn status(&self) -> Result<ClusterStatus, StoreError> {
        self.store.status().await
    }

    async fn create_namespace(&self, namespace: &str) -> Result<(), StoreError> {
        self.store.create_namespace(namespace).await
    }

    async fn drop_namespace(&self, namespace: &str) -> Result<(), StoreError> {
        self.store.drop_namespace(namespace).await
    }

    async fn list_namespaces(&self) -> Result<Vec<String>, StoreError> {
        self.store.list_namespaces().await
    }
}

/// The writes of an action whose timestamps may be left to the store.
fn unstamped(action: &mut Action) -> Vec<Unstamped<'_>> {
    match action {
        Action::Get(_) => Vec::new(),
        Action::Mutate(mutation) => Unstamped::of(mutation).into_iter().collect(),
        Action::RowMutations(mutations) => several(mutations),
        Action::CheckAndMutate(check) => several(&mut check.then),
    }
}

fn several(mutations: &mut RowMutations) -> Vec<Unstamped<'_>> {
    mutations.mutations.iter_mut().filter_map(Unstamped::of).collect()
}
