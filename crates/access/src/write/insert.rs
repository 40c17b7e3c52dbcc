//! Rows of a table that are added.
//!
//! A row that comes may have the key of one that is there, and its copies would then have to change. Most are new, so one call
//! looks and writes the master in one step where a single cell of it tells; only what was there already is read.

use std::collections::HashSet;

use tablesmith_model::TimeRange;
use tablesmith_model::value::Value;
use tablesmith_store::{CheckAndMutate, Condition, Mutation, RowMutations, Store, StoreError};

use super::Writer;
use super::change::{Change, Old};
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
        if let Some(stored) = self.readings_of(table) {
            return self.insert_readings(store, stored, &rows).await;
        }
        let rows = self.last_of_each_key(table, rows);
        let written = Written { rows: rows.len() as u64, is_blind: false };
        let old = match self.overwrites(table) {
            true if self.key(table).is_empty() => vec![Old::Absent; rows.len()],
            true => vec![Old::Unknown; rows.len()],
            false => match rows.as_slice() {
                [row] if self.put_if_new(store, table, row).await? => {
                    let change = Change { old: Old::Absent, new: Some(row.clone()) };
                    return self.write_copies(store, table, &[change]).await.map(|()| written);
                }
                rows => self.rows_with_keys_of(store, table, rows).await?,
            },
        };
        let change = |(old, row)| Change { old, new: Some(row) };
        let changes: Vec<Change> = old.into_iter().zip(rows).map(change).collect();
        self.apply(store, table, &changes).await?;
        self.write_copies(store, table, &self.came_again(table, changes)).await?;
        Ok(written)
    }

    /// Writes the master's part of a row unless one with its key is there; `false` when there is one, and when no single
    /// cell would tell.
    async fn put_if_new(&self, store: &dyn Store, table: &str, row: &[Value]) -> Result<bool, AccessError> {
        let master = self.master(table)?;
        let Some((family, qualifier)) = master.tells_by(row)?.filter(|_| !self.numbers_any(table)) else {
            return Ok(false);
        };
        self.loaded_keys.forget(table);
        let put = master.put_new(row)?;
        self.recent.wait(&master.name, &put.row).await;
        let condition = Condition::Absent { family, qualifier, time_range: TimeRange::ALL };
        let row = put.row.clone();
        let then = RowMutations { row, mutations: vec![Mutation::Put(put)] };
        match store.check_and_mutate(&master.name, CheckAndMutate { condition, then }).await {
            Ok(answer) => Ok(answer.value.success),
            // An answer that is lost says nothing: the row is looked for, and found as it is when it was written.
            Err(StoreError::Io(_)) => Ok(false),
            Err(error) => Err(error.into()),
        }
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
