//! HBase as a store: every operation of the trait, in the client's words.

use std::collections::HashMap;
use std::time::Instant;

use async_trait::async_trait;
use bytes::Bytes;
use hbase::{Compaction, ServerName};
use tablesmith_model::name::check_namespace;
use tablesmith_model::{TableDescriptor, TableName};
use tablesmith_store::sanity::{check_names_and_versions, ordered_splits};
use tablesmith_store::wrap::Volume;
use tablesmith_store::{
    Action, ActionAnswer, Aggregate, Answer, Append, CheckAndMutate, CheckOutcome, ClusterStatus, Delete,
    FlushScope, Get, Increment, Mutation, Put, RegionInfo, RegionLoad, RegionPartials, RegionRows, Row,
    RowMutations, Scan, Scanner, Select, Store, StoreError,
};

use crate::error::About;
use crate::in_regions::all_at_once;
use crate::scanner::ClusterScanner;
use crate::{HbaseStore, aggregate, answer, batch, descriptor, refusal, regions};

#[async_trait]
impl Store for HbaseStore {
    /// Servers work on several while others travel.
    fn batches_at_once(&self) -> usize {
        4
    }

    async fn get(&self, table: &TableName, get: Get) -> Result<Answer<Row>, StoreError> {
        let begun = Instant::now();
        refusal::check_get(&get)?;
        let (key, has_filter) = (get.row.clone(), get.read.filter.is_some());
        let found = self.table(table).get(get).await;
        let row = answer::row_at(key, found.map_err(|error| About::Table(table).failed(error))?);
        let looked_at = answer::looked_at(has_filter, Volume::of_row(&row));
        Ok(answer::of_region(row, looked_at, begun))
    }

    async fn exists(&self, table: &TableName, get: Get) -> Result<Answer<bool>, StoreError> {
        let begun = Instant::now();
        refusal::check_get(&get)?;
        let found = self.table(table).exists(get).await;
        Ok(answer::of_region(found.map_err(|error| About::Table(table).failed(error))?, None, begun))
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

    /// Each action has its own result. That there is no such table, or that it is disabled, is said once.
    async fn batch(
        &self,
        table: &TableName,
        actions: Vec<Action>,
    ) -> Result<Answer<Vec<Result<ActionAnswer, StoreError>>>, StoreError> {
        let begun = Instant::now();
        let checks: Vec<Result<(), StoreError>> =
            actions.iter().map(|action| refusal::check_action(table, action)).collect();
        let sent: Vec<Volume> = actions.iter().map(Volume::of_action).collect();
        let keys: Vec<Bytes> = actions.iter().map(|action| action.row().clone()).collect();
        let has_filter =
            actions.iter().any(|action| matches!(action, Action::Get(get) if get.read.filter.is_some()));
        let sensible = actions.into_iter().zip(&checks).filter(|(_, check)| check.is_ok());
        let asked = sensible.map(|(action, _)| action).collect();
        let mut replies = self.table(table).batch(asked).await.into_iter();
        let mut answers = Vec::with_capacity(checks.len());
        for (key, check) in keys.into_iter().zip(checks) {
            let lost = || Err(hbase::Error::Protocol("an action of a batch was not answered".to_owned()));
            answers.push(check.and_then(|()| {
                let reply = replies.next().unwrap_or_else(lost);
                reply
                    .map(|reply| answer::action(key, reply))
                    .map_err(|error| About::Table(table).failed(error))
            }));
        }
        if let Some(error) = batch::common_refusal(&mut answers) {
            return Err(error);
        }
        let looked_at = (!has_filter).then(|| batch::travelled(&sent, &answers));
        Ok(Answer { value: answers, stats: answer::stats(looked_at, None, begun.elapsed()) })
    }

    async fn check_and_mutate(
        &self,
        table: &TableName,
        check: CheckAndMutate,
    ) -> Result<Answer<CheckOutcome>, StoreError> {
        let begun = Instant::now();
        refusal::check_condition(table, &check)?;
        let sent = Volume::of_row_mutations(&check.then);
        let outcome = self.table(table).check_and_mutate(check).await;
        let outcome = answer::checked(outcome.map_err(|error| About::Table(table).failed(error))?);
        let travelled = outcome.success.then_some(sent);
        Ok(answer::of_region(outcome, travelled, begun))
    }

    async fn mutate_row(
        &self,
        table: &TableName,
        mutations: RowMutations,
    ) -> Result<Answer<Row>, StoreError> {
        let begun = Instant::now();
        refusal::check_row_mutations(table, &mutations)?;
        let travelled = Volume::of_row_mutations(&mutations);
        let key = mutations.row.clone();
        let written = self.table(table).mutate_row(mutations).await;
        let row = answer::row_at(key, written.map_err(|error| About::Table(table).failed(error))?);
        Ok(answer::of_region(row, Some(travelled), begun))
    }

    async fn scan(&self, table: &TableName, scan: Scan) -> Result<Box<dyn Scanner>, StoreError> {
        refusal::check_scan(&scan)?;
        let has_filter = scan.read.filter.is_some();
        let rows = self.table(table).scan(scan);
        Ok(Box::new(ClusterScanner::new(rows, table.clone(), has_filter)))
    }

    async fn aggregate(
        &self,
        table: &TableName,
        aggregate: Aggregate,
    ) -> Result<Answer<Vec<RegionPartials>>, StoreError> {
        aggregate::aggregate(self, table, aggregate).await
    }

    async fn select(&self, table: &TableName, select: Select) -> Result<Answer<Vec<RegionRows>>, StoreError> {
        let begun = Instant::now();
        let mut scan = select.whole_rows();
        if scan.read.filter.is_none() {
            scan.read.filter = select.only_times();
        }
        refusal::check_scan(&scan)?;
        let parts = self.region_parts(table, &scan).await?;
        let answers = all_at_once(parts.into_iter().map(|part| part.select(select.clone()))).await?;
        Ok(Answer::of_regions(answers, begun))
    }

    async fn create_table(&self, table: TableDescriptor, splits: Vec<Bytes>) -> Result<(), StoreError> {
        check_names_and_versions(&table)?;
        let splits = ordered_splits(splits)?;
        let created = self.client.admin().create_table(&descriptor::to_schema(&table), &splits).await;
        created.map_err(|error| About::Table(&table.name).failed(error))
    }

    async fn alter_table(&self, table: TableDescriptor) -> Result<(), StoreError> {
        check_names_and_versions(&table)?;
        let failed = |error| About::Table(&table.name).failed(error);
        let admin = self.client.admin();
        let mut schema = descriptor::to_schema(&table);
        let old = admin.describe_table(&schema.name).await.map_err(failed)?;
        descriptor::keep_places(&mut schema, &old);
        admin.modify_table(&schema).await.map_err(failed)
    }

    async fn describe_table(&self, table: &TableName) -> Result<TableDescriptor, StoreError> {
        let schema = self.client.admin().describe_table(table).await;
        Ok(descriptor::from_schema(&schema.map_err(|error| About::Table(table).failed(error))?))
    }

    async fn table_exists(&self, table: &TableName) -> Result<bool, StoreError> {
        let exists = self.client.admin().table_exists(table).await;
        exists.map_err(|error| About::Table(table).failed(error))
    }

    async fn list_tables(&self) -> Result<Vec<TableName>, StoreError> {
        let names = self.client.admin().table_names(None).await;
        let mut tables = names.map_err(|error| About::Cluster.failed(error))?;
        tables.sort();
        Ok(tables)
    }

    async fn disable_table(&self, table: &TableName) -> Result<(), StoreError> {
        let disabled = self.client.admin().disable_table(table).await;
        disabled.map_err(|error| About::Table(table).failed(error))
    }

    async fn enable_table(&self, table: &TableName) -> Result<(), StoreError> {
        let enabled = self.client.admin().enable_table(table).await;
        enabled.map_err(|error| About::Table(table).failed(error))
    }

    async fn is_enabled(&self, table: &TableName) -> Result<bool, StoreError> {
        let enabled = self.client.admin().is_table_enabled(table).await;
        enabled.map_err(|error| About::Table(table).failed(error))
    }

    async fn drop_table(&self, table: &TableName) -> Result<(), StoreError> {
        let dropped = self.client.admin().delete_table(table).await;
        dropped.map_err(|error| About::Table(table).failed(error))
    }

    async fn truncate_table(&self, table: &TableName, preserve_splits: bool) -> Result<(), StoreError> {
        let truncated = self.client.admin().truncate_table(table, preserve_splits).await;
        truncated.map_err(|error| About::Table(table).failed(error))
    }

    async fn flush(&self, scope: FlushScope) -> Result<(), StoreError> {
        let admin = self.client.admin();
        match scope {
            FlushScope::Table(table, family) => {
                // Through the master, since a flush leaves existing files alone.
                let flushed = admin.flush_table_by_master(&table, family).await;
                flushed.map_err(|error| About::Table(&table).failed(error))
            }
            FlushScope::Region(region, family) => {
                let flushed = admin.flush_region(&region, family).await;
                flushed.map_err(|error| About::Region(&region).failed(error))
            }
        }
    }

    async fn compact(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.compact_and_wait(scope, false).await
    }

    async fn major_compact(&self, scope: FlushScope) -> Result<(), StoreError> {
        self.compact_and_wait(scope, true).await
    }

    /// With their load, fresh from their servers.
    async fn regions(&self, table: &TableName) -> Result<Vec<RegionInfo>, StoreError> {
        let locations = self.locations(table).await?;
        let loads = self.client.admin().region_loads(Some(table)).await;
        let loads = loads.map_err(|error| About::Table(table).failed(error))?;
        let loads: HashMap<Bytes, RegionLoad> =
            loads.iter().map(|(_, region)| (region.region_name.clone(), region.load)).collect();
        let load_of = |at: &hbase::Location| loads.get(&at.region.name).copied().unwrap_or_default();
        Ok(locations.iter().map(|location| regions::info(location, load_of(location))).collect())
    }

    async fn split_region(&self, region: &str, at: Option<Bytes>) -> Result<(), StoreError> {
        let failed = |error| About::Region(region).failed(error);
        let admin = self.client.admin();
        if let Some(at) = &at {
            regions::check_split_point(&admin.region(region).await.map_err(failed)?.region, at)?;
        }
        admin.split_region(region, at).await.map(drop).map_err(failed)
    }

    async fn split_table(&self, table: &TableName, at: Option<Bytes>) -> Result<(), StoreError> {
        if let Some(at) = &at {
            let locations = self.locations(table).await?;
            let mut regions = locations.iter().map(|location| &location.region);
            regions
                .find(|region| region.contains(at))
                .map_or(Ok(()), |region| regions::check_split_point(region, at))?;
        }
        let split = self.client.admin().split_table(table, at).await;
        split.map(drop).map_err(|error| About::Table(table).failed(error))
    }

    async fn merge_regions(&self, regions: &[String], force: bool) -> Result<(), StoreError> {
        let merged = self.client.admin().merge_regions(regions, force).await;
        merged.map(drop).map_err(|error| About::Cluster.failed(error))
    }

    async fn move_region(&self, region: &str, server: Option<&str>) -> Result<(), StoreError> {
        let no_server =
            |error: hbase::Error| StoreError::DoNotRetry(format!("there is no such server: {error}"));
        let server: Option<ServerName> = server.map(str::parse).transpose().map_err(no_server)?;
        match self.client.admin().move_region(region, server.as_ref()).await {
            Ok(_) => Ok(()),
            // The region stayed where it was.
            Err(hbase::Error::InvalidArgument(why)) => Err(StoreError::DoNotRetry(why)),
            Err(error) => Err(About::Region(region).failed(error)),
        }
    }

    /// As the master knows the servers: they report to it every few seconds.
    async fn status(&self) -> Result<ClusterStatus, StoreError> {
        let status = self.client.admin().cluster_status().await;
        let status = status.map_err(|error| About::Cluster.failed(error))?;
        Ok(ClusterStatus {
            store: format!("HBase {}, cluster {}", status.version, status.cluster_id),
            servers: status.servers.iter().map(regions::server_load).collect(),
        })
    }

    async fn create_namespace(&self, namespace: &str) -> Result<(), StoreError> {
        check_namespace(namespace).map_err(|error| StoreError::Refused(error.to_string()))?;
        let created = self.client.admin().create_namespace(&hbase::Namespace::new(namespace)).await;
        created.map_err(|error| About::Namespace(namespace).failed(error))
    }

    async fn drop_namespace(&self, namespace: &str) -> Result<(), StoreError> {
        let dropped = self.client.admin().delete_namespace(namespace).await;
        dropped.map_err(|error| About::Namespace(namespace).failed(error))
    }

    async fn list_namespaces(&self) -> Result<Vec<String>, StoreError> {
        let found = self.client.admin().namespaces().await;
        let found = found.map_err(|error| About::Cluster.failed(error))?;
        let mut names: Vec<String> = found.into_iter().map(|namespace| namespace.name).collect();
        names.sort();
        Ok(names)
    }
}

impl HbaseStore {
    async fn mutate(&self, table: &TableName, mutation: Mutation) -> Result<Answer<Row>, StoreError> {
        let begun = Instant::now();
        refusal::check_mutation(table, &mutation)?;
        let travelled = Volume::of_mutation(&mutation);
        let client = self.table(table);
        let key = mutation.row().clone();
        let nothing = |()| hbase::Row::default();
        let written = match mutation {
            Mutation::Put(put) => client.put(put).await.map(nothing),
            Mutation::Delete(delete) => client.delete(delete).await.map(nothing),
            Mutation::Increment(increment) => client.increment(increment).await,
            Mutation::Append(append) => client.append(append).await,
        };
        let row = answer::row_at(key, written.map_err(|error| About::Table(table).failed(error))?);
        Ok(answer::of_region(row, Some(travelled), begun))
    }

    /// A disabled table has nothing to compact, as HBase sees it.
    async fn compact_and_wait(&self, scope: FlushScope, major: bool) -> Result<(), StoreError> {
        let admin = self.client.admin();
        let compacted = match scope {
            FlushScope::Table(table, family) => {
                let compaction = Compaction { major, family };
                let compacted = admin.compact_table_and_wait(&table, compaction).await;
                compacted.map_err(|error| About::Table(&table).failed(error))
            }
            FlushScope::Region(region, family) => {
                let compacted = admin.compact_region_and_wait(&region, Compaction { major, family }).await;
                compacted.map_err(|error| About::Region(&region).failed(error))
            }
        };
        match compacted {
            Err(StoreError::TableNotEnabled(_)) => Ok(()),
            other => other,
        }
    }
}
