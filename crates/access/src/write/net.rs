//! What changes come to in all tables, written in atomic batches: a base row and its index rows change together.
//!
//! A batch has one timestamp, and a tombstone hides what is written with its own. So a record that leaves a place which
//! another one takes is written over, and no tombstone is written there.

use std::collections::{BTreeMap, HashMap};

use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_model::value::Value;
use tablesmith_store::{AtomicBatch, Delete, Mutation, Put, RowCheck, Store};

use super::{Place, Writer};
use crate::error::AccessError;

/// Places that are written in one batch. One change may make it more.
const BATCH_PLACES: usize = 500;

/// What becomes of the places of records.
pub(super) struct NetWrites<'w> {
    writer: &'w Writer,
    by_place: HashMap<(usize, Bytes, Option<Bytes>), usize>,
    writes: Vec<NetWrite<'w>>,
}

/// What becomes of one place of a record.
struct NetWrite<'w> {
    place: &'w Place,
    row: Bytes,
    /// The record that leaves it.
    removed: Option<Vec<Value>>,
    /// What is written there.
    written: Option<WrittenRecord>,
}

struct WrittenRecord {
    put: Put,
    /// Removes what is null now.
    nulls: Option<Delete>,
    values: Vec<Value>,
}

impl<'w> NetWrites<'w> {
    pub fn new(writer: &'w Writer) -> Self {
        Self { writer, by_place: HashMap::new(), writes: Vec::new() }
    }

    /// Whether a batch is full.
    pub fn is_full(&self) -> bool {
        self.writes.len() >= BATCH_PLACES
    }

    /// A record leaves a row.
    pub fn remove(&mut self, place: &'w Place, row: Bytes, values: Vec<Value>) -> Result<(), AccessError> {
        let write = self.at(place, row, &values)?;
        write.removed = Some(values);
        Ok(())
    }

    /// A record is written; with it goes what was there of columns that are null now.
    pub fn write(
        &mut self,
        place: &'w Place,
        put: Put,
        nulls: Option<Delete>,
        values: Vec<Value>,
    ) -> Result<(), AccessError> {
        let row = put.row.clone();
        let write = self.at(place, row, &values)?;
        write.written = Some(WrittenRecord { put, nulls, values });
        Ok(())
    }

    fn at(
        &mut self,
        place: &'w Place,
        row: Bytes,
        values: &[Value],
    ) -> Result<&mut NetWrite<'w>, AccessError> {
        let number = self.writer.places.iter().position(|known| std::ptr::eq(known, place));
        let key = (number.unwrap_or(usize::MAX), row.clone(), place.qualifier_of(values)?);
        let at = *self.by_place.entry(key).or_insert(self.writes.len());
        if at == self.writes.len() {
            self.writes.push(NetWrite { place, row, removed: None, written: None });
        }
        self.writes.get_mut(at).ok_or_else(|| AccessError::Data("a write is lost".to_owned()))
    }

    /// Writes everything at once if a row is as expected; whether it was.
    pub async fn send(&mut self, store: &dyn Store, check: Option<RowCheck>) -> Result<bool, AccessError> {
        self.by_place.clear();
        let writes = std::mem::take(&mut self.writes);
        if writes.is_empty() {
            return Ok(true);
        }
        let recent = &self.writer.recent;
        let mut deleted: Vec<(&TableName, Bytes)> = Vec::new();
        let mut by_table: BTreeMap<&TableName, Vec<Mutation>> = BTreeMap::new();
        for write in writes {
            let (name, row) = (&write.place.name, write.row.clone());
            let (delete, put) = write.mutations()?;
            let mutations = by_table.entry(name).or_default();
            if let Some(delete) = delete {
                deleted.push((name, row.clone()));
                mutations.push(Mutation::Delete(delete));
            }
            if let Some(put) = put {
                recent.wait(name, &row).await;
                mutations.push(Mutation::Put(put));
            }
        }
        let writes = by_table.into_iter().map(|(name, mutations)| (name.clone(), mutations)).collect();
        let batch = AtomicBatch { checks: check.into_iter().collect(), writes };
        let sent = store.atomic_batch(batch).await;
        deleted.iter().for_each(|(name, row)| recent.deleted(name, row));
        Ok(sent?.value)
    }
}

impl NetWrite<'_> {
    fn mutations(self) -> Result<(Option<Delete>, Option<Put>), AccessError> {
        let Self { place, row, removed, written } = self;
        Ok(match (removed, written) {
            (None, None) => (None, None),
            (Some(values), None) => (Some(place.delete(row, &values)?), None),
            (None, Some(WrittenRecord { put, nulls, .. })) => (nulls, Some(put)),
            (Some(_), Some(WrittenRecord { put, values, .. })) => {
                (place.delete_nulls(row, None, &values), Some(put))
            }
        })
    }
}
