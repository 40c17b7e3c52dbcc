//! The cluster as a [`Store`].

use async_trait::async_trait;
use bytes::Bytes;
use tablesmith_model::{TableDescriptor, TableName};
use tablesmith_store::{
    Action, ActionAnswer, Aggregate, Answer, Append, CheckAndMutate, CheckOutcome, ClusterStatus, Delete,
    FlushScope, Get, Increment, Mutation, Put, RegionInfo, RegionPartials, RegionRows, Row, RowMutations,
    Scan, Scanner, Select, Store, StoreError,
};

use crate::HbaseStore;

#[async_trait]
impl Store for HbaseStore {
    /// Servers work on several while others travel.
    fn batches_at_once(&self) -> usize {
        4
    }

    async fn get(&self, table: &TableName, get: Get) -> Result<Answer<Row>, StoreError> {
        self.get_row(table, &get).await
    }

    async fn exists(&self, table: &TableName, get: Get) -> Result<Answer<bool>, StoreError> {
        self.has_row(table, &get).await
    }

    async fn put(&self, table: &TableName, put: Put) -> Result<Answer<()>, StoreError> {
        Ok(self.mutate(table, Mutation::Put(put)).await?.map(|_| ()))
    }

    async fn delete(&self, table: &TableName, delete: Delete) -> Result<Answer<()>, StoreError> {
        Ok(self.mutate(table, Mutation::Delete(delete)).await?.map(|_| ()))
    }

    async fn append(&self, table: &TableName, append: Append) -> Result<Answer<Row>, StoreError> {
        self.mutate(table, Mutation::Append(append)).await
    }

    async fn increment(&self, table: &TableName, increment: Increment) -> Result<Answer<Row>, StoreError> {
        self.mutate(table, Mutation::Increment(increment)).await
    }

    async fn batch(
        &self,
        table: &TableName,
        actions: Vec<Action>,
    ) -> Result<Answer<Vec<Result<ActionAnswer, StoreError>>>, StoreError> {
        self.run_batch(table, actions).await
    }

    async fn check_and_mutate(
        &self,
        table: &TableName,
        check: CheckAndMutate,
    ) -> Result<Answer<CheckOutcome>, StoreError> {
        self.check_then_mutate(table, check).await
    }

    async fn mutate_row(
        &self,
        table: &TableName,
        mutations: RowMutations,
    ) -> Result<Answer<Row>, StoreError> {
        self.mutate_atomically(table, mutations).await
    }

    async fn scan(&self, table: &TableName, scan: Scan) -> Result<Box<dyn Scanner>, StoreError> {
        self.begin_scan(table, &scan)
    }

    async fn aggregate(
        &self,
        table: &TableName,
        aggregate: Aggregate,
    ) -> Result<Answer<Vec<RegionPartials>>, StoreError> {
        self.aggregate_regions(table, aggregate).await
    }

    async fn select(&self, table: &TableName, select: Select) -> Result<Answer<Vec<RegionRows>>, StoreError> {
        self.select_in_regions(table, select).await
    }

    async fn create_table(&self, table: TableDescriptor, splits: Vec<Bytes>) -> Result<(), StoreError> {
        self.create(&table, splits).await
    }

    async fn alter_table(&self, table: TableDescriptor) -> Result<(), StoreError> {
        self.alter(&table).await
    }

    async fn describe_table(&self, table: &TableName) -> Result<TableDescriptor, StoreError> {
        self.describe(table).await
    }

    async fn table_exists(&self, table: &TableName) -> Result<bool, StoreError> {
        self.is_there(table).await
    }

    async fn list_tables(&self) -> Result<Vec<TableName>, StoreError> {
        self.tables().await
    }

    async fn disable_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.set_enabled(table, false).await
    }

    async fn enable_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.set_enabled(table, true).await
    }

    async fn is_enabled(&self, table: &TableName) -> Result<bool, StoreError> {
        self.answers(table).await
    }

    async fn drop_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.remove(table).await
    }

    async fn truncate_table(&self, table: &TableName, preserve_splits: bool) -> Result<(), StoreError> {
        self.truncate(table, preserve_splits).await
    }

    async fn flush(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.flush_scope(&scope).await
    }

    async fn compact(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.compact_scope(&scope, false).await
    }

    async fn major_compact(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.compact_scope(&scope, true).await
    }

    async fn regions(&self, table: &TableName) -> Result<Vec<RegionInfo>, StoreError> {
        self.regions_with_load(table).await
    }

    async fn split_region(&self, region: &str, at: Option<Bytes>) -> Result<(), StoreError> {
        self.split_one(region, at).await
    }

    async fn split_table(&self, table: &TableName, at: Option<Bytes>) -> Result<(), StoreError> {
        self.split_all(table, at).await
    }

    async fn merge_regions(&self, regions: &[String], force: bool) -> Result<(), StoreError> {
        self.merge(regions, force).await
    }

    async fn move_region(&self, region: &str, server: Option<&str>) -> Result<(), StoreError> {
        self.move_to(region, server).await
    }

    async fn status(&self) -> Result<ClusterStatus, StoreError> {
        self.cluster_status().await
    }

    async fn create_namespace(&self, namespace: &str) -> Result<(), StoreError> {
        self.make_namespace(namespace).await
    }

    async fn drop_namespace(&self, namespace: &str) -> Result<(), StoreError> {
        self.remove_namespace(namespace).await
    }

    async fn list_namespaces(&self) -> Result<Vec<String>, StoreError> {
        self.namespaces().await
    }
}
