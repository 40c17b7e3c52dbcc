//! All there is: namespaces, tables, servers. What happens to tables as wholes happens here.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use tablesmith_model::name::{DEFAULT_NAMESPACE, SYSTEM_NAMESPACE, check_namespace};
use tablesmith_model::{TableDescriptor, TableName, Timestamp};
use tablesmith_store::StoreError;
use tablesmith_store::sanity::{check_names_and_versions, check_settings, ordered_splits};

use super::table::Table;

/// The state of a store.
#[derive(Debug)]
pub(super) struct Cluster {
    pub(super) tables: BTreeMap<TableName, Table>,
    pub(super) servers: Vec<String>,
    namespaces: BTreeSet<String>,
}

impl Cluster {
    /// No tables, and so many servers; there is always one.
    pub(super) fn new(servers: usize) -> Self {
        Self {
            tables: BTreeMap::new(),
            servers: (1..=servers.max(1)).map(|number| format!("server-{number}")).collect(),
            namespaces: [DEFAULT_NAMESPACE, SYSTEM_NAMESPACE].map(str::to_owned).into(),
        }
    }

    /// A table.
    pub(super) fn table(&self, name: &TableName) -> Result<&Table, StoreError> {
        self.tables.get(name).ok_or_else(|| StoreError::TableNotFound(name.clone()))
    }

    /// A table, to be changed.
    pub(super) fn table_mut(&mut self, name: &TableName) -> Result<&mut Table, StoreError> {
        self.tables.get_mut(name).ok_or_else(|| StoreError::TableNotFound(name.clone()))
    }

    /// A table that answers.
    pub(super) fn enabled_table(&self, name: &TableName) -> Result<&Table, StoreError> {
        let table = self.table(name)?;
        table.check_enabled()?;
        Ok(table)
    }

    /// A table that answers and takes writes.
    pub(super) fn writable_table(&mut self, name: &TableName) -> Result<&mut Table, StoreError> {
        let table = self.table_mut(name)?;
        table.check_enabled()?;
        table.check_writable()?;
        Ok(table)
    }

    /// Makes a table.
    pub(super) fn create(
        &mut self,
        descriptor: TableDescriptor,
        splits: Vec<Bytes>,
        now_ms: Timestamp,
    ) -> Result<(), StoreError> {
        let descriptor = with_each_family_once(descriptor);
        check_names_and_versions(&descriptor)?;
        let splits = ordered_splits(splits)?;
        if !self.namespaces.contains(descriptor.name.namespace()) {
            return Err(StoreError::NamespaceNotFound(descriptor.name.namespace().to_owned()));
        }
        check_settings(&descriptor)?;
        if descriptor.name.is_meta() || self.tables.contains_key(&descriptor.name) {
            return Err(StoreError::TableExists(descriptor.name));
        }
        let name = descriptor.name.clone();
        self.tables.insert(name, Table::new(descriptor, &splits, now_ms, &self.servers));
        Ok(())
    }

    /// Replaces a table's description. Its regions are closed, under the old description, and opened under the new.
    pub(super) fn alter(&mut self, descriptor: TableDescriptor, now_ms: Timestamp) -> Result<(), StoreError> {
        let table = self.table_mut(&descriptor.name)?;
        let descriptor = with_each_family_once(descriptor);
        check_names_and_versions(&descriptor)?;
        check_settings(&descriptor)?;
        table.close_regions(now_ms);
        for region in &mut table.regions {
            region.retain_families(&descriptor);
        }
        table.descriptor = descriptor;
        Ok(())
    }

    /// Stops a table from answering, which flushes it.
    pub(super) fn disable(&mut self, name: &TableName, now_ms: Timestamp) -> Result<(), StoreError> {
        let table = self.table_mut(name)?;
        table.check_enabled()?;
        table.close_regions(now_ms);
        table.is_enabled = false;
        Ok(())
    }

    /// Lets a table answer again.
    pub(super) fn enable(&mut self, name: &TableName) -> Result<(), StoreError> {
        self.disabled_table(name)?.is_enabled = true;
        Ok(())
    }

    /// Removes a table.
    pub(super) fn drop_table(&mut self, name: &TableName) -> Result<(), StoreError> {
        self.disabled_table(name)?;
        self.tables.remove(name);
        Ok(())
    }

    /// Replaces a table by an empty one that answers.
    pub(super) fn truncate(
        &mut self,
        name: &TableName,
        preserve_splits: bool,
        now_ms: Timestamp,
    ) -> Result<(), StoreError> {
        let table = self.disabled_table(name)?;
        let splits = if preserve_splits { table.splits() } else { Vec::new() };
        let empty = Table::new(table.descriptor.clone(), &splits, now_ms, &self.servers);
        self.tables.insert(name.clone(), empty);
        Ok(())
    }

    fn disabled_table(&mut self, name: &TableName) -> Result<&mut Table, StoreError> {
        let table = self.table_mut(name)?;
        if table.is_enabled { Err(StoreError::TableNotDisabled(name.clone())) } else { Ok(table) }
    }

    /// Makes a namespace.
    pub(super) fn create_namespace(&mut self, namespace: &str) -> Result<(), StoreError> {
        // HBase notices a bad name only on the server, where it becomes this exception.
        check_namespace(namespace).map_err(|error| StoreError::Refused(error.to_string()))?;
        if !self.namespaces.insert(namespace.to_owned()) {
            return Err(StoreError::NamespaceExists(namespace.to_owned()));
        }
        Ok(())
    }

    /// Removes a namespace.
    pub(super) fn drop_namespace(&mut self, namespace: &str) -> Result<(), StoreError> {
        if !self.namespaces.contains(namespace) {
            return Err(StoreError::NamespaceNotFound(namespace.to_owned()));
        }
        if [DEFAULT_NAMESPACE, SYSTEM_NAMESPACE].contains(&namespace) {
            return Err(StoreError::Constraint(format!("namespace {namespace} is reserved")));
        }
        let tables = self.tables.keys().filter(|table| table.namespace() == namespace).count();
        if tables > 0 {
            return Err(StoreError::Constraint(format!(
                "namespace {namespace} has {tables} tables: drop them first"
            )));
        }
        self.namespaces.remove(namespace);
        Ok(())
    }

    /// All namespaces, sorted.
    pub(super) fn namespaces(&self) -> Vec<String> {
        self.namespaces.iter().cloned().collect()
    }
}

/// Of a family that is described twice the later description counts.
fn with_each_family_once(descriptor: TableDescriptor) -> TableDescriptor {
    let mut once = TableDescriptor { families: Vec::new(), ..descriptor };
    for family in descriptor.families {
        once.put_family(family);
    }
    once
}
