//! Writes readings: rows in batches, several at a time. A row is in one batch, so that the order of batches does not matter.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::series::{Dimension, Reading, time};
use tablesmith_store::{
    Action, ActionAnswer, Answer, AtomicBatch, CheckAndMutate, Mutation, Put, Row, RowCheck, Store,
};

use super::meter::Meter;
use super::{Series, SeriesError, packed, tall, versions, wide};

/// Rows of one batch …
const BATCH_ROWS: usize = 500;
/// … and bytes of its cells, roughly.
const BATCH_BYTES: usize = 1 << 20;
/// Packed rows of one batch: each is read and written back as a whole.
const PACKED_ROWS: usize = 64;
/// How often a packed row is tried when others write to it.
const ATTEMPTS: usize = 1_000;

/// The readings of one row by their time; of several at one time the last.
type RowReadings<'r> = BTreeMap<i64, &'r Reading>;

impl Series {
    /// Writes readings, in any order; of several of one entity and time the last stays. When it fails, some may be written.
    pub async fn write(
        &self,
        store: &dyn Store,
        name: &TableName,
        readings: &[Reading],
    ) -> Result<Answer<()>, SeriesError> {
        let meter = self.write_metered(store, name, readings).await?;
        Ok(Answer { value: (), stats: meter.stats })
    }

    /// Writes readings and tells what that took.
    pub(super) async fn write_metered(
        &self,
        store: &dyn Store,
        name: &TableName,
        readings: &[Reading],
    ) -> Result<Meter, SeriesError> {
        let rows = Mutex::new(self.by_row(readings)?.into_iter());
        let lane = || self.write_lane(store, name, &rows);
        let (one, two, three, four) = tokio::try_join!(lane(), lane(), lane(), lane())?;
        Ok(one.beside(two).beside(three).beside(four))
    }

    /// Writes readings of several rows together or not at all; of several of one entity and time the last stays.
    pub(crate) async fn write_atomically(
        &self,
        store: &dyn Store,
        name: &TableName,
        readings: &[Reading],
    ) -> Result<(), SeriesError> {
        let rows: Vec<_> = self.by_row(readings)?.into_iter().collect();
        if self.layout.dimension != Dimension::Packed {
            let puts = rows.iter().map(|(row, readings)| self.put(row.clone(), readings).map(Mutation::Put));
            let writes = vec![(name.clone(), puts.collect::<Result<_, _>>()?)];
            store.atomic_batch(AtomicBatch { writes, ..AtomicBatch::default() }).await?;
            return Ok(());
        }
        for _ in 0..ATTEMPTS {
            let batch = self.packed_batch(store, name, &rows).await?;
            if store.atomic_batch(batch).await?.value {
                return Ok(());
            }
            tokio::task::yield_now().await;
        }
        Err(contended(&rows))
    }

    /// Packed rows with readings changed, if nobody else changes them meanwhile.
    async fn packed_batch(
        &self,
        store: &dyn Store,
        name: &TableName,
        rows: &[(Bytes, RowReadings<'_>)],
    ) -> Result<AtomicBatch, SeriesError> {
        let gets = rows.iter().map(|(row, _)| Action::Get(packed::get(&self.columns, row.clone()))).collect();
        let old = send(store, name, gets, &mut Meter::default()).await?;
        let (mut checks, mut mutations) = (Vec::new(), Vec::new());
        for ((row, readings), old) in rows.iter().zip(&old) {
            let old = if let ActionAnswer::Row(old) = old { old } else { &Row::default() };
            let CheckAndMutate { condition, then } = packed::write(&self.columns, old, row, readings)?;
            checks.push(RowCheck { table: name.clone(), row: row.clone(), condition });
            mutations.extend(then.mutations);
        }
        Ok(AtomicBatch { checks, writes: vec![(name.clone(), mutations)] })
    }

    /// Writes batches of rows as long as there are any.
    async fn write_lane<'r>(
        &self,
        store: &dyn Store,
        name: &TableName,
        rows: &Mutex<impl Iterator<Item = (Bytes, RowReadings<'r>)> + Send>,
    ) -> Result<Meter, SeriesError> {
        let mut meter = Meter::default();
        let is_packed = self.layout.dimension == Dimension::Packed;
        loop {
            if is_packed {
                let portion: Vec<_> = locked(rows).by_ref().take(PACKED_ROWS).collect();
                if portion.is_empty() {
                    return Ok(meter);
                }
                self.write_packed(store, name, portion, &mut meter).await?;
            } else {
                let puts = self.next_puts(&mut *locked(rows))?;
                if puts.is_empty() {
                    return Ok(meter);
                }
                send(store, name, puts, &mut meter).await?;
            }
        }
    }

    /// The next batch; none when all rows are taken.
    fn next_puts<'r>(
        &self,
        rows: &mut impl Iterator<Item = (Bytes, RowReadings<'r>)>,
    ) -> Result<Vec<Action>, SeriesError> {
        let (mut actions, mut bytes) = (Vec::new(), 0);
        while actions.len() < BATCH_ROWS && bytes < BATCH_BYTES {
            let Some((row, readings)) = rows.next() else { break };
            let put = self.put(row, &readings)?;
            bytes += put
                .cells
                .iter()
                .map(|(_, qualifier, _, value)| put.row.len() + qualifier.len() + value.len())
                .sum::<usize>();
            actions.push(Action::Mutate(Mutation::Put(put)));
        }
        Ok(actions)
    }

    /// All readings checked, each with its row.
    fn by_row<'r>(&self, readings: &'r [Reading]) -> Result<BTreeMap<Bytes, RowReadings<'r>>, SeriesError> {
        let mut rows: BTreeMap<Bytes, RowReadings<'r>> = BTreeMap::new();
        for reading in readings {
            self.check(reading)?;
            let key = self.keys.key(&reading.entity, reading.at)?;
            rows.entry(key).or_default().insert(reading.at, reading);
        }
        Ok(rows)
    }

    /// Whether the layout takes a reading.
    pub fn check(&self, reading: &Reading) -> Result<(), SeriesError> {
        for (what, given, wanted) in [
            ("entity", reading.entity.len(), self.layout.entity.len()),
            ("metrics", reading.metrics.len(), self.columns.metrics.len()),
        ] {
            if given != wanted {
                return Err(SeriesError::Shape { what, given, wanted });
            }
        }
        let at = reading.at;
        if at == i64::MAX {
            return Err(SeriesError::NoTime { at, column: self.layout.time.clone() });
        }
        if self.layout.dimension == Dimension::Version {
            self.check_version(at)?;
        }
        Ok(())
    }

    fn check_version(&self, at: i64) -> Result<(), SeriesError> {
        let text =
            || time::value_of(self.keys.time_type, at).map_or(at.to_string(), |value| value.to_string());
        if !versions::can_be_version(at) {
            return Err(SeriesError::NoVersion { at: text() });
        }
        let versions = self.family.versions;
        match self.layout.step(versions.into()) {
            Some(step) if self.columns.offsets.offset(at).is_multiple_of(step) => Ok(()),
            step => Err(SeriesError::BetweenVersions {
                at: text(),
                versions,
                step: step.unwrap_or(u64::MAX),
                needed: self.layout.versions(),
            }),
        }
    }

    /// The cells of a row's readings.
    fn put(&self, row: Bytes, readings: &RowReadings<'_>) -> Result<Put, SeriesError> {
        let mut put = Put::new(row);
        for (at, reading) in readings {
            for (qualifier, value) in self.columns.cells(reading)? {
                let (qualifier, version) = match self.layout.dimension {
                    Dimension::Qualifier => wide::place(&self.columns, &qualifier, *at),
                    Dimension::Version => versions::place(qualifier, *at),
                    Dimension::Row | Dimension::Packed => tall::place(qualifier),
                };
                put.cells.push((self.columns.family.clone(), qualifier, version, value.into()));
            }
        }
        Ok(put)
    }

    /// Changes packed rows until nobody else has changed them in between.
    async fn write_packed(
        &self,
        store: &dyn Store,
        name: &TableName,
        mut rows: Vec<(Bytes, RowReadings<'_>)>,
        meter: &mut Meter,
    ) -> Result<(), SeriesError> {
        for _ in 0..ATTEMPTS {
            let gets =
                rows.iter().map(|(row, _)| Action::Get(packed::get(&self.columns, row.clone()))).collect();
            let old = send(store, name, gets, meter).await?;
            let mut writes = Vec::with_capacity(rows.len());
            for ((row, readings), old) in rows.iter().zip(&old) {
                let old = if let ActionAnswer::Row(old) = old { old } else { &Row::default() };
                writes.push(Action::CheckAndMutate(packed::write(&self.columns, old, row, readings)?));
            }
            let answers = send(store, name, writes, meter).await?;
            let is_done =
                |answer: &ActionAnswer| matches!(answer, ActionAnswer::Checked(outcome) if outcome.success);
            let left = rows.into_iter().zip(&answers).filter(|(_, answer)| !is_done(answer));
            rows = left.map(|(row, _)| row).collect();
            if rows.is_empty() {
                return Ok(());
            }
            tokio::task::yield_now().await;
        }
        Err(contended(&rows))
    }
}

fn contended(rows: &[(Bytes, RowReadings<'_>)]) -> SeriesError {
    let row = rows.first().map(|(row, _)| to_text(row)).unwrap_or_default();
    SeriesError::Contended { row, attempts: ATTEMPTS }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does all actions; the first that fails is the error.
pub(super) async fn send(
    store: &dyn Store,
    name: &TableName,
    actions: Vec<Action>,
    meter: &mut Meter,
) -> Result<Vec<ActionAnswer>, SeriesError> {
    if actions.is_empty() {
        return Ok(Vec::new());
    }
    let answer = meter.timed(store.batch(name, actions)).await?;
    meter.stats += answer.stats;
    Ok(answer.value.into_iter().collect::<Result<_, _>>()?)
}
