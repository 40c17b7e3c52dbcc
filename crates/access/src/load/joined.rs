//! Makes joined copies after the tables that they are joined of are loaded.

use tablesmith_store::Store;

use super::{LoadWatch, laid};
use crate::error::AccessError;
use crate::records::{Wanted, records};
use crate::repair::{Checker, Repair};
use crate::write::{Batch, Place, Sink, Writer};

impl Writer {
    /// Writes the records of all joined places that one of these tables is part of, by going through the masters. Their
    /// keys follow from their values, so that a repetition after a crash changes nothing.
    pub async fn load_joined(
        &self,
        store: &dyn Store,
        tables: &[String],
        watch: &mut dyn LoadWatch,
    ) -> Result<u64, AccessError> {
        let mut rows = 0;
        let is_touched = |place: &&Place| tables.iter().any(|table| place.record().has(table));
        for place in self.places.iter().filter(|place| !place.is_plain()).filter(is_touched) {
            laid::keep(store, &[place.laid()]).await?;
            // What has a random part in its key is looked for before it is written.
            let mut sink = match place.layout.numbers_rows() {
                true => Sink::Check(Box::new(Checker::new(store, place, Repair::Mend, (0, 1)))),
                false => Sink::Write(Batch::new(store, &place.name, &self.recent)),
            };
            let Some(from) = place.record().tables.first() else { continue };
            let master = self.master(from)?;
            let read = master.layout.read(&Wanted { fields: self.columns(from), ..Wanted::default() })?;
            let mut found = records(store, &master.layout, &master.name, &read).await?;
            while let Some(row) = found.next().await? {
                self.each_joined(store, place, (from, &row), &mut sink).await?;
                rows += 1;
                if rows % 1_000 == 0 {
                    watch.loaded(rows);
                }
            }
            sink.end(self).await?;
        }
        Ok(rows)
    }
}
