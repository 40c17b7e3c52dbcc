//! Loads the rows of a file into a table of readings over time.

use std::sync::Arc;
use std::time::Instant;

use tablesmith_model::series::Reading;
use tablesmith_model::source_row::SourceRow;
use tablesmith_model::value::Value;
use tablesmith_store::Store;

use super::all::{LoadOptions, LoadSource, LoadWatch, LoadedFile};
use super::made::{Made, Make};
use super::progress::{Checkpoint, Progress};
use crate::error::AccessError;
use crate::series::StoredSeries;
use crate::state::has_rows;
use crate::write::Writer;

/// Rows, the readings that they are, and their lines.
#[derive(Default)]
struct Rows {
    rows: Vec<Vec<Value>>,
    readings: Vec<Reading>,
    lines: Vec<u64>,
}

/// Makes the readings of rows.
struct MakeReadings<'m> {
    writer: &'m Writer,
    stored: &'m StoredSeries,
    /// The oldest time that the store keeps.
    kept_from: Option<i64>,
}

impl Make for MakeReadings<'_> {
    type Made = Rows;

    fn none(&self) -> Self::Made {
        Self::Made::default()
    }

    fn add(&mut self, row: SourceRow, made: &mut Rows) -> Result<(), String> {
        self.writer.has_key(&self.stored.from, &row.values)?;
        let reading = self.stored.series.reading(&row.values).map_err(|error| error.to_string())?;
        self.stored.stays(&reading, self.kept_from)?;
        made.readings.push(reading);
        made.rows.push(row.values);
        made.lines.push(row.line);
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
        options: LoadOptions,
        watch: &mut dyn LoadWatch,
    ) -> Result<LoadedFile, AccessError> {
        let begun = Instant::now();
        let (mut kept, mut progress) = (None, Progress::default());
        if options.checkpoints {
            let open = Checkpoint::open(store, source.table, &stored.stored_layouts(), source.file).await?;
            let is_there = has_rows(store, &stored.name).await?;
            progress = open.begin(is_there).await?.unwrap_or_default();
            kept = Some(open);
        }
        let before = progress.rows;
        watch.loaded(before);
        let kept_from = stored.kept_from(store).await?;
        let (writer, table) = (Arc::clone(self), source.table.to_owned());
        let mut made = Made::ahead(source.rows, progress.lines, move |making| {
            let Some(stored) = writer.readings_of(&table) else { return };
            making.all(MakeReadings { writer: &writer, stored, kept_from });
        });
        while !progress.is_done {
            let portion = made.next().await?;
            progress.pass(&portion, watch);
            let refused = write(store, stored, &portion.made).await?;
            for (line, reason) in &refused {
                watch.rejected(*line, 1, reason);
            }
            progress.rows += portion.rows.saturating_sub(refused.len() as u64);
            progress.rejected += refused.len() as u64;
            watch.loaded(progress.rows);
            if let Some(kept) = &mut kept {
                kept.write_now_and_then(&progress).await?;
            }
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

/// Writes readings, and says which do not go in because their packed cell is full: the lines and why.
async fn write(
    store: &dyn Store,
    stored: &StoredSeries,
    Rows { rows, readings, lines }: &Rows,
) -> Result<Vec<(u64, String)>, AccessError> {
    match stored.write(store, rows, readings).await {
        Err(AccessError::TooLarge(_)) => {}
        written => return written.map(|()| Vec::new()),
    }
    let mut refused = Vec::new();
    for ((row, reading), line) in rows.chunks(1).zip(readings.chunks(1)).zip(lines) {
        match stored.write(store, row, reading).await {
            Err(AccessError::TooLarge(reason)) => refused.push((*line, reason)),
            written => written?,
        }
    }
    Ok(refused)
}
