//! Stores that are wrong on purpose: the suite and the sequences must find each flaw.

use async_trait::async_trait;
use bytes::Bytes;
use tablesmith_model::{TableDescriptor, TableName, TimeRange};
use tablesmith_store::filter::CompareOp;
use tablesmith_store::{
    Action, ActionAnswer, Aggregate, Answer, Append, CheckAndMutate, CheckOutcome, ClusterStatus, Condition,
    Delete, DeleteTarget, FlushScope, Get, Increment, Put, ReadOptions, RegionInfo, RegionPartials, Row,
    RowBound, RowMutations, Scan, Scanner, Store, StoreError,
};
use tablesmith_store_testing::memory::MemoryStore;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Reads give a version more than asked for.
    OneVersionTooMany,
    /// Markers of families are not written.
    NoFamilyMarkers,
    /// The upper bound of a time range belongs to it.
    TimeRangeTooLong,
    /// The row at which a scan stops belongs to it.
    StopRowIncluded,
    /// Check-and-mutate has the given value on the right.
    GivenOnTheRight,
    /// A major compaction writes memory to a file first.
    MajorCompactionFlushes,
    /// A flush does nothing.
    NoFlush,
}

impl Flaw {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::OneVersionTooMany,
        Self::NoFamilyMarkers,
        Self::TimeRangeTooLong,
        Self::StopRowIncluded,
        Self::GivenOnTheRight,
        Self::MajorCompactionFlushes,
        Self::NoFlush,
    ];
}

/// A store with a flaw.
pub struct Flawed {
    store: MemoryStore,
    flaw: Flaw,
}

impl Flawed {
    /// Makes a store wrong.
    pub fn new(store: MemoryStore, flaw: Flaw) -> Self {
        Self { store, flaw }
    }

    fn read(&self, read: &mut ReadOptions) {
        match self.flaw {
            Flaw::OneVersionTooMany => read.versions += 1,
            Flaw::TimeRangeTooLong => {
                let range = read.time_range;
                read.time_range =
                    TimeRange::new(range.from_ms(), range.until_ms().saturating_add(1)).unwrap();
            }
            _ => {}
        }
    }

    fn scanned(&self, mut scan: Scan) -> Scan {
        self.read(&mut scan.read);
        if self.flaw == Flaw::StopRowIncluded
            && let RowBound::Excluded(row) = scan.stop
        {
            scan.stop = RowBound::Included(row);
        }
        scan
    }

    fn checked(&self, mut check: CheckAndMutate) -> CheckAndMutate {
        if self.flaw == Flaw::GivenOnTheRight
            && let Condition::Value { op, .. } = &mut check.condition
        {
            *op = match *op {
                CompareOp::Less => CompareOp::Greater,
                CompareOp::LessOrEqual => CompareOp::GreaterOrEqual,
                CompareOp::GreaterOrEqual => CompareOp::LessOrEqual,
                CompareOp::Greater => CompareOp::Less,
                other => other,
            };
        }
        check
    }
}

#[async_trait]
impl Store for Flawed {
    async fn get(&self, table: &TableName, mut get: Get) -> Result<Answer<Row>, StoreError> {
        self.read(&mut get.read);
        self.store.get(table, get).await
    }

    async fn scan(&self, table: &TableName, scan: Scan) -> Result<Box<dyn Scanner>, StoreError> {
        self.store.scan(table, self.scanned(scan)).await
    }

    async fn delete(&self, table: &TableName, mut delete: Delete) -> Result<Answer<()>, StoreError> {
        if self.flaw == Flaw::NoFamilyMarkers && !delete.targets.is_empty() {
            delete.targets.retain(|target| !matches!(target, DeleteTarget::Family(..)));
            if delete.targets.is_empty() {
                return Ok(Answer::uncounted(()));
            }
        }
        self.store.delete(table, delete).await
    }

    async fn check_and_mutate(
        &self,
        table: &TableName,
        check: CheckAndMutate,
    ) -> Result<Answer<CheckOutcome>, StoreError> {
        self.store.check_and_mutate(table, self.checked(check)).await
    }

    async fn flush(&self, scope: FlushScope) -> Result<(), StoreError> {
        if self.flaw == Flaw::NoFlush { Ok(()) } else { self.store.flush(scope).await }
    }

    async fn major_compact(&self, scope: FlushScope) -> Result<(), StoreError> {
        if self.flaw == Flaw::MajorCompactionFlushes {
            self.store.flush(scope.clone()).await?;
        }
        self.store.major_compact(scope).await
    }

    async fn put(&self, table: &TableName, put: Put) -> Result<Answer<()>, StoreError> {
        self.store.put(table, put).await
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
        actions: Vec<Action>,
    ) -> Result<Answer<Vec<Result<ActionAnswer, StoreError>>>, StoreError> {
        self.store.batch(table, actions).await
    }

    async fn mutate_row(
        &self,
        table: &TableName,
        mutations: RowMutations,
    ) -> Result<Answer<Row>, StoreError> {
        self.store.mutate_row(table, mutations).await
    }

    async fn aggregate(
        &self,
        table: &TableName,
        aggregate: Aggregate,
    ) -> Result<Answer<Vec<RegionPartials>>, StoreError> {
        self.store.aggregate(table, aggregate).await
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

    async fn compact(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.store.compact(scope).await
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
