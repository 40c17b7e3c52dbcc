//! A store in plain sorted maps, written to be read: the oracle of the property tests.
//!
//! A region has, for each family, a memstore and a list of files (`family_store`), each a sorted run of cells
//! (`stored`). Reading a row gathers its cells from all of them and walks through them in order (`family_walk`),
//! with the rules of `visible` and what `markers` hide; `region_scan` puts the families of a row together under
//! one filter, `scan` puts the regions together. `purge` says what flushes and compactions keep, `mutate` what
//! writes write. Nothing happens by itself: there are no flushes, compactions or splits that nobody asked for.

mod cluster;
mod data;
mod family_store;
mod family_walk;
mod markers;
mod mutate;
mod purge;
mod region;
mod region_admin;
mod region_scan;
mod scan;
mod shared;
mod stored;
mod table;
#[cfg(test)]
mod tests;
mod visible;

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use bytes::Bytes;
use tablesmith_model::{TableDescriptor, TableName, Timestamp};
use tablesmith_store::aggregate::Aggregator;
use tablesmith_store::{
    Action, ActionAnswer, Aggregate, Answer, Append, AtomicBatch, CheckAndMutate, CheckOutcome, Clock,
    ClusterStatus, Delete, FlushScope, Get, Increment, Mutation, OpStats, Put, RegionInfo, RegionPartials,
    Row, RowMutations, Scan, Scanner, Store, StoreError,
};

use region_admin::FileWork;
use scan::MemoryScanner;
use shared::Shared;

/// A store in memory. Clones share their tables.
#[derive(Clone, Debug)]
pub struct MemoryStore(Arc<Shared>);

impl MemoryStore {
    /// A store without tables whose regions are spread over `server-1` to `server-N`; there is at least one server.
    pub fn new(clock: Arc<dyn Clock>, servers: usize) -> Self {
        Self(Arc::new(Shared::new(clock, servers)))
    }

    fn work_on_files(&self, scope: &FlushScope, work: FileWork) -> Result<(), StoreError> {
        self.0.lock().work_on_files(scope, work, self.0.now_ms())
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn get(&self, table: &TableName, get: Get) -> Result<Answer<Row>, StoreError> {
        self.0.get(table, &get)
    }

    async fn put(&self, table: &TableName, put: Put) -> Result<Answer<()>, StoreError> {
        Ok(self.0.mutate_one(table, Mutation::Put(put))?.map(drop))
    }

    async fn delete(&self, table: &TableName, delete: Delete) -> Result<Answer<()>, StoreError> {
        Ok(self.0.mutate_one(table, Mutation::Delete(delete))?.map(drop))
    }

    async fn append(&self, table: &TableName, append: Append) -> Result<Answer<Row>, StoreError> {
        self.0.mutate_one(table, Mutation::Append(append))
    }

    async fn increment(&self, table: &TableName, increment: Increment) -> Result<Answer<Row>, StoreError> {
        self.0.mutate_one(table, Mutation::Increment(increment))
    }

    async fn batch(
        &self,
        table: &TableName,
        actions: Vec<Action>,
    ) -> Result<Answer<Vec<Result<ActionAnswer, StoreError>>>, StoreError> {
        self.0.lock().enabled_table(table)?;
        let mut answers = Vec::new();
        let mut stats = OpStats::default();
        for action in actions {
            answers.push(self.0.act(table, action).map(|answer| {
                stats += answer.stats;
                answer.value
            }));
        }
        Ok(Answer { value: answers, stats })
    }

    async fn check_and_mutate(
        &self,
        table: &TableName,
        check: CheckAndMutate,
    ) -> Result<Answer<CheckOutcome>, StoreError> {
        self.0.check_and_mutate(table, &check)
    }

    async fn mutate_row(
        &self,
        table: &TableName,
        mutations: RowMutations,
    ) -> Result<Answer<Row>, StoreError> {
        self.0.mutate_row(table, &mutations)
    }

    fn has_atomic_batches(&self) -> bool {
        true
    }

    async fn atomic_batch(&self, batch: AtomicBatch) -> Result<Answer<bool>, StoreError> {
        self.0.atomic_batch(batch)
    }

    fn now_ms(&self) -> Option<Timestamp> {
        Some(self.0.now_ms())
    }

    async fn scan(&self, table: &TableName, scan: Scan) -> Result<Box<dyn Scanner>, StoreError> {
        Ok(Box::new(MemoryScanner::open(self.0.clone(), table, scan)?))
    }

    async fn aggregate(
        &self,
        table: &TableName,
        aggregate: Aggregate,
    ) -> Result<Answer<Vec<RegionPartials>>, StoreError> {
        let mut scanner = MemoryScanner::open_each_region(self.0.clone(), table, &aggregate.scan)?;
        let mut partials = Vec::new();
        let mut begun = Instant::now();
        // One portion is all that a region has.
        while let Some(portion) = scanner.next_portion()? {
            let mut aggregator = Aggregator::new(&aggregate);
            portion.rows.iter().for_each(|row| aggregator.add(&row.cells));
            let (region, server, groups) = (portion.region, portion.server, aggregator.finish());
            partials.push(RegionPartials { region, server, took: begun.elapsed(), groups });
            begun = Instant::now();
        }
        if aggregate.scan.reversed {
            partials.reverse();
        }
        Ok(Answer { value: partials, stats: scanner.stats() })
    }

    async fn create_table(&self, table: TableDescriptor, splits: Vec<Bytes>) -> Result<(), StoreError> {
        self.0.lock().create(table, splits, self.0.now_ms())
    }

    async fn alter_table(&self, table: TableDescriptor) -> Result<(), StoreError> {
        self.0.lock().alter(table, self.0.now_ms())
    }

    async fn describe_table(&self, table: &TableName) -> Result<TableDescriptor, StoreError> {
        Ok(self.0.lock().table(table)?.descriptor.clone())
    }

    async fn table_exists(&self, table: &TableName) -> Result<bool, StoreError> {
        Ok(self.0.lock().tables.contains_key(table))
    }

    async fn list_tables(&self) -> Result<Vec<TableName>, StoreError> {
        Ok(self.0.lock().tables.keys().cloned().collect())
    }

    async fn disable_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.0.lock().disable(table, self.0.now_ms())
    }

    async fn enable_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.0.lock().enable(table)
    }

    async fn is_enabled(&self, table: &TableName) -> Result<bool, StoreError> {
        Ok(self.0.lock().table(table)?.is_enabled)
    }

    async fn drop_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.0.lock().drop_table(table)
    }

    async fn truncate_table(&self, table: &TableName, preserve_splits: bool) -> Result<(), StoreError> {
        self.0.lock().truncate(table, preserve_splits, self.0.now_ms())
    }

    async fn flush(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.work_on_files(&scope, FileWork::Flush)
    }

    async fn compact(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.work_on_files(&scope, FileWork::Compact)
    }

    async fn major_compact(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.work_on_files(&scope, FileWork::MajorCompact)
    }

    async fn regions(&self, table: &TableName) -> Result<Vec<RegionInfo>, StoreError> {
        let cluster = self.0.lock();
        Ok(cluster.table(table)?.regions.iter().map(|region| region.info(table)).collect())
    }

    async fn split_region(&self, region: &str, at: Option<Bytes>) -> Result<(), StoreError> {
        self.0.lock().split_region(region, at.as_ref(), self.0.now_ms())
    }

    async fn split_table(&self, table: &TableName, at: Option<Bytes>) -> Result<(), StoreError> {
        self.0.lock().split_table(table, at.as_ref(), self.0.now_ms())
    }

    async fn merge_regions(&self, regions: &[String], force: bool) -> Result<(), StoreError> {
        self.0.lock().merge_regions(regions, force, self.0.now_ms())
    }

    async fn move_region(&self, region: &str, server: Option<&str>) -> Result<(), StoreError> {
        self.0.lock().move_region(region, server, self.0.now_ms())
    }

    async fn status(&self) -> Result<ClusterStatus, StoreError> {
        Ok(self.0.lock().status())
    }

    async fn create_namespace(&self, namespace: &str) -> Result<(), StoreError> {
        self.0.lock().create_namespace(namespace)
    }

    async fn drop_namespace(&self, namespace: &str) -> Result<(), StoreError> {
        self.0.lock().drop_namespace(namespace)
    }

    async fn list_namespaces(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.0.lock().namespaces())
    }
}
