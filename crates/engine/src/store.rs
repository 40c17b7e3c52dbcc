//! The engine as a [`Store`].

use async_trait::async_trait;
use bytes::Bytes;
use tablesmith_model::{TableDescriptor, TableName, Timestamp};
use tablesmith_store::{
    Action, ActionAnswer, Aggregate, Answer, Append, AtomicBatch, CheckAndMutate, CheckOutcome,
    ClusterStatus, Delete, FlushScope, Get, Increment, Mutation, Put, RegionInfo, RegionPartials, RegionRows,
    Row, RowMutations, Scan, Scanner, Select, Store, StoreError,
};

use crate::Engine;
use crate::scan::TableScan;

#[async_trait]
impl Store for Engine {
    async fn get(&self, table: &TableName, get: Get) -> Result<Answer<Row>, StoreError> {
        let state = self.table(table)?.state();
        state.check_enabled()?;
        self.get_row(&state, &get)
    }

    async fn put(&self, table: &TableName, put: Put) -> Result<Answer<()>, StoreError> {
        Ok(self.mutate(&*self.table(table)?, &Mutation::Put(put))?.map(|_| ()))
    }

    async fn delete(&self, table: &TableName, delete: Delete) -> Result<Answer<()>, StoreError> {
        Ok(self.mutate(&*self.table(table)?, &Mutation::Delete(delete))?.map(|_| ()))
    }

    async fn append(&self, table: &TableName, append: Append) -> Result<Answer<Row>, StoreError> {
        self.mutate(&*self.table(table)?, &Mutation::Append(append))
    }

    async fn increment(&self, table: &TableName, increment: Increment) -> Result<Answer<Row>, StoreError> {
        self.mutate(&*self.table(table)?, &Mutation::Increment(increment))
    }

    async fn batch(
        &self,
        table: &TableName,
        actions: Vec<Action>,
    ) -> Result<Answer<Vec<Result<ActionAnswer, StoreError>>>, StoreError> {
        self.run_batch(&*self.table(table)?, actions)
    }

    async fn check_and_mutate(
        &self,
        table: &TableName,
        check: CheckAndMutate,
    ) -> Result<Answer<CheckOutcome>, StoreError> {
        self.check_and_mutate_row(&*self.table(table)?, &check)
    }

    async fn mutate_row(
        &self,
        table: &TableName,
        mutations: RowMutations,
    ) -> Result<Answer<Row>, StoreError> {
        self.mutate_row_atomically(&*self.table(table)?, &mutations)
    }

    fn has_atomic_batches(&self) -> bool {
        true
    }

    async fn atomic_batch(&self, batch: AtomicBatch) -> Result<Answer<bool>, StoreError> {
        self.write_atomically(batch)
    }

    fn now_ms(&self) -> Option<Timestamp> {
        Some(Engine::now_ms(self))
    }

    async fn scan(&self, table: &TableName, scan: Scan) -> Result<Box<dyn Scanner>, StoreError> {
        let state = self.table(table)?.state();
        state.check_enabled()?;
        Ok(Box::new(TableScan::new(self.clone(), &state, scan)?))
    }

    async fn aggregate(
        &self,
        table: &TableName,
        aggregate: Aggregate,
    ) -> Result<Answer<Vec<RegionPartials>>, StoreError> {
        let state = self.table(table)?.state();
        state.check_enabled()?;
        self.aggregate_regions(&state, &aggregate)
    }

    async fn select(&self, table: &TableName, select: Select) -> Result<Answer<Vec<RegionRows>>, StoreError> {
        let state = self.table(table)?.state();
        state.check_enabled()?;
        self.select_in_regions(&state, &select)
    }

    async fn create_table(&self, table: TableDescriptor, splits: Vec<Bytes>) -> Result<(), StoreError> {
        self.create(table, splits)
    }

    async fn alter_table(&self, table: TableDescriptor) -> Result<(), StoreError> {
        self.alter(table)
    }

    async fn describe_table(&self, table: &TableName) -> Result<TableDescriptor, StoreError> {
        Ok(self.table(table)?.state().descriptor.clone())
    }

    async fn table_exists(&self, table: &TableName) -> Result<bool, StoreError> {
        Ok(self.with_catalog(|catalog| catalog.contains(table)))
    }

    async fn list_tables(&self) -> Result<Vec<TableName>, StoreError> {
        Ok(self.with_catalog(|catalog| catalog.names().cloned().collect()))
    }

    async fn disable_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.set_enabled(table, false)
    }

    async fn enable_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.set_enabled(table, true)
    }

    async fn is_enabled(&self, table: &TableName) -> Result<bool, StoreError> {
        Ok(self.table(table)?.state().enabled)
    }

    async fn drop_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.drop_disabled(table)
    }

    async fn truncate_table(&self, table: &TableName, preserve_splits: bool) -> Result<(), StoreError> {
        self.truncate(table, preserve_splits)
    }

    async fn flush(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.flush_for_user(&scope)
    }

    async fn compact(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.compact_scope(&scope, false)
    }

    async fn major_compact(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.compact_scope(&scope, true)
    }

    async fn regions(&self, table: &TableName) -> Result<Vec<RegionInfo>, StoreError> {
        Ok(self.table(table)?.state().regions.iter().map(|region| region.info()).collect())
    }

    async fn split_region(&self, region: &str, at: Option<Bytes>) -> Result<(), StoreError> {
        let (table, region) = self.find_region(region)?;
        self.split(&table, &region.encoded_name(), at)
    }

    async fn split_table(&self, table: &TableName, at: Option<Bytes>) -> Result<(), StoreError> {
        let table = self.table(table)?;
        let state = table.state();
        match at {
            Some(at) => self.split(&table, &state.region_of(&at)?.encoded_name(), Some(at)),
            None => {
                state.regions.iter().try_for_each(|region| self.split(&table, &region.encoded_name(), None))
            }
        }
    }

    async fn merge_regions(&self, regions: &[String], force: bool) -> Result<(), StoreError> {
        self.merge(regions, force)
    }

    async fn move_region(&self, region: &str, server: Option<&str>) -> Result<(), StoreError> {
        self.move_to(region, server)
    }

    async fn status(&self) -> Result<ClusterStatus, StoreError> {
        Ok(self.cluster_status())
    }

    async fn create_namespace(&self, namespace: &str) -> Result<(), StoreError> {
        self.make_namespace(namespace)
    }

    async fn drop_namespace(&self, namespace: &str) -> Result<(), StoreError> {
        self.remove_namespace(namespace)
    }

    async fn list_namespaces(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.with_catalog(|catalog| catalog.namespaces.iter().cloned().collect()))
    }
}
