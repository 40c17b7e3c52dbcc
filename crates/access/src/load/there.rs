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
use crate::write::{Change, Old, Place, Writer};

impl Writer {
    /// The keys of a table's rows, as far as they are known without reading them.
    pub(super) async fn known_keys(&self, store: &dyn Store, table: &str) -> Result<Keys, AccessError> {
        let master = self.master(table)?;
        let read = master.layout.read(&Wanted { limit: Some(1), ..Wanted::default() })?;
        let first = records(store, &master.layout, &master.name, &read).await?.next().await?;
        Ok(if first.is_none() { Keys::none() } else { Keys::Unknown })
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
        let old = self.rows_with_keys_of(store, table, &rows).await?;
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
