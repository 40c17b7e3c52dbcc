//! Writes to tables that are stored as readings over time: one place each, without copies.

use std::collections::BTreeSet;

use tablesmith_model::plan::Condition;
use tablesmith_model::series::Reading;
use tablesmith_model::value::Value;
use tablesmith_store::Store;

use super::{Writer, Written};
use crate::error::AccessError;
use crate::series::{RangeQuery, StoredSeries};

/// What becomes of a row.
type Changed<'c> = dyn FnMut(&[Value]) -> Result<Vec<Value>, AccessError> + Send + 'c;

/// Entity and time.
type ReadingKey = (Vec<Value>, i64);

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

    /// Changes the readings that meet all conditions.
    pub(super) async fn update_readings(
        &self,
        store: &dyn Store,
        stored: &StoredSeries,
        conditions: &[Condition],
        change: &mut Changed<'_>,
    ) -> Result<Written, AccessError> {
        let series = &stored.series;
        let kept_from = stored.kept_from(store).await?;
        let (mut left, mut moved, mut rows, mut written) =
            (BTreeSet::new(), Vec::new(), Vec::new(), Vec::new());
        for old in self.readings_where(store, stored, conditions).await? {
            let new = change(&old)?;
            self.check(&stored.from, &new)?;
            self.keeps_fixed(stored, conditions, &old, &new)?;
            rows.push(new.clone());
            let (old, new) = (series.reading(&old)?, series.reading(&new)?);
            stored.stays(&new, kept_from).map_err(|reason| {
                AccessError::Data(format!("the reading would not stay: {reason}; DELETE removes it"))
            })?;
            if key_of(&old) != key_of(&new) {
                left.insert(key_of(&old));
                moved.push(key_of(&new));
            }
            written.push(new);
        }
        keeps_apart(store, stored, &left, &moved).await?;
        // The new ones first: when that is refused or breaks off, no reading is lost.
        stored.set(store, &rows, &written).await?;
        let moved: BTreeSet<ReadingKey> = moved.into_iter().collect();
        let left: Vec<ReadingKey> = left.difference(&moved).cloned().collect();
        series.delete(store, &stored.name, &left).await?;
        Ok(Written { rows: written.len() as u64, is_blind: false })
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

/// Refuses changes that would put a reading where another is. Those that are left are where nothing will be.
async fn keeps_apart(
    store: &dyn Store,
    stored: &StoredSeries,
    left: &BTreeSet<ReadingKey>,
    moved: &[ReadingKey],
) -> Result<(), AccessError> {
    let mut taken = BTreeSet::new();
    for (entity, at) in moved {
        let query = RangeQuery::of(entity.clone(), *at, at.saturating_add(1));
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

/// What tells a reading from others.
fn key_of(reading: &Reading) -> ReadingKey {
    (reading.entity.clone(), reading.at)
}
