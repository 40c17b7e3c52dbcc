//! Writes to tables that are stored as readings over time: one place each, without copies.

use std::collections::{BTreeMap, BTreeSet};

use tablesmith_model::plan::Condition;
use tablesmith_model::series::Reading;
use tablesmith_model::value::Value;
use tablesmith_store::Store;

use super::order::steps;
use super::{Writer, Written};
use crate::error::AccessError;
use crate::series::{RangeQuery, StoredSeries};

/// What becomes of a row.
type Changed<'c> = dyn FnMut(&[Value]) -> Result<Vec<Value>, AccessError> + Send + 'c;

/// Entity and time.
type ReadingKey = (Vec<Value>, i64);

/// Readings that move in one atomic batch. A cycle may make it more.
const MOVED_TOGETHER: usize = 500;

impl Writer {
    /// Where a table is stored, when that is as readings over time.
    pub(crate) fn readings_of(&self, table: &str) -> Option<&StoredSeries> {
        self.series.iter().find(|stored| stored.from == table)
    }

    /// Adds rows as readings; the last of one entity and time stays.
    pub(super) async fn insert_readings(
        &self,
        store: &dyn Store,
        stored: &StoredSeries,
        rows: &[Vec<Value>],
    ) -> Result<Written, AccessError> {
        let readings = rows.iter().map(|row| stored.series.reading(row)).collect::<Result<Vec<_>, _>>()?;
        let kept_from = stored.kept_from(store).await?;
        for reading in &readings {
            stored.stays(reading, kept_from).map_err(AccessError::Data)?;
        }
        stored.write(store, rows, &readings).await?;
        Ok(Written { rows: rows.len() as u64, is_blind: false })
    }

    /// Changes the readings that meet all conditions of one of several sets.
    pub(super) async fn update_readings(
        &self,
        store: &dyn Store,
        stored: &StoredSeries,
        conditions: &[Vec<Condition>],
        change: &mut Changed<'_>,
    ) -> Result<Written, AccessError> {
        let series = &stored.series;
        let kept_from = stored.kept_from(store).await?;
        let (mut rows, mut stay, mut moved) = (Vec::new(), Vec::new(), Vec::new());
        for conditions in conditions {
            for old in self.readings_where(store, stored, conditions).await? {
                let new = change(&old)?;
                self.check(&stored.from, &new)?;
                self.keeps_fixed(stored, conditions, &old, &new)?;
                rows.push(new.clone());
                let (old, new) = (series.reading(&old)?, series.reading(&new)?);
                stored.stays(&new, kept_from).map_err(|reason| {
                    AccessError::Data(format!("the reading would not stay: {reason}; DELETE removes it"))
                })?;
                match key_of(&old) == key_of(&new) {
                    true => stay.push(new),
                    false => moved.push(MovedReading { old: key_of(&old), new }),
                }
            }
        }
        keeps_apart(store, stored, &moved).await?;
        let batches = batches(store, stored, &moved)?;
        stored.set_fixed(store, &rows).await?;
        series.write(store, &stored.name, &stay).await?;
        for batch in batches {
            if store.has_atomic_batches() {
                series.write_atomically(store, &stored.name, &batch).await?;
            } else {
                series.write(store, &stored.name, &batch).await?;
            }
        }
        Ok(Written { rows: rows.len() as u64, is_blind: false })
    }

    /// Refuses to change for some readings of an entity what is stored once for all of them.
    fn keeps_fixed(
        &self,
        stored: &StoredSeries,
        conditions: &[Condition],
        old: &[Value],
        new: &[Value],
    ) -> Result<(), AccessError> {
        let Some(fixed) = &stored.fixed else { return Ok(()) };
        let of_all = |column: &String| fixed.entity().contains(column) || fixed.place(column).is_some();
        if conditions.iter().all(|condition| of_all(&condition.column)) {
            return Ok(());
        }
        let columns = self.columns(&stored.from);
        let mut changed = columns.iter().zip(old.iter().zip(new)).filter(|(_, (old, new))| old != new);
        match changed.find(|(column, _)| fixed.place(column).is_some()) {
            None => Ok(()),
            Some((column, _)) => Err(AccessError::Data(format!(
                "{column:?} depends on {entity} alone and is stored once for all its readings: it cannot change for some of \
                 them; let the conditions be on {entity} and nothing else, each with AND",
                entity = fixed.entity().join(", "),
            ))),
        }
    }

    /// Removes the readings that meet all conditions.
    pub(super) async fn delete_readings(
        &self,
        store: &dyn Store,
        stored: &StoredSeries,
        conditions: &[Condition],
    ) -> Result<Written, AccessError> {
        let found = self.readings_where(store, stored, conditions).await?;
        let readings = found.iter().map(|row| stored.series.reading(row)).collect::<Result<Vec<_>, _>>()?;
        let keys: Vec<ReadingKey> = readings.iter().map(key_of).collect();
        stored.series.delete(store, &stored.name, &keys).await?;
        Ok(Written { rows: keys.len() as u64, is_blind: false })
    }

    /// The rows that meet all conditions, with all their values.
    async fn readings_where(
        &self,
        store: &dyn Store,
        stored: &StoredSeries,
        conditions: &[Condition],
    ) -> Result<Vec<Vec<Value>>, AccessError> {
        let columns = self.columns(&stored.from);
        let mut found = stored.rows(store, &columns, conditions).await?;
        let mut all = Vec::new();
        loop {
            let rows = found.next().await?;
            if rows.is_empty() {
                return Ok(all);
            }
            all.extend(rows);
        }
    }
}

/// A reading that gets another entity or time.
struct MovedReading {
    old: ReadingKey,
    new: Reading,
}

/// Refuses changes that would put a reading where another is. Those that are left are where nothing will be.
async fn keeps_apart(
    store: &dyn Store,
    stored: &StoredSeries,
    moved: &[MovedReading],
) -> Result<(), AccessError> {
    let left: BTreeSet<&ReadingKey> = moved.iter().map(|moved| &moved.old).collect();
    let mut taken = BTreeSet::new();
    for (entity, at) in moved.iter().map(|moved| key_of(&moved.new)) {
        let query = RangeQuery::of(entity.clone(), at, at.saturating_add(1));
        let there = stored.series.range(store, &stored.name, &query).await?.all().await?.value;
        let is_other = there.iter().any(|there| !left.contains(&key_of(there)));
        if is_other || !taken.insert((entity, at)) {
            return Err(AccessError::Data(format!(
                "two readings of {:?} would be of the same entity and time: remove one of them first",
                stored.from
            )));
        }
    }
    Ok(())
}

/// What is written for readings that move, in batches that each leave no reading twice and none lost: first nothing where
/// they were, then the new ones. A store that writes one row at a time moves them only inside of rows.
fn batches(
    store: &dyn Store,
    stored: &StoredSeries,
    moved: &[MovedReading],
) -> Result<Vec<Vec<Reading>>, AccessError> {
    let series = &stored.series;
    let write = |moved: &[&MovedReading]| -> Vec<Reading> {
        let old = moved.iter().map(|moved| series.removal(&moved.old.0, moved.old.1));
        old.chain(moved.iter().map(|moved| moved.new.clone())).collect()
    };
    if !store.has_atomic_batches() {
        for MovedReading { old, new } in moved {
            if series.row_key(&old.0, old.1)? != series.row_key(&new.entity, new.at)? {
                return Err(AccessError::Data(format!(
                    "a data point of {:?} would move to another row of {}, and the store writes one row at a time: INSERT it \
                     with its new entity or time, then DELETE the old one",
                    stored.from, stored.name
                )));
            }
        }
        let all: Vec<&MovedReading> = moved.iter().collect();
        return Ok(if all.is_empty() { Vec::new() } else { vec![write(&all)] });
    }
    let places: BTreeMap<&ReadingKey, usize> =
        moved.iter().enumerate().map(|(at, moved)| (&moved.old, at)).collect();
    let waits_for: Vec<Option<usize>> =
        moved.iter().map(|moved| places.get(&key_of(&moved.new)).copied()).collect();
    let (mut batches, mut now) = (Vec::new(), Vec::new());
    for step in steps(&waits_for) {
        now.extend(step.changes.iter().filter_map(|at| moved.get(*at)));
        if now.len() >= MOVED_TOGETHER {
            batches.push(write(&std::mem::take(&mut now)));
        }
    }
    if !now.is_empty() {
        batches.push(write(&now));
    }
    Ok(batches)
}

/// What tells a reading from others.
fn key_of(reading: &Reading) -> ReadingKey {
    (reading.entity.clone(), reading.at)
}
