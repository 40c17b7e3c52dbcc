//! Rows that are there already with the keys of rows that are loaded: the new ones take their place everywhere.

use std::collections::HashSet;

use tablesmith_model::source_row::SourceRow;
use tablesmith_model::value::Value;
use tablesmith_store::Store;

use super::keys::Keys;
use super::puts::Puts;
use crate::error::AccessError;
use crate::records::{Wanted, records};
use crate::repair::{Checker, Repair};
use crate::write::{Change, FindBy, Old, Place, Writer};

impl Writer {
    /// The keys of a table's rows, as far as they are known without reading them. Copies of rows that are not there any more
    /// would be found beside new ones: that is refused.
    pub(super) async fn known_keys(&self, store: &dyn Store, table: &str) -> Result<Keys, AccessError> {
        let master = self.master(table)?;
        if has_records(store, master).await? {
            return Ok(self.loaded_keys.take(table).unwrap_or(Keys::Unknown));
        }
        let copies = self.places.iter().filter(|place| place.record().has(table) && !place.is_master);
        for copy in copies {
            if has_records(store, copy).await? {
                return Err(AccessError::Data(format!(
                    "{} has rows, and {}, which they are copies of, has none: empty it, too (truncate in tablesmith shell), or \
                     remove them with tablesmith repair --yes",
                    copy.name, master.name
                )));
            }
        }
        Ok(Keys::none())
    }

    /// Makes way for rows that may be there already: what differs is changed as a statement would, so that no copy of the old
    /// row stays. What is there under a number keeps it. How many rows were other ones.
    pub(super) async fn make_way(
        &self,
        store: &dyn Store,
        table: &str,
        places: &[&Place],
        puts: &mut Puts,
    ) -> Result<u64, AccessError> {
        let again = std::mem::take(&mut puts.again);
        let (lines, rows): (Vec<u64>, Vec<Vec<Value>>) =
            again.into_iter().map(|SourceRow { line, values }| (line, values)).unzip();
        let find_by = puts.find_by.unwrap_or(FindBy::Nothing);
        let old = self.rows_there(store, table, find_by, &rows).await?;
        let (mut there, mut known, mut changes) = (HashSet::new(), Vec::new(), Vec::new());
        for (line, (old, row)) in lines.into_iter().zip(old.into_iter().zip(rows)) {
            let Old::Row(_, values) = &old else { continue };
            there.insert(line);
            known.push(row.clone());
            if *values != row {
                changes.push((line, Change { old, new: Some(row) }));
            }
        }
        let (changed, changes): (Vec<u64>, Vec<Change>) = changes.into_iter().unzip();
        self.apply(store, table, &changes).await?;
        for (place, lanes) in places.iter().zip(&mut puts.places) {
            // What is there and did not change is written once more: a load that broke off may have left no copy of it.
            if !place.layout.numbers_rows() {
                let lines = changed.iter().zip(&changes);
                let is_written = |change| place.is_master || self.touches(place, table, change);
                let lines = lines.filter(|(_, change)| is_written(change)).map(|(line, _)| *line);
                lanes.leave_out(&lines.collect());
                continue;
            }
            lanes.leave_out(&there);
            if !place.is_master {
                self.find_or_write(store, place, &known).await?;
            }
        }
        Ok(changes.len() as u64)
    }

    /// Writes what a numbered place lacks of some rows.
    async fn find_or_write(
        &self,
        store: &dyn Store,
        place: &Place,
        rows: &[Vec<Value>],
    ) -> Result<(), AccessError> {
        let mut checker = Checker::new(store, place, Repair::Mend, (0, 1));
        for row in rows {
            checker.take(self, row.clone()).await?;
        }
        checker.send(self).await
    }
}

/// Whether a place has a record.
async fn has_records(store: &dyn Store, place: &Place) -> Result<bool, AccessError> {
    let read = place.layout.read(&Wanted { limit: Some(1), ..Wanted::default() })?;
    Ok(records(store, &place.layout, &place.name, &read).await?.next().await?.is_some())
}
