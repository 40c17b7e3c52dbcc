//! A schema in a store: made, loaded, cut into regions of one size.

use std::sync::Arc;
use std::time::Instant;

use tablesmith_access::series::{Series, SeriesError};
use tablesmith_model::TableName;
use tablesmith_store::{FlushScope, RegionInfo, Store, StoreError};

use super::data::Data;
use super::schemas::Schema;

/// Readings that are written at a time. Packed rows are read and written back for each portion.
const PORTION: usize = 200_000;
/// Regions that the largest table gets.
const REGIONS: u64 = 12;
/// How often regions are cut in two at most.
const MOST_CUTS: usize = 6;

/// A schema in a store, with the readings in it.
pub struct Trial {
    /// The schema.
    pub schema: Schema,
    /// Its layout, bound to the table's columns.
    pub series: Series,
    /// The table.
    pub table: TableName,
    /// The store.
    pub store: Arc<dyn Store>,
    /// Readings in it.
    pub readings: u64,
    /// How long it took to write them.
    pub load_s: f64,
    /// Bytes in the store, where it tells.
    pub stored_bytes: Option<u64>,
    /// Regions of the table.
    pub regions: Vec<RegionInfo>,
}

impl Trial {
    /// Makes the table of a schema, anew when there is one, and writes all readings.
    pub async fn load(
        store: Arc<dyn Store>,
        table: TableName,
        schema: Schema,
        data: &Data,
    ) -> Result<Self, SeriesError> {
        let series = Series::new(&data.table, schema.layout.clone())?;
        drop_table(&*store, &table).await?;
        series.create(&*store, &table, Vec::new()).await?;
        let begun = Instant::now();
        let (mut readings, mut count) = ((data.readings)(), 0);
        loop {
            let portion: Vec<_> = readings.by_ref().take(PORTION).collect();
            if portion.is_empty() {
                break;
            }
            series.write(&*store, &table, &portion).await?;
            count += portion.len() as u64;
        }
        let load_s = begun.elapsed().as_secs_f64();
        let whole = FlushScope::Table(table.clone(), None);
        store.flush(whole.clone()).await?;
        store.major_compact(whole).await?;
        let mut trial = Self {
            schema,
            series,
            table,
            store,
            readings: count,
            load_s,
            stored_bytes: None,
            regions: vec![],
        };
        trial.look().await?;
        Ok(trial)
    }

    /// Looks what the table is like now.
    async fn look(&mut self) -> Result<(), StoreError> {
        self.regions = self.store.regions(&self.table).await?;
        self.stored_bytes = self.regions.iter().map(|region| region.load.stored_bytes).sum();
        Ok(())
    }

    /// Cuts regions in two until none is larger than so many bytes. What cannot be cut stays: a row is always whole.
    async fn cut(&mut self, region_bytes: u64) -> Result<(), StoreError> {
        for _ in 0..MOST_CUTS {
            let is_large =
                |region: &&RegionInfo| region.load.stored_bytes.is_some_and(|bytes| bytes > region_bytes);
            let large: Vec<String> = self.regions.iter().filter(is_large).map(RegionInfo::name).collect();
            let before = self.regions.len();
            for region in large {
                match self.store.split_region(&region, None).await {
                    Err(error) if error.is_store_failure() => return Err(error),
                    _ => {}
                }
            }
            self.look().await?;
            if self.regions.len() == before {
                break;
            }
        }
        Ok(())
    }

    /// Gives the regions to the servers in turn: those that a split made stay where it was, and a balancer would take minutes.
    async fn spread(&mut self) -> Result<(), StoreError> {
        let mut servers: Vec<String> =
            self.store.status().await?.servers.into_iter().map(|load| load.server).collect();
        servers.sort();
        for (region, server) in self.regions.iter().zip(servers.iter().cycle()) {
            if region.server != *server {
                self.store.move_region(&region.encoded_name(), Some(server)).await?;
            }
        }
        self.look().await
    }

    /// The servers of the regions that some rows are in, one for each region.
    pub fn servers_of(&self, rows: &[bytes::Bytes]) -> Vec<String> {
        let has_any = |region: &&RegionInfo| rows.iter().any(|row| region.contains(row));
        self.regions.iter().filter(has_any).map(|region| region.server.clone()).collect()
    }

    /// Removes the table.
    pub async fn remove(self) -> Result<(), StoreError> {
        drop_table(&*self.store, &self.table).await
    }
}

/// Cuts all tables into regions of the same size, so that the largest gets twelve, and spreads them over the servers.
pub async fn cut_alike(trials: &mut [Trial]) -> Result<Option<u64>, StoreError> {
    let Some(largest) = trials.iter().filter_map(|trial| trial.stored_bytes).max() else { return Ok(None) };
    let region_bytes = (largest / REGIONS).max(1);
    for trial in trials {
        trial.cut(region_bytes).await?;
        trial.spread().await?;
    }
    Ok(Some(region_bytes))
}

/// Drops a table, if it exists.
pub async fn drop_table(store: &dyn Store, table: &TableName) -> Result<(), StoreError> {
    if store.table_exists(table).await? {
        if store.is_enabled(table).await? {
            store.disable_table(table).await?;
        }
        store.drop_table(table).await?;
    }
    Ok(())
}
