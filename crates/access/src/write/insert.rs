//! Rows of a table that are added.
//!
//! A row that comes may have the key of one that is there, and its copies would then have to change. Most are new, so one call
//! looks and writes the master in one step where a single cell of it tells; only what was there already is read.

use std::collections::HashSet;

use tablesmith_model::TimeRange;
use tablesmith_model::value::Value;
use tablesmith_store::{CheckAndMutate, Condition, Mutation, RowCheck, RowMutations, Store, StoreError};

use super::Writer;
use super::change::{Change, Old};
use super::net::NetWrites;
use super::statement::Written;
use crate::error::AccessError;

impl Writer {
    /// Adds rows, each with its values in the order of the table's columns. A row whose key is there already is replaced.
    pub async fn insert(
        &self,
        store: &dyn Store,
        table: &str,
        rows: Vec<Vec<Value>>,
    ) -> Result<Written, AccessError> {
        rows.iter().try_for_each(|row| self.check(table, row))?;
        let store = &self.statement(store).await? as &dyn Store;
        if let Some(stored) = self.readings_of(table) {
            return self.insert_readings(store, stored, &rows).await;
        }
        let rows = self.last_of_each_key(table, rows);
        let written = Written { rows: rows.len() as u64, is_blind: false };
        let old = match self.overwrites(table) {
            true if self.key(table).is_empty() => vec![Old::Absent; rows.len()],
            true => vec![Old::Unknown; rows.len()],
            false => match rows.as_slice() {
                [row] if self.put_if_new(store, table, row).await? => return Ok(written),
                rows => self.rows_with_keys_of(store, table, rows).await?,
            },
        };
        let change = |(old, row)| Change { old, new: Some(row) };
        let changes: Vec<Change> = old.into_iter().zip(rows).map(change).collect();
        self.apply(store, table, &changes).await?;
        let again = self.came_again(table, changes);
        self.write_copies(store, table, &again.iter().collect::<Vec<_>>()).await?;
        Ok(written)
    }

    /// Adds a row unless one with its key is there; `false` when there is one, and when no single cell would tell.
    async fn put_if_new(&self, store: &dyn Store, table: &str, row: &[Value]) -> Result<bool, AccessError> {
        let base = self.master(table)?;
        let Some((family, qualifier)) = base.tells_by(row)?.filter(|_| !self.numbers_any(table)) else {
            return Ok(false);
        };
        self.loaded_keys.forget(table);
        let condition = Condition::Absent { family, qualifier, time_range: TimeRange::ALL };
        let change = Change { old: Old::Absent, new: Some(row.to_vec()) };
        match store.has_atomic_batches() {
            true => self.add_together(store, table, &change, condition).await,
            false => self.add_in_order(store, table, &change, condition).await,
        }
    }

    /// Adds a row and its index rows in one call if a cell is absent.
    async fn add_together(
        &self,
        store: &dyn Store,
        table: &str,
        change: &Change,
        condition: Condition,
    ) -> Result<bool, AccessError> {
        let base = self.master(table)?;
        let mut net = NetWrites::new(self);
        if !self.collect(store, table, change, &mut net).await?.is_empty() {
            return Ok(false);
        }
        let row = base.row_of(change.new.as_deref().unwrap_or_default(), 0)?;
        or_lost(net.send(store, Some(RowCheck { table: base.name.clone(), row, condition })).await)
    }

    /// Adds a row if a cell is absent, and then its index rows.
    async fn add_in_order(
        &self,
        store: &dyn Store,
        table: &str,
        change: &Change,
        condition: Condition,
    ) -> Result<bool, AccessError> {
        let base = self.master(table)?;
        let put = base.put_new(change.new.as_deref().unwrap_or_default())?;
        self.recent.wait(&base.name, &put.row).await;
        let then = RowMutations { row: put.row.clone(), mutations: vec![Mutation::Put(put)] };
        let check = CheckAndMutate { condition, then };
        let added = store.check_and_mutate(&base.name, check).await;
        if !or_lost(added.map(|answer| answer.value.success).map_err(AccessError::from))? {
            return Ok(false);
        }
        self.write_copies(store, table, &[change]).await.map(|()| true)
    }

    /// Rows that were there as they are, to be written to their copies once more: the client that wrote them may have died
    /// before it came to those, or the answer to our own call was lost.
    fn came_again(&self, table: &str, changes: Vec<Change>) -> Vec<Change> {
        if self.numbers_any(table) {
            return Vec::new();
        }
        let is_same = |change: &Change| matches!((&change.old, &change.new), (Old::Row(_, old), Some(new)) if old == new);
        let again = |change: Change| Change { old: Old::Unknown, ..change };
        changes.into_iter().filter(is_same).map(again).collect()
    }

    /// Whether a row that is written twice to a place could lie there twice.
    fn numbers_any(&self, table: &str) -> bool {
        let mut places = self.places.iter().filter(|place| place.record().has(table));
        places.any(|place| place.layout.numbers_rows())
    }

    /// Of rows with one key, the last.
    fn last_of_each_key(&self, table: &str, rows: Vec<Vec<Value>>) -> Vec<Vec<Value>> {
        if self.key(table).is_empty() || rows.len() < 2 {
            return rows;
        }
        let mut seen = HashSet::new();
        let is_last = |row: &Vec<Value>| seen.insert(self.key_of(table, row));
        let mut last: Vec<Vec<Value>> = rows.into_iter().rev().filter(is_last).collect();
        last.reverse();
        last
    }
}

/// Whether a row was added. An answer that is lost says nothing: the row is looked for, and found as it is when it was
/// written.
fn or_lost(added: Result<bool, AccessError>) -> Result<bool, AccessError> {
    match added {
        Err(AccessError::Store(StoreError::Io(_))) => Ok(false),
        added => added,
    }
}
