//! Makes joined copies after the tables that they are joined of are loaded.

use tablesmith_model::value::Value;
use tablesmith_store::Store;
use tokio::sync::Mutex;

use super::at_once::try_join_all;
use super::{LoadWatch, laid};
use crate::error::AccessError;
use crate::records::{RecordStream, Wanted, records};
use crate::repair::{Checker, Repair};
use crate::write::{Batch, Place, Sink, Writer};

/// Rows for which other tables are asked at the same time, for each batch that the store takes at once: most of the time goes
/// into waiting for short answers.
const ROWS_FOR_EACH_BATCH: usize = 4;

/// The rows that joined copies begin with, for all who make them.
struct Rows<'w> {
    stream: RecordStream<'w>,
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
        watch: &mut dyn LoadWatch,
    ) -> Result<u64, AccessError> {
        let mut taken = 0;
        let is_touched = |place: &&Place| tables.iter().any(|table| place.record().has(table));
        for place in self.places.iter().filter(|place| !place.is_plain()).filter(is_touched) {
            laid::keep(store, &[place.laid()]).await?;
            let Some(from) = place.record().tables.first() else { continue };
            let master = self.master(from)?;
            let read = master.layout.read(&Wanted { fields: self.columns(from), ..Wanted::default() })?;
            let stream = records(store, &master.layout, &master.name, &read).await?;
            let rows = Mutex::new(Rows { stream, taken, watch: &mut *watch });
            let lanes = match store.batches_at_once() {
                1 => 1,
                batches => batches * ROWS_FOR_EACH_BATCH,
            };
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
            let row = rows.lock().await.next().await?;
            let Some(row) = row else { return sink.end(self).await };
            self.each_joined(store, place, (from, &row), &mut sink).await?;
        }
    }
}

impl Rows<'_> {
    /// The next row.
    async fn next(&mut self) -> Result<Option<Vec<Value>>, AccessError> {
        let row = self.stream.next().await?;
        self.taken += u64::from(row.is_some());
        if row.is_some() && self.taken.is_multiple_of(1_000) {
            self.watch.loaded(self.taken);
        }
        Ok(row)
    }
}
