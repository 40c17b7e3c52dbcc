//! The one store that forwards: every wrapper is this with another interceptor.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use tablesmith_model::{TableDescriptor, TableName, Timestamp};

use super::intercept::{Intercept, Observed, Outcome};
use super::op::{Op, OpKind};
use crate::{
    Action, ActionAnswer, Aggregate, Answer, Append, AtomicBatch, CheckAndMutate, CheckOutcome,
    ClusterStatus, Delete, FlushScope, Get, Increment, OpStats, Put, RegionInfo, RegionPartials, RegionRows,
    Row, RowMutations, Scan, Scanner, Select, Store, StoreError,
};

/// A store that lets an interceptor see every call.
#[derive(Clone)]
pub struct Wrapped<I> {
    store: Arc<dyn Store>,
    intercept: Arc<I>,
}

impl<I: Intercept> Wrapped<I> {
    /// Puts an interceptor before a store.
    pub fn new(store: Arc<dyn Store>, intercept: I) -> Self {
        Self { store, intercept: Arc::new(intercept) }
    }

    /// The interceptor, to ask it what it saw.
    pub fn intercept(&self) -> &I {
        &self.intercept
    }

    async fn before(&self, op: Op<'_>) -> Result<I::Ticket, StoreError> {
        self.intercept.before(&*self.store, &op).await
    }

    async fn after<T: Observed + Send>(
        &self,
        ticket: I::Ticket,
        answer: Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        after(&*self.intercept, ticket, answer).await
    }

    async fn admin<T: Observed + Send>(
        &self,
        kind: OpKind,
        table: Option<&TableName>,
        call: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        let ticket = self.before(Op::Admin(kind, table)).await?;
        self.after(ticket, call.await).await
    }
}

/// Shows the interceptor an answer. When the call itself failed the caller learns of that failure, whatever the
/// interceptor thinks.
async fn after<I: Intercept, T: Observed + Send>(
    intercept: &I,
    ticket: I::Ticket,
    answer: Result<T, StoreError>,
) -> Result<T, StoreError> {
    match answer {
        Ok(value) => {
            intercept.counted(&value.cost());
            intercept.after(ticket, value.outcome()).await?;
            Ok(value)
        }
        Err(error) => {
            // The first failure is the one to report; an injected second one would hide it.
            let _ = intercept.after(ticket, Outcome::Failed(&error)).await;
            Err(error)
        }
    }
}

fn table_of(scope: &FlushScope) -> Option<TableName> {
    match scope {
        FlushScope::Table(table, _) => Some(table.clone()),
        FlushScope::Region(..) => None,
    }
}

struct WrappedScanner<I> {
    scanner: Box<dyn Scanner>,
    store: Arc<dyn Store>,
    intercept: Arc<I>,
    table: TableName,
    scan: Scan,
    last_row: Option<Bytes>,
    /// What the interceptor knows of what the scan cost.
    counted: OpStats,
}

#[async_trait]
impl<I: Intercept> Scanner for WrappedScanner<I> {
    async fn next_rows(&mut self) -> Result<Vec<Row>, StoreError> {
        let op = Op::NextRows { table: &self.table, scan: &self.scan, last_row: self.last_row.as_ref() };
        let ticket = self.intercept.before(&*self.store, &op).await?;
        let answer = self.scanner.next_rows().await;
        if let Ok(rows) = &answer
            && let Some(last) = rows.last()
        {
            self.last_row = Some(last.row.clone());
        }
        let stats = self.scanner.stats();
        self.intercept.counted(&stats.since(&self.counted));
        self.counted = stats;
        after(&*self.intercept, ticket, answer).await
    }

    fn stats(&self) -> OpStats {
        self.scanner.stats()
    }
}

#[async_trait]
impl<I: Intercept> Store for Wrapped<I> {
    fn batches_at_once(&self) -> usize {
        self.intercept.batches_at_once(&*self.store)
    }

    fn has_atomic_batches(&self) -> bool {
        self.intercept.has_atomic_batches(&*self.store)
    }

    fn now_ms(&self) -> Option<Timestamp> {
        self.intercept.now_ms(&*self.store)
    }

    async fn atomic_batch(&self, batch: AtomicBatch) -> Result<Answer<bool>, StoreError> {
        if !self.has_atomic_batches() {
            return Err(StoreError::Unsupported(
                "the store has no atomic batches over several rows".to_owned(),
            ));
        }
        let ticket = self.before(Op::AtomicBatch(&batch)).await?;
        let answer = self.store.atomic_batch(batch).await;
        // Where a check did not hold nothing is written, as with a check-and-mutate.
        let outcome = answer.map(|answer| answer.map(|success| CheckOutcome { success, row: None }));
        Ok(self.after(ticket, outcome).await?.map(|outcome| outcome.success))
    }

    async fn get(&self, table: &TableName, get: Get) -> Result<Answer<Row>, StoreError> {
        let ticket = self.before(Op::Get(table, &get)).await?;
        self.after(ticket, self.store.get(table, get).await).await
    }

    async fn exists(&self, table: &TableName, get: Get) -> Result<Answer<bool>, StoreError> {
        let ticket = self.before(Op::Exists(table, &get)).await?;
        self.after(ticket, self.store.exists(table, get).await).await
    }

    async fn put(&self, table: &TableName, put: Put) -> Result<Answer<()>, StoreError> {
        let ticket = self.before(Op::Put(table, &put)).await?;
        self.after(ticket, self.store.put(table, put).await).await
    }

    async fn delete(&self, table: &TableName, delete: Delete) -> Result<Answer<()>, StoreError> {
        let ticket = self.before(Op::Delete(table, &delete)).await?;
        self.after(ticket, self.store.delete(table, delete).await).await
    }

    async fn append(&self, table: &TableName, append: Append) -> Result<Answer<Row>, StoreError> {
        let ticket = self.before(Op::Append(table, &append)).await?;
        self.after(ticket, self.store.append(table, append).await).await
    }

    async fn increment(&self, table: &TableName, increment: Increment) -> Result<Answer<Row>, StoreError> {
        let ticket = self.before(Op::Increment(table, &increment)).await?;
        self.after(ticket, self.store.increment(table, increment).await).await
    }

    async fn batch(
        &self,
        table: &TableName,
        actions: Vec<Action>,
    ) -> Result<Answer<Vec<Result<ActionAnswer, StoreError>>>, StoreError> {
        let ticket = self.before(Op::Batch(table, &actions)).await?;
        self.after(ticket, self.store.batch(table, actions).await).await
    }

    async fn check_and_mutate(
        &self,
        table: &TableName,
        check: CheckAndMutate,
    ) -> Result<Answer<CheckOutcome>, StoreError> {
        let ticket = self.before(Op::CheckAndMutate(table, &check)).await?;
        self.after(ticket, self.store.check_and_mutate(table, check).await).await
    }

    async fn mutate_row(
        &self,
        table: &TableName,
        mutations: RowMutations,
    ) -> Result<Answer<Row>, StoreError> {
        let ticket = self.before(Op::MutateRow(table, &mutations)).await?;
        self.after(ticket, self.store.mutate_row(table, mutations).await).await
    }

    async fn aggregate(
        &self,
        table: &TableName,
        aggregate: Aggregate,
    ) -> Result<Answer<Vec<RegionPartials>>, StoreError> {
        let ticket = self.before(Op::Aggregate(table, &aggregate)).await?;
        self.after(ticket, self.store.aggregate(table, aggregate).await).await
    }

    async fn select(&self, table: &TableName, select: Select) -> Result<Answer<Vec<RegionRows>>, StoreError> {
        let ticket = self.before(Op::Select(table, &select)).await?;
        self.after(ticket, self.store.select(table, select).await).await
    }

    async fn scan(&self, table: &TableName, scan: Scan) -> Result<Box<dyn Scanner>, StoreError> {
        let ticket = self.before(Op::Scan(table, &scan)).await?;
        let scanner = self.after(ticket, self.store.scan(table, scan.clone()).await).await?;
        Ok(Box::new(WrappedScanner {
            scanner,
            store: Arc::clone(&self.store),
            intercept: Arc::clone(&self.intercept),
            table: table.clone(),
            scan,
            last_row: None,
            counted: OpStats::default(),
        }))
    }

    async fn create_table(&self, table: TableDescriptor, splits: Vec<Bytes>) -> Result<(), StoreError> {
        let name = table.name.clone();
        self.admin(OpKind::CreateTable, Some(&name), self.store.create_table(table, splits)).await
    }

    async fn alter_table(&self, table: TableDescriptor) -> Result<(), StoreError> {
        let name = table.name.clone();
        self.admin(OpKind::AlterTable, Some(&name), self.store.alter_table(table)).await
    }

    async fn describe_table(&self, table: &TableName) -> Result<TableDescriptor, StoreError> {
        self.admin(OpKind::DescribeTable, Some(table), self.store.describe_table(table)).await
    }

    async fn table_exists(&self, table: &TableName) -> Result<bool, StoreError> {
        self.admin(OpKind::TableExists, Some(table), self.store.table_exists(table)).await
    }

    async fn list_tables(&self) -> Result<Vec<TableName>, StoreError> {
        self.admin(OpKind::ListTables, None, self.store.list_tables()).await
    }

    async fn disable_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.admin(OpKind::DisableTable, Some(table), self.store.disable_table(table)).await
    }

    async fn enable_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.admin(OpKind::EnableTable, Some(table), self.store.enable_table(table)).await
    }

    async fn is_enabled(&self, table: &TableName) -> Result<bool, StoreError> {
        self.admin(OpKind::IsEnabled, Some(table), self.store.is_enabled(table)).await
    }

    async fn drop_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.admin(OpKind::DropTable, Some(table), self.store.drop_table(table)).await
    }

    async fn truncate_table(&self, table: &TableName, preserve_splits: bool) -> Result<(), StoreError> {
        self.admin(OpKind::TruncateTable, Some(table), self.store.truncate_table(table, preserve_splits))
            .await
    }

    async fn flush(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.admin(OpKind::Flush, table_of(&scope).as_ref(), self.store.flush(scope)).await
    }

    async fn compact(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.admin(OpKind::Compact, table_of(&scope).as_ref(), self.store.compact(scope)).await
    }

    async fn major_compact(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.admin(OpKind::MajorCompact, table_of(&scope).as_ref(), self.store.major_compact(scope)).await
    }

    async fn regions(&self, table: &TableName) -> Result<Vec<RegionInfo>, StoreError> {
        self.admin(OpKind::Regions, Some(table), self.store.regions(table)).await
    }

    async fn split_region(&self, region: &str, at: Option<Bytes>) -> Result<(), StoreError> {
        self.admin(OpKind::SplitRegion, None, self.store.split_region(region, at)).await
    }

    async fn split_table(&self, table: &TableName, at: Option<Bytes>) -> Result<(), StoreError> {
        self.admin(OpKind::SplitTable, Some(table), self.store.split_table(table, at)).await
    }

    async fn merge_regions(&self, regions: &[String], force: bool) -> Result<(), StoreError> {
        self.admin(OpKind::MergeRegions, None, self.store.merge_regions(regions, force)).await
    }

    async fn move_region(&self, region: &str, server: Option<&str>) -> Result<(), StoreError> {
        self.admin(OpKind::MoveRegion, None, self.store.move_region(region, server)).await
    }

    async fn status(&self) -> Result<ClusterStatus, StoreError> {
        self.admin(OpKind::Status, None, self.store.status()).await
    }

    async fn create_namespace(&self, namespace: &str) -> Result<(), StoreError> {
        self.admin(OpKind::CreateNamespace, None, self.store.create_namespace(namespace)).await
    }

    async fn drop_namespace(&self, namespace: &str) -> Result<(), StoreError> {
        self.admin(OpKind::DropNamespace, None, self.store.drop_namespace(namespace)).await
    }

    async fn list_namespaces(&self) -> Result<Vec<String>, StoreError> {
        self.admin(OpKind::ListNamespaces, None, self.store.list_namespaces()).await
    }
}
