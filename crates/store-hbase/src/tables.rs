//! Tables and namespaces.

use bytes::Bytes;
use tablesmith_model::name::check_namespace;
use tablesmith_model::{TableDescriptor, TableName};
use tablesmith_store::StoreError;
use tablesmith_store::sanity::{check_names_and_versions, ordered_splits};

use crate::error::About;
use crate::{HbaseStore, descriptor, name};

impl HbaseStore {
    pub(crate) async fn create(&self, table: &TableDescriptor, splits: Vec<Bytes>) -> Result<(), StoreError> {
        check_names_and_versions(table)?;
        let splits = ordered_splits(splits)?;
        let schema = descriptor::to_schema(table)?;
        let made = self.client.admin().create_table(&schema, &splits).await;
        made.map_err(|error| About::Table(&table.name).failed(error))
    }

    pub(crate) async fn alter(&self, table: &TableDescriptor) -> Result<(), StoreError> {
        check_names_and_versions(table)?;
        let failed = |error| About::Table(&table.name).failed(error);
        let admin = self.client.admin();
        let mut schema = descriptor::to_schema(table)?;
        let old = admin.describe_table(&schema.name).await.map_err(failed)?;
        descriptor::keep_places(&mut schema, &old);
        admin.modify_table(&schema).await.map_err(failed)
    }

    pub(crate) async fn describe(&self, table: &TableName) -> Result<TableDescriptor, StoreError> {
        let schema = self.client.admin().describe_table(&name::to_client(table)?).await;
        descriptor::from_schema(&schema.map_err(|error| About::Table(table).failed(error))?)
    }

    pub(crate) async fn is_there(&self, table: &TableName) -> Result<bool, StoreError> {
        let exists = self.client.admin().table_exists(&name::to_client(table)?).await;
        exists.map_err(|error| About::Table(table).failed(error))
    }

    pub(crate) async fn tables(&self) -> Result<Vec<TableName>, StoreError> {
        let names = self.client.admin().table_names(None).await;
        let names = names.map_err(|error| About::Cluster.failed(error))?;
        let mut tables = names.iter().map(name::from_client).collect::<Result<Vec<_>, _>>()?;
        tables.sort();
        Ok(tables)
    }

    pub(crate) async fn answers(&self, table: &TableName) -> Result<bool, StoreError> {
        let enabled = self.client.admin().is_table_enabled(&name::to_client(table)?).await;
        enabled.map_err(|error| About::Table(table).failed(error))
    }

    pub(crate) async fn set_enabled(&self, table: &TableName, enabled: bool) -> Result<(), StoreError> {
        let (admin, client) = (self.client.admin(), name::to_client(table)?);
        let done =
            if enabled { admin.enable_table(&client).await } else { admin.disable_table(&client).await };
        done.map_err(|error| About::Table(table).failed(error))
    }

    pub(crate) async fn remove(&self, table: &TableName) -> Result<(), StoreError> {
        let removed = self.client.admin().delete_table(&name::to_client(table)?).await;
        removed.map_err(|error| About::Table(table).failed(error))
    }

    pub(crate) async fn truncate(&self, table: &TableName, preserve_splits: bool) -> Result<(), StoreError> {
        let emptied = self.client.admin().truncate_table(&name::to_client(table)?, preserve_splits).await;
        emptied.map_err(|error| About::Table(table).failed(error))
    }

    pub(crate) async fn make_namespace(&self, namespace: &str) -> Result<(), StoreError> {
        check_namespace(namespace).map_err(|error| StoreError::Refused(error.to_string()))?;
        let made = self.client.admin().create_namespace(&hbase::Namespace::new(namespace)).await;
        made.map_err(|error| About::Namespace(namespace).failed(error))
    }

    pub(crate) async fn remove_namespace(&self, namespace: &str) -> Result<(), StoreError> {
        let removed = self.client.admin().delete_namespace(namespace).await;
        removed.map_err(|error| About::Namespace(namespace).failed(error))
    }

    pub(crate) async fn namespaces(&self) -> Result<Vec<String>, StoreError> {
        let found = self.client.admin().namespaces().await;
        let found = found.map_err(|error| About::Cluster.failed(error))?;
        let mut names: Vec<String> = found.into_iter().map(|namespace| namespace.name).collect();
        names.sort();
        Ok(names)
    }
}
