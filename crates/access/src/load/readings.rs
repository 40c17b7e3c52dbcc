//! Loads the rows of a file into a table of readings over time.

use std::sync::Arc;
use std::time::Instant;

use tablesmith_model::series::Reading;
use tablesmith_model::source_row::SourceRow;
use tablesmith_model::value::Value;
use tablesmith_store::Store;

use super::all::{LoadSource, LoadWatch, LoadedFile};
use super::laid::has_rows;
use super::made::{Made, Make};
use super::progress::{Kept, Progress};
use crate::error::AccessError;
use crate::series::StoredSeries;
use crate::write::Writer;

/// Makes the readings of rows.
struct MakeReadings<'m> {
    writer: &'m Writer,
    stored: &'m StoredSeries,
}

impl Make for MakeReadings<'_> {
    /// The rows, and the readings that they are.
    type Made = (Vec<Vec<Value>>, Vec<Reading>);

    fn none(&self) -> Self::Made {
        Self::Made::default()
    }

    fn add(&mut self, row: SourceRow, (rows, readings): &mut Self::Made) -> Result<(), String> {
        self.writer.has_key(&self.stored.from, &row.values)?;
        readings.push(self.stored.series.reading(&row.values).map_err(|error| error.to_string())?);
        rows.push(row.values);
        Ok(())
    }

    fn numbers(&self) -> Vec<u64> {
        Vec::new()
    }
}

impl Writer {
    /// Loads readings. Of several of one entity and time the last stays, so that what is repeated after a load broke off
    /// changes nothing.
    pub(super) async fn load_readings(
        self: &Arc<Self>,
        store: &dyn Store,
        stored: &StoredSeries,
        source: LoadSource<'_>,
        watch: &mut dyn LoadWatch,
    ) -> Result<LoadedFile, AccessError> {
        let begun = Instant::now();
        let mut kept = Kept::open(store, source.table, &stored.laid(), source.file).await?;
        let is_there = has_rows(store, &stored.name).await?;
        let mut progress = kept.begin(is_there).await?.unwrap_or_default();
        let before = progress.rows;
        watch.loaded(before);
        let (writer, table) = (Arc::clone(self), source.table.to_owned());
        let mut made = Made::ahead(source.rows, progress.lines, move |making| {
            let Some(stored) = writer.readings_of(&table) else { return };
            making.all(MakeReadings { writer: &writer, stored });
        });
        while !progress.is_done {
            let portion = made.next().await?;
            progress.pass(&portion, watch);
            let (values, readings) = &portion.made;
            stored.write(store, values, readings).await?;
            progress.rows += portion.rows;
            watch.loaded(progress.rows);
            kept.write_now_and_then(&progress).await?;
        }
        let Progress { rows, rejected, .. } = progress;
        Ok(LoadedFile {
            rows,
            before,
            rejected,
            seconds: begun.elapsed().as_secs_f64(),
            ..LoadedFile::default()
        })
    }
}
