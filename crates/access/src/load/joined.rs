//! Makes joined copies after the tables that they are joined of are loaded.

use futures_util::future::try_join_all;
use tablesmith_model::value::Value;
use tablesmith_store::Store;
use tokio::sync::Mutex;

use super::{LoadOptions, LoadWatch};
use crate::error::AccessError;
use crate::records::{RecordStream, Wanted, records};
use crate::repair::{Checker, Repair};
use crate::state;
use crate::write::{Batch, Place, Sink, Writer};

/// Rows for which other tables are asked at the same time, for each batch that the store takes at once: most of the time goes
/// into waiting for short answers.
const ROWS_FOR_EACH_BATCH: usize = 4;

/// Rows whose records are made together, over all who make them.
const ROWS_TOGETHER: usize = 1_000;

/// The rows that joined copies begin with, for all who make them.
struct Rows<'w> {
    stream: RecordStream<'w>,
    /// How many are handed out at once.
    portion: usize,
    /// How many were taken.
    taken: u64,
    watch: &'w mut dyn LoadWatch,
}

impl Writer {
    /// Writes the records of all joined places that one of these tables is part of, by going through the masters. Their
    /// keys follow from their values, so that a repetition after a crash changes nothing.
    pub async fn load_joined(
        &self,
        store: &dyn Store,
        tables: &[String],
        options: LoadOptions,
        watch: &mut dyn LoadWatch,
    ) -> Result<u64, AccessError> {
        let store = &self.statement(store).await? as &dyn Store;
        let mut taken = 0;
        let is_touched = |place: &&Place| tables.iter().any(|table| place.record().has(table));
        for place in self.places.iter().filter(|place| !place.is_plain()).filter(is_touched) {
            if options.checkpoints {
                state::keep(store, &[place.stored_layout()]).await?;
            }
            let Some(from) = place.record().tables.first() else { continue };
            let master = self.master(from)?;
            let read = master.layout.read(&Wanted { fields: self.columns(from), ..Wanted::default() })?;
            let stream = records(store, &master.layout, &master.name, &read).await?;
            let lanes = match store.batches_at_once() {
                1 => 1,
                batches => batches * ROWS_FOR_EACH_BATCH,
            };
            let portion = ROWS_TOGETHER.div_ceil(lanes);
            let rows = Mutex::new(Rows { stream, portion, taken, watch: &mut *watch });
            try_join_all((0..lanes).map(|_| self.join_lane(store, place, from, &rows))).await?;
            taken = rows.into_inner().taken;
        }
        Ok(taken)
    }

    /// Makes the records of a place that rows are part of, as long as there are rows.
    async fn join_lane(
        &self,
        store: &dyn Store,
        place: &Place,
        from: &str,
        rows: &Mutex<Rows<'_>>,
    ) -> Result<(), AccessError> {
        // What has a random part in its key is looked for before it is written.
        let mut sink = match place.layout.numbers_rows() {
            true => Sink::Check(Box::new(Checker::new(store, place, Repair::Mend, (0, 1)))),
            false => Sink::Write(Batch::new(store, &place.name, &self.recent)),
        };
        loop {
            let rows = rows.lock().await.next().await?;
            if rows.is_empty() {
                return sink.end(self).await;
            }
            self.all_joined(store, place, (from, &rows), &mut sink).await?;
        }
    }
}

impl Rows<'_> {
    /// The next rows; none after the last.
    async fn next(&mut self) -> Result<Vec<Vec<Value>>, AccessError> {
        let mut rows = Vec::new();
        while rows.len() < self.portion {
            let Some(row) = self.stream.next().await? else { break };
            rows.push(row);
        }
        self.taken += rows.len() as u64;
        self.watch.loaded(self.taken);
        Ok(rows)
    }
}
