//! Where a check makes its tables, and who clears up after it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::{Store, StoreError};

use super::check::{Broken, Checked, done};
use super::table::Table;

/// The place of one check: a store, a namespace, and the tables the check made.
pub(super) struct Lab<'a> {
    pub(super) store: &'a dyn Store,
    pub(super) namespace: &'a str,
    check: &'static str,
    made: Mutex<Vec<TableName>>,
}

impl<'a> Lab<'a> {
    /// A place in a namespace that exists.
    pub(super) fn new(store: &'a dyn Store, namespace: &'a str, check: &'static str) -> Self {
        Self { store, namespace, check, made: Mutex::default() }
    }

    /// A name that no other table has; the table is removed after the check if it is there then.
    pub(super) fn name(&self) -> Checked<TableName> {
        let mut made = self.made();
        let name = TableName::new(self.namespace, &format!("{}_{}", self.check, made.len()))
            .map_err(|error| Broken(error.to_string()))?;
        made.push(name.clone());
        Ok(name)
    }

    /// A new table of these families.
    pub(super) async fn table(
        &self,
        families: impl IntoIterator<Item = FamilyDescriptor>,
    ) -> Checked<Table<'a>> {
        let families: Vec<_> = families.into_iter().collect();
        self.table_split(families, []).await
    }

    /// A new table that is cut at these keys.
    pub(super) async fn table_split(
        &self,
        families: impl IntoIterator<Item = FamilyDescriptor>,
        splits: impl IntoIterator<Item = &'static str>,
    ) -> Checked<Table<'a>> {
        let name = self.name()?;
        let descriptor = TableDescriptor::new(name.clone(), families);
        let splits: Vec<Bytes> = splits.into_iter().map(Bytes::from).collect();
        done(format!("create {name}"), self.store.create_table(descriptor, splits).await)?;
        Ok(Table { store: self.store, name })
    }

    /// Removes the tables; says which it could not.
    pub(super) async fn clear(&self) -> Vec<String> {
        let tables = std::mem::take(&mut *self.made());
        let mut leftovers = Vec::new();
        for table in tables {
            if let Err(error) = remove(self.store, &table).await {
                leftovers.push(format!("{table}: {error}"));
            }
        }
        leftovers
    }

    fn made(&self) -> MutexGuard<'_, Vec<TableName>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn remove(store: &dyn Store, table: &TableName) -> Result<(), StoreError> {
    if !store.table_exists(table).await? {
        return Ok(());
    }
    if store.is_enabled(table).await? {
        store.disable_table(table).await?;
    }
    store.drop_table(table).await
}
