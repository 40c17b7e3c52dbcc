//! From the mutations of a row to the cells that are written.
//!
//! All reads that mutations need (the value to add to, the newest version to delete) happen before the first write:
//! mutations that happen together do not see each other.

use std::collections::BTreeMap;

use bytes::Bytes;
use tablesmith_model::cell::LATEST_TIMESTAMP;
use tablesmith_model::{Cell, CellType, TableDescriptor, TimeRange, Timestamp};
use tablesmith_store::{Append, Delete, DeleteTarget, Increment, Mutation, Put, ReadOptions, StoreError};

use super::region::Region;
use super::stored::StoredCell;

/// What a row's mutations come to.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// To be written.
    pub(super) cells: Vec<StoredCell>,
    /// New values to be answered; `None` when no mutation has any.
    pub(super) answer: Option<Vec<Cell>>,
}

/// Where and when mutations happen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting<'a> {
    pub(super) table: &'a TableDescriptor,
    pub(super) region: &'a Region,
    pub(super) now_ms: Timestamp,
    /// The timestamp of values that came without one.
    pub(super) put_stamp: Timestamp,
}

impl Setting<'_> {
    /// Prepares mutations of one row; an error means that none of them happens.
    pub(super) fn prepare(&self, mutations: &[Mutation]) -> Result<Outcome, StoreError> {
        mutations.iter().try_for_each(|mutation| self.check_families(mutation))?;
        let mut outcome = Outcome::default();
        for mutation in mutations {
            match mutation {
                Mutation::Put(put) => outcome.cells.extend(self.values(put)),
                Mutation::Delete(delete) => outcome.cells.extend(self.markers(delete)?),
                Mutation::Increment(increment) => {
                    let cells = self.sums(increment)?;
                    outcome.add_new_values(cells, increment.return_results);
                }
                Mutation::Append(append) => {
                    let cells = self.longer_values(append)?;
                    outcome.add_new_values(cells, append.return_results);
                }
            }
        }
        Ok(outcome)
    }

    fn check_families(&self, mutation: &Mutation) -> Result<(), StoreError> {
        let families: Vec<&Bytes> = match mutation {
            Mutation::Put(put) => put.cells.iter().map(|(family, ..)| family).collect(),
            Mutation::Delete(delete) => delete.targets.iter().map(DeleteTarget::family).collect(),
            Mutation::Increment(increment) => increment.amounts.iter().map(|(family, ..)| family).collect(),
            Mutation::Append(append) => append.values.iter().map(|(family, ..)| family).collect(),
        };
        // HBase notices a missing name at different places, and so with different exceptions.
        if !matches!(mutation, Mutation::Delete(_)) && families.iter().any(|family| family.is_empty()) {
            let message = "the name of a family must not be empty".to_owned();
            return Err(match mutation {
                Mutation::Append(_) => StoreError::IllegalArgument(message),
                _ => StoreError::Refused(message),
            });
        }
        families.into_iter().try_for_each(|family| check_family(self.table, family))
    }

    fn values(&self, put: &Put) -> Vec<StoredCell> {
        let stamp = |timestamp: Option<Timestamp>| given(timestamp).unwrap_or(self.put_stamp);
        let cells = put.cells.iter().map(|(family, qualifier, timestamp, value)| {
            Cell::put(put.row.clone(), family.clone(), qualifier.clone(), stamp(*timestamp), value.clone())
        });
        cells.map(|cell| StoredCell { cell, ttl_ms: put.ttl_ms }).collect()
    }

    fn markers(&self, delete: &Delete) -> Result<Vec<StoredCell>, StoreError> {
        let mut newest = NewestVersions::default();
        let mut markers = Vec::new();
        for target in &self.targets(delete) {
            let now = self.now_ms;
            let (kind, qualifier, timestamp) = match target {
                DeleteTarget::Family(_, timestamp) => {
                    (CellType::DeleteFamily, Bytes::new(), given(*timestamp).unwrap_or(now))
                }
                DeleteTarget::FamilyVersion(_, timestamp) => {
                    (CellType::DeleteFamilyVersion, Bytes::new(), given(Some(*timestamp)).unwrap_or(now))
                }
                DeleteTarget::Column(_, qualifier, timestamp) => {
                    (CellType::DeleteColumn, qualifier.clone(), given(*timestamp).unwrap_or(now))
                }
                DeleteTarget::Version(family, qualifier, timestamp) => {
                    let timestamp = match given(*timestamp) {
                        Some(timestamp) => timestamp,
                        None => newest.next(self, &delete.row, family, qualifier)?.unwrap_or(now),
                    };
                    (CellType::Delete, qualifier.clone(), timestamp)
                }
            };
            let cell = Cell {
                kind,
                ..Cell::put(delete.row.clone(), target.family().clone(), qualifier, timestamp, Bytes::new())
            };
            markers.push(StoredCell { cell, ttl_ms: None });
        }
        Ok(markers)
    }

    /// What a delete names, or else all families.
    fn targets(&self, delete: &Delete) -> Vec<DeleteTarget> {
        if !delete.targets.is_empty() {
            return delete.targets.clone();
        }
        let families = self.table.families.iter();
        families.map(|family| DeleteTarget::Family(family.name.clone(), delete.timestamp)).collect()
    }

    fn sums(&self, increment: &Increment) -> Result<Vec<StoredCell>, StoreError> {
        let changes =
            increment.amounts.iter().map(|(family, qualifier, amount)| (family, qualifier, *amount));
        self.change(&increment.row, changes, increment.time_range, increment.ttl_ms, |current, amount| {
            let current = current.map_or(Ok(0), counter)?;
            Ok(Bytes::copy_from_slice(&current.wrapping_add(amount).to_be_bytes()))
        })
    }

    fn longer_values(&self, append: &Append) -> Result<Vec<StoredCell>, StoreError> {
        let changes = append.values.iter().map(|(family, qualifier, value)| (family, qualifier, value));
        self.change(&append.row, changes, append.time_range, append.ttl_ms, |current, value| {
            let current = current.map_or(&[][..], |cell| &cell.value);
            Ok([current, &value[..]].concat().into())
        })
    }

    /// New versions of columns, made of their newest values. They come in the order of the columns.
    fn change<'a, T>(
        &self,
        row: &Bytes,
        changes: impl Iterator<Item = (&'a Bytes, &'a Bytes, T)>,
        time_range: TimeRange,
        ttl_ms: Option<i64>,
        new_value: impl Fn(Option<&Cell>, T) -> Result<Bytes, StoreError>,
    ) -> Result<Vec<StoredCell>, StoreError> {
        let mut changes: Vec<_> = changes.collect();
        changes.sort_by_key(|&(family, qualifier, _)| (family, qualifier));
        let mut cells = Vec::new();
        for (family, qualifier, change) in changes {
            let current = self.newest(row, family, qualifier, time_range)?;
            let cell = current.as_ref().map(|stored| &stored.cell);
            let timestamp =
                cell.map_or(self.now_ms, |cell| cell.timestamp.saturating_add(1).max(self.now_ms));
            let value = new_value(cell, change)?;
            cells.push(StoredCell {
                cell: Cell::put(row.clone(), family.clone(), qualifier.clone(), timestamp, value),
                // What was given to live to the old value goes on to the new one.
                ttl_ms: ttl_ms.or(current.and_then(|stored| stored.ttl_ms)),
            });
        }
        Ok(cells)
    }

    /// The newest value of a column, as a get of this column finds it.
    fn newest(
        &self,
        row: &Bytes,
        family: &Bytes,
        qualifier: &Bytes,
        time_range: TimeRange,
    ) -> Result<Option<StoredCell>, StoreError> {
        let mut read = ReadOptions { time_range, ..ReadOptions::default() };
        read.columns.add_column(family.clone(), qualifier.clone());
        let (piece, _) = self.region.read_row(self.table, row, &read, self.now_ms)?;
        Ok(piece.cells.into_iter().next().map(|cell| StoredCell { ttl_ms: self.region.ttl_of(&cell), cell }))
    }
}

impl Outcome {
    fn add_new_values(&mut self, cells: Vec<StoredCell>, are_wanted: bool) {
        let answer = self.answer.get_or_insert_default();
        if are_wanted {
            answer.extend(cells.iter().map(|stored| stored.cell.clone()));
        }
        self.cells.extend(cells);
    }
}

/// Finds, for a delete that names a column several times, one version after the other.
#[derive(Default)]
struct NewestVersions(BTreeMap<(Bytes, Bytes), u32>);

impl NewestVersions {
    fn next(
        &mut self,
        setting: &Setting<'_>,
        row: &Bytes,
        family: &Bytes,
        qualifier: &Bytes,
    ) -> Result<Option<Timestamp>, StoreError> {
        let count = self.0.entry((family.clone(), qualifier.clone())).or_default();
        *count += 1;
        let mut read = ReadOptions { versions: *count, ..ReadOptions::default() };
        read.columns.add_column(family.clone(), qualifier.clone());
        let (piece, _) = setting.region.read_row(setting.table, row, &read, setting.now_ms)?;
        let found = usize::try_from(*count - 1).ok().and_then(|index| piece.cells.get(index));
        Ok(found.map(|cell| cell.timestamp))
    }
}

/// A timestamp that was given, unless it is the one that means "now".
fn given(timestamp: Option<Timestamp>) -> Option<Timestamp> {
    timestamp.filter(|&timestamp| timestamp != LATEST_TIMESTAMP)
}

fn counter(cell: &Cell) -> Result<i64, StoreError> {
    let bytes = <[u8; 8]>::try_from(&cell.value[..]).map_err(|_| {
        StoreError::DoNotRetry(format!("a counter has 8 bytes, this value has {}", cell.value.len()))
    })?;
    Ok(i64::from_be_bytes(bytes))
}

/// Whether a table has a family.
pub(super) fn check_family(table: &TableDescriptor, family: &Bytes) -> Result<(), StoreError> {
    match table.family(family) {
        Some(_) => Ok(()),
        None => Err(StoreError::NoSuchColumnFamily { table: table.name.clone(), family: family.clone() }),
    }
}
