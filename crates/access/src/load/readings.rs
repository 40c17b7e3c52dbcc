//! Loads the rows of a file into a table of readings over time.

use std::time::Instant;

use tablesmith_model::series::Reading;
use tablesmith_model::source_row::{RowError, SourceRow};
use tablesmith_model::value::Value;
use tablesmith_store::Store;

use super::all::{CHUNK_ROWS, LoadSource, LoadWatch, LoadedFile, has_rows};
use super::progress::{Kept, Progress};
use crate::error::AccessError;
use crate::series::StoredSeries;
use crate::write::Writer;

impl Writer {
    /// Loads readings. Of several of one entity and time the last stays, so that what is repeated after a load broke off
    /// changes nothing.
    pub(super) async fn load_readings(
        &self,
        store: &dyn Store,
        stored: &StoredSeries,
        source: LoadSource<'_>,
        watch: &mut dyn LoadWatch,
    ) -> Result<LoadedFile, AccessError> {
        let begun = Instant::now();
        let name = format!(
            "{} in {} ({:?}) from {}",
            source.table,
            stored.name,
            stored.series.layout(),
            source.file
        );
        let mut kept = Kept::open(store, &name).await?;
        let is_there = has_rows(store, &stored.name).await?;
        let known = kept.read().await?.filter(|progress| is_there || progress.rows == 0);
        let mut progress = known.unwrap_or_default();
        let before = progress.rows;
        watch.loaded(before);
        let mut rows = source.rows.skip(usize::try_from(progress.lines).unwrap_or(usize::MAX));
        while !progress.is_done {
            let (mut values, mut readings) = (Vec::new(), Vec::with_capacity(CHUNK_ROWS));
            while readings.len() < CHUNK_ROWS {
                let Some(row) = rows.next() else {
                    progress.is_done = true;
                    break;
                };
                progress.lines += 1;
                if let Some((row, reading)) = self.reading(stored, row, &mut progress, watch)? {
                    values.push(row);
                    readings.push(reading);
                }
            }
            stored.write(store, &values, &readings).await?;
            progress.rows += readings.len() as u64;
            kept.write_now_and_then(&progress).await?;
            watch.loaded(progress.rows);
        }
        let Progress { rows, rejected, .. } = progress;
        Ok(LoadedFile { rows, before, rejected, seconds: begun.elapsed().as_secs_f64() })
    }

    /// A row and the reading that it is; none when it is rejected.
    fn reading(
        &self,
        stored: &StoredSeries,
        row: Result<SourceRow, RowError>,
        progress: &mut Progress,
        watch: &mut dyn LoadWatch,
    ) -> Result<Option<(Vec<Value>, Reading)>, AccessError> {
        let (line, rows, reason) = match row {
            Ok(row) => match self.has_key(&stored.from, &row.values) {
                Err(reason) => (row.line, 1, reason),
                Ok(()) => match stored.series.reading(&row.values) {
                    Ok(reading) => return Ok(Some((row.values, reading))),
                    Err(error) => (row.line, 1, error.to_string()),
                },
            },
            Err(RowError::Rejected(rejected)) => (rejected.first_line, rejected.rows, rejected.reason),
            Err(RowError::Failed(message)) => return Err(AccessError::Data(message)),
        };
        progress.rejected += rows;
        watch.rejected(line, rows, &reason);
        Ok(None)
    }
}
