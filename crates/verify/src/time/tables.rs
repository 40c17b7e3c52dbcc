//! The tables of layouts that are measured: made in the namespace of trials, loaded, and removed.

use std::time::Instant;

use tablesmith_access::series::{Series, SeriesError};
use tablesmith_model::TableName;
use tablesmith_model::series::{Reading, SeriesLayout};
use tablesmith_model::workload::Table;
use tablesmith_store::{FlushScope, Store, StoreError};

use crate::trial;

/// Readings that are written at once when a table is loaded.
const BATCH: usize = 5_000;

/// Why layouts could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum TimeError {
    /// A layout could not be carried out.
    #[error("layout {layout}: {source}")]
    Layout {
        /// Its name.
        layout: String,
        /// What went wrong.
        source: SeriesError,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Somebody wants to stop.
    #[error("measuring was stopped: what it had made is removed")]
    Stopped,
}

impl TimeError {
    /// Whether one layout is to blame, and others may do: the store itself is fine.
    pub fn is_of_layout(&self) -> bool {
        match self {
            Self::Layout { source: SeriesError::Store(error), .. } => !error.is_store_failure(),
            Self::Layout { .. } => true,
            Self::Store(_) | Self::Stopped => false,
        }
    }
}

/// A layout with its table.
pub struct Placed {
    pub layout: SeriesLayout,
    pub series: Series,
    pub name: TableName,
    /// What loading took, the flush included.
    pub load_ms: f64,
    /// Bytes of a reading, as the store counts what it keeps.
    pub reading_bytes: Option<f64>,
}

impl Placed {
    /// Makes the table of a layout and loads readings, which are sorted by entity and time. When that fails, or `goes_on`
    /// says no, the table is removed again.
    pub async fn load(
        store: &dyn Store,
        table: &Table,
        layout: &SeriesLayout,
        number: usize,
        readings: &[Reading],
        goes_on: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<Self, TimeError> {
        let failed = |source: SeriesError| TimeError::Layout { layout: layout.name(), source };
        // A sample of old readings must not be gone before it is asked.
        let table = &Table { retention: None, ..table.clone() };
        let series = Series::new(table, layout.clone()).map_err(failed)?;
        let name = trial::free_name(store, &format!("time_{number}"), &table.name).await?;
        series.create(store, &name, Vec::new()).await.map_err(failed)?;
        let begun = Instant::now();
        match fill(store, &series, &name, readings, goes_on).await {
            Ok(true) => {}
            Ok(false) => {
                trial::remove(store, [name]).await?;
                return Err(TimeError::Stopped);
            }
            Err(error) => {
                trial::remove(store, [name]).await?;
                return Err(failed(error));
            }
        }
        let load_ms = begun.elapsed().as_secs_f64() * 1e3;
        store.major_compact(FlushScope::Table(name.clone(), None)).await?;
        let stored = stored_bytes(store, &name).await?;
        let reading_bytes = stored.map(|bytes| bytes as f64 / readings.len().max(1) as f64);
        Ok(Self { layout: layout.clone(), series, name, load_ms, reading_bytes })
    }
}

impl Placed {
    /// Writes more readings.
    pub async fn write(&self, store: &dyn Store, readings: &[Reading]) -> Result<(), TimeError> {
        for batch in readings.chunks(BATCH) {
            let written = self.series.write(store, &self.name, batch).await;
            written.map_err(|source| TimeError::Layout { layout: self.layout.name(), source })?;
        }
        Ok(())
    }
}

/// Writes all readings; false when it was stopped before.
async fn fill(
    store: &dyn Store,
    series: &Series,
    name: &TableName,
    readings: &[Reading],
    goes_on: &mut (dyn FnMut() -> bool + Send),
) -> Result<bool, SeriesError> {
    for batch in readings.chunks(BATCH) {
        if !goes_on() {
            return Ok(false);
        }
        series.write(store, name, batch).await?;
    }
    store.flush(FlushScope::Table(name.clone(), None)).await?;
    Ok(true)
}

async fn stored_bytes(store: &dyn Store, name: &TableName) -> Result<Option<u64>, StoreError> {
    let regions = store.regions(name).await?;
    Ok(regions.iter().map(|region| region.load.stored_bytes).sum())
}

/// Removes the tables again.
pub async fn remove(store: &dyn Store, placed: &[Placed]) -> Result<(), StoreError> {
    trial::remove(store, placed.iter().map(|placed| placed.name.clone())).await
}
