//! Timestamps above what rows have, tombstones among it, for writes that the store's clock would stamp too low.
//!
//! Tombstones are only seen by a raw scan, so each row takes one. That happens only while the clock is behind.

use std::collections::HashMap;

use bytes::Bytes;
use tablesmith_model::{CellType, TableName, Timestamp};
use tablesmith_store::{Delete, DeleteTarget, Mutation, Put, RowBound, Scan, Store, StoreError};

/// As many versions as can be asked for: HBase counts them with a sign.
const ALL_VERSIONS: u32 = i32::MAX as u32;

/// A write whose timestamps may be left to the store's clock.
pub(super) enum Unstamped<'m> {
    Put(&'m mut Put),
    Delete(&'m mut Delete),
}

impl<'m> Unstamped<'m> {
    /// A mutation as such; increments and appends are stamped above what they change by the store itself.
    pub fn of(mutation: &'m mut Mutation) -> Option<Self> {
        match mutation {
            Mutation::Put(put) => Some(Self::Put(put)),
            Mutation::Delete(delete) => Some(Self::Delete(delete)),
            Mutation::Increment(_) | Mutation::Append(_) => None,
        }
    }

    fn row(&self) -> &Bytes {
        match self {
            Self::Put(put) => &put.row,
            Self::Delete(delete) => &delete.row,
        }
    }
}

/// The newest timestamps of a row.
#[derive(Default)]
struct Newest {
    /// Of each column: values, and tombstones of the column.
    columns: HashMap<(Bytes, Bytes), Timestamp>,
    /// Of the values of each family.
    values: HashMap<Bytes, Timestamp>,
    /// Of the tombstones of each family.
    tombstones: HashMap<Bytes, Timestamp>,
}

/// Stamps a put above all that its row has, whatever the clock shows.
pub(crate) async fn stamp_above(
    store: &dyn Store,
    table: &TableName,
    put: &mut Put,
) -> Result<(), StoreError> {
    stamp(store, table, 0, vec![Unstamped::Put(put)]).await
}

/// Stamps writes to a table that the clock, which shows `now_ms`, would stamp too low.
pub(super) async fn stamp(
    store: &dyn Store,
    table: &TableName,
    now_ms: Timestamp,
    writes: Vec<Unstamped<'_>>,
) -> Result<(), StoreError> {
    let mut rows: HashMap<Bytes, Newest> = HashMap::new();
    for write in &writes {
        if !rows.contains_key(write.row()) {
            rows.insert(write.row().clone(), read(store, table, write.row()).await?);
        }
    }
    for write in writes {
        let Some(newest) = rows.get(write.row()) else { continue };
        match write {
            Unstamped::Put(put) => newest.stamp_put(put, now_ms),
            Unstamped::Delete(delete) => newest.stamp_delete(delete, now_ms),
        }
    }
    Ok(())
}

async fn read(store: &dyn Store, table: &TableName, row: &Bytes) -> Result<Newest, StoreError> {
    let (start, stop) = (RowBound::Included(row.clone()), RowBound::Included(row.clone()));
    let scan = Scan { start, stop, raw: true, ..Scan::default() }.versions(ALL_VERSIONS);
    let mut newest = Newest::default();
    let latest = |known: &mut Timestamp, timestamp: Timestamp| *known = timestamp.max(*known);
    for cell in store.scan_all(table, scan).await?.value.into_iter().flat_map(|row| row.cells) {
        if matches!(cell.kind, CellType::DeleteFamily | CellType::DeleteFamilyVersion) {
            latest(newest.tombstones.entry(cell.family).or_default(), cell.timestamp);
            continue;
        }
        if cell.kind == CellType::Put {
            latest(newest.values.entry(cell.family.clone()).or_default(), cell.timestamp);
        }
        latest(newest.columns.entry((cell.family, cell.qualifier)).or_default(), cell.timestamp);
    }
    Ok(newest)
}

impl Newest {
    /// A value is seen when nothing of its column, and no tombstone of its family, is as late.
    fn stamp_put(&self, put: &mut Put, now_ms: Timestamp) {
        for (family, qualifier, timestamp, _) in &mut put.cells {
            let column = self.columns.get(&(family.clone(), qualifier.clone()));
            let floor_ms = column.max(self.tombstones.get(family)).copied();
            if timestamp.is_none() {
                let late_ms = floor_ms.filter(|floor_ms| *floor_ms >= now_ms);
                *timestamp = late_ms.map(|floor_ms| floor_ms.saturating_add(1));
            }
        }
    }

    /// A tombstone hides what is as late as it is or older.
    fn stamp_delete(&self, delete: &mut Delete, now_ms: Timestamp) {
        let late = |newest: Option<Timestamp>| newest.filter(|newest_ms| *newest_ms > now_ms);
        if delete.targets.is_empty() && delete.timestamp.is_none() {
            delete.timestamp = late(self.values.values().copied().max());
        }
        for target in &mut delete.targets {
            match target {
                DeleteTarget::Family(family, timestamp @ None) => {
                    *timestamp = late(self.values.get(family).copied());
                }
                DeleteTarget::Column(family, qualifier, timestamp @ None) => {
                    *timestamp = late(self.columns.get(&(family.clone(), qualifier.clone())).copied());
                }
                _ => {}
            }
        }
    }
}
