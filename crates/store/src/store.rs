//! The trait every store implements.

use std::time::Instant;

use async_trait::async_trait;
use bytes::Bytes;
use tablesmith_model::{TableDescriptor, TableName, Timestamp};

use crate::region::{ClusterStatus, RegionInfo};
use crate::select::Selector;
use crate::{
    Action, ActionAnswer, Aggregate, Answer, Append, AtomicBatch, CheckAndMutate, CheckOutcome, Delete, Get,
    Increment, OpStats, Put, RegionPartials, RegionRows, Row, RowMutations, Scan, Select, StoreError, within,
};

/// What `flush` and the compactions work on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlushScope {
    /// A table, all families or one.
    Table(TableName, Option<Bytes>),
    /// A region, by name or encoded name, all families or one.
    Region(String, Option<Bytes>),
}

/// The rows of a scan, a portion at a time.
#[async_trait]
pub trait Scanner: Send {
    /// The next portion; empty when there are no more rows.
    async fn next_rows(&mut self) -> Result<Vec<Row>, StoreError>;

    /// What the scan cost up to now.
    fn stats(&self) -> OpStats;
}

/// A wide-column store: tables of rows, rows of cells in families.
///
/// Every answer says what it cost as far as the store knows. A row is written atomically across its families; a scan
/// sees whole rows.
#[async_trait]
pub trait Store: Send + Sync {
    /// Reads a row; no cells when there is nothing.
    async fn get(&self, table: &TableName, get: Get) -> Result<Answer<Row>, StoreError>;

    /// Whether a get would find anything.
    async fn exists(&self, table: &TableName, get: Get) -> Result<Answer<bool>, StoreError> {
        Ok(self.get(table, get).await?.map(|row| !row.cells.is_empty()))
    }

    /// Writes values.
    async fn put(&self, table: &TableName, put: Put) -> Result<Answer<()>, StoreError>;

    /// Writes markers.
    async fn delete(&self, table: &TableName, delete: Delete) -> Result<Answer<()>, StoreError>;

    /// Appends to values and returns them.
    async fn append(&self, table: &TableName, append: Append) -> Result<Answer<Row>, StoreError>;

    /// Adds to counters and returns them.
    async fn increment(&self, table: &TableName, increment: Increment) -> Result<Answer<Row>, StoreError>;

    /// Does many things, on any rows, each with its own result, in the order given. Not atomic as a whole. The outer
    /// error means that nothing was tried.
    async fn batch(
        &self,
        table: &TableName,
        actions: Vec<Action>,
    ) -> Result<Answer<Vec<Result<ActionAnswer, StoreError>>>, StoreError>;

    /// How many batches to one table are worth sending at the same time: one where a call works on its caller's thread, and
    /// rows go in fastest in their order.
    fn batches_at_once(&self) -> usize {
        1
    }

    /// Writes to a row if it is as expected, in one step.
    async fn check_and_mutate(
        &self,
        table: &TableName,
        check: CheckAndMutate,
    ) -> Result<Answer<CheckOutcome>, StoreError>;

    /// Writes several things to one row, all or nothing.
    async fn mutate_row(&self, table: &TableName, mutations: RowMutations)
    -> Result<Answer<Row>, StoreError>;

    /// Whether [`Store::atomic_batch`] works.
    fn has_atomic_batches(&self) -> bool {
        false
    }

    /// Writes to several rows of several tables, all or nothing; whether all checks held.
    async fn atomic_batch(&self, _batch: AtomicBatch) -> Result<Answer<bool>, StoreError> {
        Err(StoreError::Unsupported(
            "the store writes one row at a time: it has no atomic batches over several rows".to_owned(),
        ))
    }

    /// The time by which the store stamps what comes without a timestamp; `None` where that is the time of its servers,
    /// which nobody knows here.
    fn now_ms(&self) -> Option<Timestamp> {
        None
    }

    /// Begins a scan.
    async fn scan(&self, table: &TableName, scan: Scan) -> Result<Box<dyn Scanner>, StoreError>;

    /// Aggregates inside the regions, one answer for each that the scan touches.
    async fn aggregate(
        &self,
        table: &TableName,
        aggregate: Aggregate,
    ) -> Result<Answer<Vec<RegionPartials>>, StoreError>;

    /// Looks for rows inside the regions, one answer for each that the scan touches: only row keys travel, where the store
    /// can. One that cannot scans its regions one after the other.
    async fn select(&self, table: &TableName, select: Select) -> Result<Answer<Vec<RegionRows>>, StoreError> {
        let mut selected = Vec::new();
        let mut stats = OpStats::default();
        for region in self.regions(table).await? {
            let begun = Instant::now();
            let Some(scan) = within(&select.whole_rows(), &region.start, &region.end) else { continue };
            let mut scanner = self.scan(table, scan).await?;
            let mut selector = Selector::new(&select);
            loop {
                let rows = scanner.next_rows().await?;
                if rows.is_empty() {
                    break;
                }
                rows.iter().for_each(|row| selector.add(&row.cells));
            }
            stats += scanner.stats();
            selected.push(selector.finish(region.name(), region.server, begun));
        }
        Ok(Answer { value: selected, stats })
    }

    /// Makes a table, cut at the split keys.
    async fn create_table(&self, table: TableDescriptor, splits: Vec<Bytes>) -> Result<(), StoreError>;

    /// Replaces a table's description: families are added, changed, and those missing are removed with their data.
    async fn alter_table(&self, table: TableDescriptor) -> Result<(), StoreError>;

    /// The description of a table.
    async fn describe_table(&self, table: &TableName) -> Result<TableDescriptor, StoreError>;

    /// Whether there is such a table.
    async fn table_exists(&self, table: &TableName) -> Result<bool, StoreError>;

    /// All tables, sorted.
    async fn list_tables(&self) -> Result<Vec<TableName>, StoreError>;

    /// Stops a table from answering.
    async fn disable_table(&self, table: &TableName) -> Result<(), StoreError>;

    /// Lets a table answer again.
    async fn enable_table(&self, table: &TableName) -> Result<(), StoreError>;

    /// Whether a table answers.
    async fn is_enabled(&self, table: &TableName) -> Result<bool, StoreError>;

    /// Removes a table, which must be disabled.
    async fn drop_table(&self, table: &TableName) -> Result<(), StoreError>;

    /// Removes all rows of a table, which must be disabled and is enabled after; keeps its split points or not.
    async fn truncate_table(&self, table: &TableName, preserve_splits: bool) -> Result<(), StoreError>;

    /// Writes what is in memory to files: purges versions past the limit and what markers of the same flush hide.
    async fn flush(&self, scope: FlushScope) -> Result<(), StoreError>;

    /// Merges files, as far as the store's policy wants it.
    async fn compact(&self, scope: FlushScope) -> Result<(), StoreError>;

    /// Merges all files into one and removes markers with what they hide. Returns when it is done.
    async fn major_compact(&self, scope: FlushScope) -> Result<(), StoreError>;

    /// The regions of a table, in key order, with their load.
    async fn regions(&self, table: &TableName) -> Result<Vec<RegionInfo>, StoreError>;

    /// Cuts a region (name or encoded name) in two, at the key given or in the middle of its data.
    async fn split_region(&self, region: &str, at: Option<Bytes>) -> Result<(), StoreError>;

    /// Cuts all regions of a table, or the one that has the key given.
    async fn split_table(&self, table: &TableName, at: Option<Bytes>) -> Result<(), StoreError>;

    /// Makes one region of two or more; unless forced they must be neighbours.
    async fn merge_regions(&self, regions: &[String], force: bool) -> Result<(), StoreError>;

    /// Gives a region to a server, or to any other one.
    async fn move_region(&self, region: &str, server: Option<&str>) -> Result<(), StoreError>;

    /// The servers and their load.
    async fn status(&self) -> Result<ClusterStatus, StoreError>;

    /// Makes a namespace.
    async fn create_namespace(&self, namespace: &str) -> Result<(), StoreError>;

    /// Removes a namespace without tables.
    async fn drop_namespace(&self, namespace: &str) -> Result<(), StoreError>;

    /// All namespaces, sorted.
    async fn list_namespaces(&self) -> Result<Vec<String>, StoreError>;

    /// Reads a scan to its end. For answers that are known to be small.
    async fn scan_all(&self, table: &TableName, scan: Scan) -> Result<Answer<Vec<Row>>, StoreError> {
        let mut scanner = self.scan(table, scan).await?;
        let mut rows = Vec::new();
        loop {
            let portion = scanner.next_rows().await?;
            if portion.is_empty() {
                return Ok(Answer { value: rows, stats: scanner.stats() });
            }
            rows.extend(portion);
        }
    }
}
