//! Updates and deletes of rows of a table.

use std::collections::HashSet;

use bytes::Bytes;
use tablesmith_model::design::ColumnOf;
use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::value::{EncodeError, Value};
use tablesmith_model::workload::Column;
use tablesmith_store::Store;

use super::Writer;
use super::change::{Change, Old};
use crate::error::AccessError;
use crate::records::{Located, Wanted, records};

/// What a statement did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Rows of the table that were added, changed or removed.
    pub rows: u64,
    /// Whether nobody looked if they were there: rows that are named by their keys are removed by one call.
    pub is_blind: bool,
}

/// What a column is set to.
#[derive(Clone, Debug, PartialEq)]
pub enum SetTo {
    /// A value.
    Value(Value),
    /// What it was and this whole number; null stays null.
    Plus(i64),
}

/// A row's key in the master, and its values.
type FoundRow = (Bytes, Vec<Value>);

impl Writer {
    /// Sets columns of the rows that meet all conditions.
    pub async fn update(
        &self,
        store: &dyn Store,
        table: &str,
        set: &[(String, SetTo)],
        conditions: &[Condition],
    ) -> Result<Written, AccessError> {
        if self.readings_of(table).is_none() {
            let store = self.statement(store).await?;
            if let Some(written) = self.count_up(&store, table, set, conditions).await? {
                return Ok(written);
            }
        }
        let columns = self.columns(table);
        self.update_by(store, table, &[conditions.to_vec()], |old| {
            let mut new = old.to_vec();
            for (column, to) in set {
                let at = columns.iter().position(|name| name == column);
                let Some(slot) = at.and_then(|at| new.get_mut(at)) else {
                    return Err(AccessError::Data(format!("the table {table:?} has no column {column:?}")));
                };
                *slot = to.after(slot).map_err(|reason| self.refused(table, column, old, &reason))?;
            }
            Ok(new)
        })
        .await
    }

    /// Why a column of a row is not changed, in words.
    pub(crate) fn refused(&self, table: &str, column: &str, row: &[Value], reason: &str) -> AccessError {
        AccessError::Data(format!(
            "the column {column:?} of the row of {table:?} with the key {}: {reason}; no row was changed",
            self.key_text(table, row)
        ))
    }

    /// The key of a row, for messages.
    pub(crate) fn key_text(&self, table: &str, row: &[Value]) -> String {
        let key = self.key_of(table, row);
        // Where rows have no key, all their values tell them apart.
        let values = if key.is_empty() { row.to_vec() } else { key };
        values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }

    /// Changes the rows that meet all conditions of one of several sets to what `change` makes of each. No row meets two
    /// of the sets. When one row is refused, none is changed.
    pub async fn update_by(
        &self,
        store: &dyn Store,
        table: &str,
        conditions: &[Vec<Condition>],
        mut change: impl FnMut(&[Value]) -> Result<Vec<Value>, AccessError> + Send,
    ) -> Result<Written, AccessError> {
        let store = &self.statement(store).await? as &dyn Store;
        if let Some(stored) = self.readings_of(table) {
            return self.update_readings(store, stored, conditions, &mut change).await;
        }
        let mut changes = Vec::new();
        for conditions in conditions {
            for (row, old) in self.rows_where(store, table, conditions).await? {
                let new = change(&old)?;
                self.check(table, &new)?;
                changes.push(Change { old: Old::Row(row, old), new: Some(new) });
            }
        }
        self.keeps_keys_apart(store, table, &changes).await?;
        self.apply(store, table, &changes).await?;
        Ok(Written { rows: changes.len() as u64, is_blind: false })
    }

    /// Refuses changes that would give a row the key of another.
    async fn keeps_keys_apart(
        &self,
        store: &dyn Store,
        table: &str,
        changes: &[Change],
    ) -> Result<(), AccessError> {
        let key = |row: &[Value]| self.key_of(table, row);
        let mut left = HashSet::new();
        let mut moved = Vec::new();
        for change in changes {
            let (Old::Row(_, old), Some(new)) = (&change.old, &change.new) else { continue };
            if key(old) != key(new) {
                left.insert(key(old));
                moved.push(new.clone());
            }
        }
        if moved.is_empty() || self.key(table).is_empty() {
            return Ok(());
        }
        let there = self.rows_with_keys_of(store, table, &moved).await?;
        let mut taken = HashSet::new();
        for (new, there) in moved.iter().zip(&there) {
            let is_other = matches!(there, Old::Row(_, row) if !left.contains(&key(row)));
            if is_other || !taken.insert(key(new)) {
                return Err(AccessError::Data(format!(
                    "two rows of {table:?} would have the key {}: remove one of them first",
                    self.key_text(table, new)
                )));
            }
        }
        Ok(())
    }

    /// Removes the rows that meet all conditions.
    pub async fn delete(
        &self,
        store: &dyn Store,
        table: &str,
        conditions: &[Condition],
    ) -> Result<Written, AccessError> {
        let store = &self.statement(store).await? as &dyn Store;
        if let Some(stored) = self.readings_of(table) {
            return self.delete_readings(store, stored, conditions).await;
        }
        let (rows, is_blind) = match self.keys_said(table, conditions)? {
            Some(rows) => (rows, true),
            None => (self.rows_where(store, table, conditions).await?, false),
        };
        let change = |(row, old)| Change { old: Old::Row(row, old), new: None };
        let changes: Vec<Change> = rows.into_iter().map(change).collect();
        self.apply(store, table, &changes).await?;
        Ok(Written { rows: changes.len() as u64, is_blind })
    }

    /// The rows of the master that meet all conditions, with all their values.
    pub(crate) async fn rows_where(
        &self,
        store: &dyn Store,
        table: &str,
        conditions: &[Condition],
    ) -> Result<Vec<FoundRow>, AccessError> {
        let master = self.master(table)?;
        let wanted =
            Wanted { fields: self.columns(table), conditions: conditions.to_vec(), ..Wanted::default() };
        // Numbered rows are known only where they lie.
        let (place, read) = match master.layout.numbers_rows() {
            true => (master, master.layout.read(&wanted)?),
            false => self.best(table, &wanted)?,
        };
        let mut found = records(store, &place.layout, &place.name, &read).await?;
        let mut rows = Vec::new();
        while let Some(Located { row, values }) = found.next_located().await? {
            let row = if master.layout.numbers_rows() { row } else { master.row_of(&values, 0)? };
            rows.push((row, values));
        }
        Ok(rows)
    }

    /// The rows that conditions name by the table's key alone, where nothing else of them must be known to remove them.
    fn keys_said(&self, table: &str, conditions: &[Condition]) -> Result<Option<Vec<FoundRow>>, AccessError> {
        let key = self.key(table);
        let columns = self.columns(table);
        let is_joined = |place: &&super::Place| place.record().has(table) && !place.is_plain();
        if !self.lies_by_key(table)
            || conditions.len() != key.len()
            || self.places.iter().any(|place| is_joined(&place))
        {
            return Ok(None);
        }
        let mut row = vec![Value::Null; columns.len()];
        for column in key {
            let said = conditions.iter().find(|condition| condition.column == *column);
            let Some([value]) = said.and_then(|said| match &said.test {
                Test::In(values) => Some(values.as_slice()),
                _ => None,
            }) else {
                return Ok(None);
            };
            let at = columns.iter().position(|name| name == column);
            if let Some(slot) = at.and_then(|at| row.get_mut(at)).filter(|_| !value.is_null()) {
                slot.clone_from(value);
            } else {
                return Ok(None);
            }
        }
        let master = self.master(table)?;
        Ok(Some(vec![(master.row_of(&row, 0)?, row)]))
    }

    /// Whether all columns of the key have a value: a row without one could not be told from others.
    pub(crate) fn has_key(&self, table: &str, row: &[Value]) -> Result<(), String> {
        let key = self.key(table);
        let columns = self.workload.table(table).map(|table| table.columns.as_slice()).unwrap_or_default();
        let lacks = |(column, value): &(&Column, &Value)| value.is_null() && key.contains(&column.name);
        match columns.iter().zip(row).find(lacks) {
            None => Ok(()),
            Some((column, _)) => {
                Err(format!("the column {:?} is part of the key and has no value: give one", column.name))
            }
        }
    }

    /// Whether values go with the columns of a table.
    pub(super) fn check(&self, table: &str, row: &[Value]) -> Result<(), AccessError> {
        let columns = self.workload.table(table).map(|table| table.columns.as_slice()).unwrap_or_default();
        if columns.len() != row.len() {
            let (wanted, given) = (columns.len(), row.len());
            return Err(AccessError::Data(format!(
                "a row of {table:?} has {wanted} values, {given} were given: give one for each column"
            )));
        }
        if self.readings_of(table).is_none() {
            self.master(table)?;
        }
        self.has_key(table, row).map_err(AccessError::Data)?;
        let mut pairs = columns.iter().zip(row);
        match pairs.find(|(column, value)| !value.fits(column.value_type)) {
            // What a copy does not take is refused before anything is written.
            None => {
                let mut places = self.places.iter().filter(|place| place.record().has(table));
                places.try_for_each(|place| self.fits_in(place, table, row))
            }
            Some((column, value)) => {
                let error = EncodeError { value: value.to_string(), expected: column.value_type };
                let column = ColumnOf::new(table, &column.name);
                Err(AccessError::Data(format!("the column {column}: {error}")))
            }
        }
    }
}

impl SetTo {
    /// The value after the one that was there.
    fn after(&self, old: &Value) -> Result<Value, String> {
        match (self, old) {
            (Self::Value(value), _) => Ok(value.clone()),
            (Self::Plus(_), Value::Null) => Ok(Value::Null),
            (Self::Plus(amount), Value::Int(old)) => {
                old.checked_add(*amount).map(Value::Int).ok_or_else(|| out_of_range(*old, *amount))
            }
            (Self::Plus(_), other) => Err(format!("{other} is no whole number to add to")),
        }
    }
}

/// Why a number is not added to another.
pub(crate) fn out_of_range(old: i64, amount: i64) -> String {
    format!("{old} {amount:+} is out of the range of 64-bit integers")
}
