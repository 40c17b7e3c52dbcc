//! Writes readings: rows in batches, several at a time.

use std::collections::BTreeMap;

use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::series::{Dimension, Reading, time};
use tablesmith_store::{Action, ActionAnswer, Answer, Mutation, Put, Row, Store};

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
        let rows = self.by_row(readings)?;
        let mut meter = Meter::default();
        if self.layout.dimension == Dimension::Packed {
            let rows: Vec<(Bytes, RowReadings<'_>)> = rows.into_iter().collect();
            for portion in rows.chunks(PACKED_ROWS) {
                self.write_packed(store, name, portion.to_vec(), &mut meter).await?;
            }
        } else {
            self.put_all(store, name, rows, &mut meter).await?;
        }
        Ok(meter)
    }

    async fn put_all(
        &self,
        store: &dyn Store,
        name: &TableName,
        rows: BTreeMap<Bytes, RowReadings<'_>>,
        meter: &mut Meter,
    ) -> Result<(), SeriesError> {
        let (mut actions, mut bytes) = (Vec::new(), 0);
        for (row, readings) in rows {
            let put = self.put(row, &readings)?;
            bytes += put
                .cells
                .iter()
                .map(|(_, qualifier, _, value)| put.row.len() + qualifier.len() + value.len())
                .sum::<usize>();
            actions.push(Action::Mutate(Mutation::Put(put)));
            if actions.len() >= BATCH_ROWS || bytes >= BATCH_BYTES {
                send(store, name, std::mem::take(&mut actions), meter).await?;
                bytes = 0;
            }
        }
        send(store, name, actions, meter).await.map(|_| ())
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

    fn check(&self, reading: &Reading) -> Result<(), SeriesError> {
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
        if self.layout.dimension == Dimension::Version && !versions::can_be_version(at) {
            let at =
                time::value_of(self.keys.time_type, at).map_or(at.to_string(), |value| value.to_string());
            return Err(SeriesError::NoVersion { at });
        }
        Ok(())
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
        let row = rows.first().map(|(row, _)| to_text(row)).unwrap_or_default();
        Err(SeriesError::Contended { row, attempts: ATTEMPTS })
    }
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
