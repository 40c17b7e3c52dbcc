//! Rows of a table that change, carried out in the order that survives a crash.

use std::collections::HashSet;

use bytes::Bytes;
use tablesmith_model::design::ColumnOf;
use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::value::Value;
use tablesmith_store::Store;

use super::sink::Sink;
use super::{Batch, Place, Writer};
use crate::error::AccessError;
use crate::records::{Located, Wanted, records};

/// A row that changes: what it was, and what it will be.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub old: Old,
    pub new: Option<Vec<Value>>,
}

/// What a row was.
#[derive(Clone, Debug)]
pub(crate) enum Old {
    /// It was not there.
    Absent,
    /// Nobody looked.
    Unknown,
    /// It was there, in this row of the master.
    Row(Bytes, Vec<Value>),
}

impl Change {
    fn old(&self) -> Option<&[Value]> {
        if let Old::Row(_, values) = &self.old { Some(values) } else { None }
    }
}

impl Writer {
    /// Changes rows of a table and all copies of them.
    pub(crate) async fn apply(
        &self,
        store: &dyn Store,
        table: &str,
        changes: &[Change],
    ) -> Result<(), AccessError> {
        if changes.is_empty() {
            return Ok(());
        }
        // What a later load would take for new may be among the changes.
        self.loaded_keys.forget(table);
        for place in self.copies(table, false).chain(self.copies(table, true)) {
            let batch = Batch::new(store, &place.name, &self.recent);
            self.do_all(store, place, table, changes, Sink::Remove(batch)).await?;
        }
        self.write_master(store, table, changes).await?;
        self.write_copies(store, table, changes).await
    }

    /// Writes what the copies have of the new rows, once the master has them.
    pub(super) async fn write_copies(
        &self,
        store: &dyn Store,
        table: &str,
        changes: &[Change],
    ) -> Result<(), AccessError> {
        for place in self.copies(table, true).chain(self.copies(table, false)) {
            let batch = Batch::new(store, &place.name, &self.recent);
            self.do_all(store, place, table, changes, Sink::Write(batch)).await?;
        }
        Ok(())
    }

    /// The copies that hold rows of one table alone, or the joined ones.
    fn copies(&self, table: &str, are_plain: bool) -> impl Iterator<Item = &Place> {
        let is_copy = move |place: &&Place| !place.is_master && place.is_plain() == are_plain;
        self.places.iter().filter(move |place| place.record().has(table)).filter(is_copy)
    }

    /// Removes what a copy has of the old rows, or writes what it has of the new ones.
    async fn do_all(
        &self,
        store: &dyn Store,
        place: &Place,
        table: &str,
        changes: &[Change],
        mut sink: Sink<'_>,
    ) -> Result<(), AccessError> {
        for change in changes.iter().filter(|change| self.touches(place, table, change)) {
            let row = match sink {
                Sink::Remove(_) => change.old(),
                Sink::Write(_) | Sink::Check(_) => change.new.as_deref(),
            };
            if let Some(row) = row {
                self.each_joined(store, place, (table, row), &mut sink).await?;
            }
        }
        sink.end(self).await
    }

    /// Whether a change is seen in a place.
    pub(crate) fn touches(&self, place: &Place, table: &str, change: &Change) -> bool {
        let (Some(old), Some(new)) = (change.old(), &change.new) else { return true };
        let columns = self.columns(table).into_iter().zip(old.iter().zip(new));
        let mut changed = columns.filter(|(_, (old, new))| old != new);
        changed.any(|(column, _)| place.hangs_on(&ColumnOf::new(table, column)))
    }

    async fn write_master(
        &self,
        store: &dyn Store,
        table: &str,
        changes: &[Change],
    ) -> Result<(), AccessError> {
        let master = self.master(table)?;
        let mut batch = Batch::new(store, &master.name, &self.recent);
        let (mut left, mut taken) = (Vec::new(), HashSet::new());
        for change in changes {
            match (&change.old, &change.new) {
                (Old::Absent | Old::Unknown, None) => {}
                (Old::Row(row, old), None) => left.push((row, old)),
                (Old::Absent, Some(new)) => batch.put(master.put_new(new)?).await?,
                (Old::Unknown, Some(new)) => {
                    let row = master.new_row(new)?;
                    let nulls = master.delete_nulls(row.clone(), None, new);
                    batch.row(master.put(row, new)?, nulls).await?;
                }
                (Old::Row(row, old), Some(new)) => {
                    let after = self.row_after(master, row, old, new)?;
                    let moves = after != *row || self.moves_inside(master, table, old, new);
                    let nulls = master.delete_nulls(after.clone(), (!moves).then_some(old.as_slice()), new);
                    if moves {
                        left.push((row, old));
                        taken.insert((after.clone(), master.qualifier_of(new)?));
                    }
                    batch.row(master.put(after, new)?, nulls).await?;
                }
            }
        }
        batch.send().await?;
        // Where a row was comes last: one that is there twice is better than one that is lost. And another row may have
        // moved there.
        for (row, old) in left {
            if !taken.contains(&(row.clone(), master.qualifier_of(old)?)) {
                batch.delete(master.delete(row.clone(), old)?).await?;
            }
        }
        batch.send().await
    }

    /// The row that a changed record lies in: the same one, where its key is made of nothing that changed.
    fn row_after(
        &self,
        master: &Place,
        row: &Bytes,
        old: &[Value],
        new: &[Value],
    ) -> Result<Bytes, AccessError> {
        let columns = master.layout.source().columns.iter().zip(old.iter().zip(new));
        let changed: Vec<&String> =
            columns.filter(|(_, (old, new))| old != new).map(|(column, _)| &column.name).collect();
        let mut parts = master.layout.key.parts.iter();
        if master.layout.numbers_rows()
            && !parts.any(|part| part.fields().iter().any(|field| changed.contains(&field)))
        {
            return Ok(row.clone());
        }
        master.new_row(new)
    }

    /// Whether a record gets another cell of its row.
    fn moves_inside(&self, master: &Place, table: &str, old: &[Value], new: &[Value]) -> bool {
        let Some(wide) = &master.layout.wide else { return false };
        let mut changed =
            self.columns(table).into_iter().zip(old.iter().zip(new)).filter(|(_, (old, new))| old != new);
        changed.any(|(column, _)| wide.key.parts.iter().any(|part| part.fields().contains(&column)))
    }

    /// The rows of a place that hold a record: one where its key says so, else those that are found by what tells records
    /// apart.
    pub(crate) async fn rows_that_hold(
        &self,
        store: &dyn Store,
        place: &Place,
        values: &[Value],
    ) -> Result<Vec<Bytes>, AccessError> {
        if !place.layout.numbers_rows() {
            return Ok(vec![place.row_of(values, 0)?]);
        }
        let layout = &place.layout;
        // All that its key is made of is known: with the random part that is a few gets.
        let is_known = |field: &&String| layout.source().key.contains(field) || layout.is_made_of(field);
        let fields: Vec<&String> = layout.columns.keys().filter(is_known).collect();
        let conditions = fields.into_iter().filter_map(|field| {
            let value = values.get(*place.layout.columns.get(field)?)?;
            let test = if value.is_null() { Test::IsNull } else { Test::equals(value.clone()) };
            Some(Condition::new(field.clone(), test))
        });
        let wanted = Wanted { conditions: conditions.collect(), ..Wanted::default() };
        let read = place.layout.read(&wanted)?;
        let mut found = records(store, &place.layout, &place.name, &read).await?;
        let mut rows = Vec::new();
        while let Some(Located { row, .. }) = found.next_located().await? {
            rows.push(row);
        }
        Ok(rows)
    }
}
