//! Writes to one table on their way, in batches.

use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_store::{Action, Delete, Mutation, Put, RowMutations, Store};

use super::recent::Recent;
use crate::error::AccessError;

/// Rows that are written in one call.
const BATCH_ROWS: usize = 500;

/// Writes to one table on their way.
pub(crate) struct Batch<'w> {
    store: &'w dyn Store,
    name: &'w TableName,
    recent: &'w Recent,
    actions: Vec<Action>,
    deleted: Vec<Bytes>,
}

impl<'w> Batch<'w> {
    pub fn new(store: &'w dyn Store, name: &'w TableName, recent: &'w Recent) -> Self {
        Self { store, name, recent, actions: Vec::new(), deleted: Vec::new() }
    }

    pub async fn put(&mut self, put: Put) -> Result<(), AccessError> {
        self.recent.wait(self.name, &put.row).await;
        self.add(Action::Mutate(Mutation::Put(put))).await
    }

    pub async fn delete(&mut self, delete: Delete) -> Result<(), AccessError> {
        self.deleted.push(delete.row.clone());
        self.add(Action::Mutate(Mutation::Delete(delete))).await
    }

    /// Writes to one row, all or nothing.
    pub async fn row(&mut self, put: Put, delete: Option<Delete>) -> Result<(), AccessError> {
        let Some(delete) = delete else { return self.put(put).await };
        self.recent.wait(self.name, &put.row).await;
        let row = put.row.clone();
        self.deleted.push(row.clone());
        // The delete comes first: what it hides at this time is not what the put writes.
        let mutations = vec![Mutation::Delete(delete), Mutation::Put(put)];
        self.add(Action::RowMutations(RowMutations { row, mutations })).await
    }

    async fn add(&mut self, action: Action) -> Result<(), AccessError> {
        self.actions.push(action);
        if self.actions.len() >= BATCH_ROWS { self.send().await } else { Ok(()) }
    }

    /// Sends what is left.
    pub async fn send(&mut self) -> Result<(), AccessError> {
        let actions = std::mem::take(&mut self.actions);
        let deleted = std::mem::take(&mut self.deleted);
        let sent = match actions.len() {
            0 => return Ok(()),
            _ => self.store.batch(self.name, actions).await,
        };
        deleted.iter().for_each(|row| self.recent.deleted(self.name, row));
        for answer in sent?.value {
            answer?;
        }
        Ok(())
    }
}
