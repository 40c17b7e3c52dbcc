//! Rows of a table that change, with all index rows: in atomic batches, or in the order that survives a crash.

use std::collections::HashMap;

use bytes::Bytes;
use tablesmith_model::design::ColumnOf;
use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::value::Value;
use tablesmith_store::{Delete, Put, Store};

use super::move_rows::Moving;
use super::net::NetWrites;
use super::order::{Step, steps};
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

/// What becomes of a row of the base table.
enum BaseChange<'c> {
    Nothing,
    /// It is removed from this row.
    Delete(&'c Bytes, &'c [Value]),
    /// It is added.
    Put(Put),
    /// It is written over, without what is null now.
    Row(Put, Option<Delete>),
    /// It goes from one row, or one cell of it, to another.
    Move {
        from: &'c Bytes,
        old: &'c [Value],
        to: Bytes,
        new: &'c [Value],
    },
}

impl Change {
    fn old(&self) -> Option<&[Value]> {
        if let Old::Row(_, values) = &self.old { Some(values) } else { None }
    }
}

/// Joined records of one change that are written together with its base row; where there are more, they are written
/// before and behind it in batches.
const MOST_TOGETHER: usize = 5_000;

impl Writer {
    /// Changes rows of a table in its base table and in all index tables: in atomic batches, a row with all that hangs
    /// on it in one, or, where the store has none, in the order that survives a crash.
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
        let steps = steps(&self.waits_for(table, changes));
        if store.has_atomic_batches() {
            return self.apply_together(store, table, changes, &steps).await;
        }
        if let Some(cycle) = steps.iter().find(|step| step.changes.len() > 1) {
            let first = cycle.changes.first().and_then(|at| changes.get(*at)).and_then(|change| change.old());
            return Err(AccessError::Data(format!(
                "rows of {table:?} would take each other's keys, the one with the key {} among them, and the store writes \
                 one row at a time: change them in several statements, through a key that no row has",
                self.key_text(table, first.unwrap_or_default())
            )));
        }
        let mut waves: Vec<Vec<&Change>> = Vec::new();
        for Step { changes: now, depth } in &steps {
            waves.resize_with(waves.len().max(depth + 1), Vec::new);
            if let Some(wave) = waves.get_mut(*depth) {
                wave.extend(now.iter().filter_map(|at| changes.get(*at)));
            }
        }
        for wave in waves {
            self.apply_in_order(store, table, &wave).await?;
        }
        Ok(())
    }

    /// For each change which other one has to be made first, as it is about the row that has its key.
    fn waits_for(&self, table: &str, changes: &[Change]) -> Vec<Option<usize>> {
        let mut leaving = HashMap::new();
        let mut taking = Vec::new();
        for (at, change) in changes.iter().enumerate() {
            let (Some(old), Some(new)) = (change.old(), &change.new) else { continue };
            let (old, new) = (self.key_of(table, old), self.key_of(table, new));
            if old != new {
                leaving.insert(old, at);
                taking.push((at, new));
            }
        }
        let mut waits_for = vec![None; changes.len()];
        for (at, key) in taking {
            if let Some(slot) = waits_for.get_mut(at) {
                *slot = leaving.get(&key).copied();
            }
        }
        waits_for
    }

    /// Makes changes in atomic batches: each step, with all index rows, in one.
    async fn apply_together(
        &self,
        store: &dyn Store,
        table: &str,
        changes: &[Change],
        steps: &[Step],
    ) -> Result<(), AccessError> {
        let mut net = NetWrites::new(self);
        for step in steps {
            let now: Vec<&Change> = step.changes.iter().filter_map(|at| changes.get(*at)).collect();
            let mut large = Vec::new();
            for change in &now {
                for place in self.collect(store, table, change, &mut net).await? {
                    large.push((place, *change));
                }
            }
            for (place, change) in &large {
                let batch = Batch::new(store, &place.name, &self.recent);
                self.do_all(store, place, table, &[*change], Sink::Remove(batch)).await?;
            }
            if net.is_full() || !large.is_empty() {
                net.send(store, None).await?;
            }
            for (place, change) in &large {
                let batch = Batch::new(store, &place.name, &self.recent);
                self.do_all(store, place, table, &[*change], Sink::Write(batch)).await?;
            }
        }
        net.send(store, None).await.map(drop)
    }

    /// Collects what a change writes to its base table and to index tables; the places with too many records are left to
    /// the caller.
    pub(super) async fn collect<'w>(
        &'w self,
        store: &dyn Store,
        table: &str,
        change: &Change,
        net: &mut NetWrites<'w>,
    ) -> Result<Vec<&'w Place>, AccessError> {
        let mut large = Vec::new();
        for place in self.copies(table, false).chain(self.copies(table, true)) {
            if !self.touches(place, table, change) {
                continue;
            }
            let old = self.records_of(store, place, table, change.old()).await?;
            let new = self.records_of(store, place, table, change.new.as_deref()).await?;
            let (Some(old), Some(new)) = (old, new) else {
                large.push(place);
                continue;
            };
            for values in old {
                for row in self.rows_that_hold(store, place, &values).await? {
                    net.remove(place, row, values.clone())?;
                }
            }
            for values in new {
                net.write(place, place.put_new(&values)?, None, values)?;
            }
        }
        self.collect_base(table, change, net)?;
        Ok(large)
    }

    /// The records of a place that a row is part of; `None` where they are too many to be kept.
    async fn records_of(
        &self,
        store: &dyn Store,
        place: &Place,
        table: &str,
        row: Option<&[Value]>,
    ) -> Result<Option<Vec<Vec<Value>>>, AccessError> {
        let Some(row) = row else { return Ok(Some(Vec::new())) };
        let mut sink = Sink::Collect(Vec::new(), MOST_TOGETHER);
        self.each_joined(store, place, (table, row), &mut sink).await?;
        let is_full = sink.is_full();
        let Sink::Collect(records, _) = sink else { return Ok(None) };
        Ok((!is_full).then_some(records))
    }

    fn collect_base<'w>(
        &'w self,
        table: &str,
        change: &Change,
        net: &mut NetWrites<'w>,
    ) -> Result<(), AccessError> {
        let base = self.master(table)?;
        let values = || change.new.clone().unwrap_or_default();
        match self.base_change(table, base, change)? {
            BaseChange::Nothing => Ok(()),
            BaseChange::Delete(row, old) => net.remove(base, row.clone(), old.to_vec()),
            BaseChange::Put(put) => net.write(base, put, None, values()),
            BaseChange::Row(put, nulls) => net.write(base, put, nulls, values()),
            BaseChange::Move { from, old, to, new } => {
                net.remove(base, from.clone(), old.to_vec())?;
                let nulls = base.delete_nulls(to.clone(), None, new);
                net.write(base, base.put(to, new)?, nulls, new.to_vec())
            }
        }
    }

    /// Makes changes of rows that do not wait for each other, in the order that survives a crash.
    async fn apply_in_order(
        &self,
        store: &dyn Store,
        table: &str,
        changes: &[&Change],
    ) -> Result<(), AccessError> {
        for place in self.copies(table, false).chain(self.copies(table, true)) {
            let batch = Batch::new(store, &place.name, &self.recent);
            self.do_all(store, place, table, changes, Sink::Remove(batch)).await?;
        }
        self.write_base(store, table, changes).await?;
        self.write_copies(store, table, changes).await
    }

    /// Writes what the copies have of the new rows, once the master has them.
    pub(super) async fn write_copies(
        &self,
        store: &dyn Store,
        table: &str,
        changes: &[&Change],
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
        changes: &[&Change],
        mut sink: Sink<'_>,
    ) -> Result<(), AccessError> {
        for change in changes.iter().filter(|change| self.touches(place, table, change)) {
            let row = match sink {
                Sink::Remove(_) => change.old(),
                Sink::Write(_) | Sink::Collect(..) | Sink::Check(_) => change.new.as_deref(),
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

    /// Writes base rows. Those that move come last, each with where it was.
    async fn write_base(
        &self,
        store: &dyn Store,
        table: &str,
        changes: &[&Change],
    ) -> Result<(), AccessError> {
        let base = self.master(table)?;
        let mut batch = Batch::new(store, &base.name, &self.recent);
        let mut moving = Vec::new();
        for change in changes {
            match self.base_change(table, base, change)? {
                BaseChange::Nothing => {}
                BaseChange::Delete(row, old) => batch.delete(base.delete(row.clone(), old)?).await?,
                BaseChange::Put(put) => batch.put(put).await?,
                BaseChange::Row(put, nulls) => batch.row(put, nulls).await?,
                BaseChange::Move { from, old, to, new } => {
                    let (from, to) = (base.cells_of(from.clone(), old)?, base.cells_of(to, new)?);
                    moving.push(Moving { from, to, new });
                }
            }
        }
        batch.send().await?;
        self.move_rows(store, base, &moving).await
    }

    /// What a change does to its base row.
    fn base_change<'c>(
        &self,
        table: &str,
        base: &Place,
        change: &'c Change,
    ) -> Result<BaseChange<'c>, AccessError> {
        Ok(match (&change.old, &change.new) {
            (Old::Absent | Old::Unknown, None) => BaseChange::Nothing,
            (Old::Row(row, old), None) => BaseChange::Delete(row, old),
            (Old::Absent, Some(new)) => BaseChange::Put(base.put_new(new)?),
            (Old::Unknown, Some(new)) => {
                let row = base.new_row(new)?;
                let nulls = base.delete_nulls(row.clone(), None, new);
                BaseChange::Row(base.put(row, new)?, nulls)
            }
            (Old::Row(from, old), Some(new)) => {
                let to = self.row_after(base, from, old, new)?;
                if to != *from || self.moves_inside(base, table, old, new) {
                    BaseChange::Move { from, old, to, new }
                } else {
                    let nulls = base.delete_nulls(to.clone(), Some(old), new);
                    BaseChange::Row(base.put(to, new)?, nulls)
                }
            }
        })
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
