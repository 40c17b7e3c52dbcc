//! A region: the rows from one key up to another, with all their families, on one server.

use std::collections::BTreeMap;
use std::ops::{Bound, RangeBounds};

use bytes::Bytes;
use tablesmith_model::{Cell, FamilyDescriptor, TableDescriptor, TableName, Timestamp};
use tablesmith_store::filter::eval::FilterRun;
use tablesmith_store::{ReadOptions, RegionInfo, RegionLoad, StoreError};

use super::family_store::FamilyStore;
use super::family_walk::FamilyWalk;
use super::region_scan::{Piece, RegionScan};
use super::stored::{Run, StoredCell};
use super::visible::ReadRules;

/// Rows from one key to another, in key order whatever the direction of reading.
pub(super) type RowSpan = (Bound<Bytes>, Bound<Bytes>);

/// How a region is to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadPlan<'a> {
    pub(super) read: &'a ReadOptions,
    pub(super) raw: bool,
    pub(super) reversed: bool,
    pub(super) batch: Option<u32>,
    pub(super) now_ms: Timestamp,
}

/// A range of rows with their cells.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) id: i64,
    pub(super) start: Bytes,
    /// Empty: to the table's end.
    pub(super) end: Bytes,
    pub(super) server: String,
    families: BTreeMap<Bytes, FamilyStore>,
    /// What it had to do; sizes are not kept here but measured.
    work: RegionLoad,
}

impl Region {
    /// A region without rows.
    pub(super) fn new(id: i64, start: Bytes, end: Bytes, server: String) -> Self {
        let work = RegionLoad { read_bytes: Some(0), written_bytes: Some(0), ..RegionLoad::default() };
        Self { id, start, end, server, families: BTreeMap::new(), work }
    }

    /// Whether a row belongs to the region.
    pub(super) fn contains(&self, row: &[u8]) -> bool {
        row >= &self.start[..] && (self.end.is_empty() || row < &self.end[..])
    }

    /// Begins to read the rows of a span.
    pub(super) fn scan(
        &self,
        table: &TableDescriptor,
        span: &RowSpan,
        plan: ReadPlan<'_>,
    ) -> Result<RegionScan, StoreError> {
        let mut walks = Vec::new();
        for family in &table.families {
            if plan.read.columns.of_family(&family.name).is_none() {
                continue;
            }
            let rules = ReadRules::new(family, plan.read, plan.raw, plan.now_ms);
            let run = self.families.get(&family.name).map(|store| store.cells_for(&rules));
            let run = run.unwrap_or_default().of_rows(|row| spans(span, row));
            walks.push((family.name.clone(), FamilyWalk::new(&run, rules, plan.reversed)));
        }
        let filter = plan.read.filter.as_ref();
        let filter = filter.map(|filter| FilterRun::new(filter, plan.reversed)).transpose()?;
        RegionScan::new(walks, filter, plan.reversed, plan.batch)
    }

    /// Reads one row, as a get does.
    pub(super) fn read_row(
        &self,
        table: &TableDescriptor,
        row: &Bytes,
        read: &ReadOptions,
        now_ms: Timestamp,
    ) -> Result<(Piece, (u64, u64)), StoreError> {
        let span = (Bound::Included(row.clone()), Bound::Included(row.clone()));
        let plan = ReadPlan { read, raw: false, reversed: false, batch: None, now_ms };
        let mut scan = self.scan(table, &span, plan)?;
        let piece = scan.next_piece();
        Ok((piece, scan.seen()))
    }

    /// The time that the writer of a cell gave it to live.
    pub(super) fn ttl_of(&self, cell: &Cell) -> Option<i64> {
        self.families.get(&cell.family).and_then(|store| store.find(cell)).and_then(|stored| stored.ttl_ms)
    }

    /// Writes the cells of one row.
    pub(super) fn write(&mut self, cells: Vec<StoredCell>) {
        self.work.writes += 1;
        for stored in cells {
            *self.work.written_bytes.get_or_insert(0) += stored.cell.size_bytes();
            self.families.entry(stored.cell.family.clone()).or_default().write(stored);
        }
    }

    /// Notes that rows were read.
    pub(super) fn count_read(&mut self, rows: u64, bytes: u64) {
        self.work.reads += rows;
        *self.work.read_bytes.get_or_insert(0) += bytes;
    }

    /// Does something with the families there are, or with one of them.
    pub(super) fn each_family(
        &mut self,
        table: &TableDescriptor,
        only: Option<&Bytes>,
        mut act: impl FnMut(&mut FamilyStore, &FamilyDescriptor),
    ) {
        for family in table.families.iter().filter(|family| only.is_none_or(|only| *only == family.name)) {
            act(self.families.entry(family.name.clone()).or_default(), family);
        }
    }

    /// What happens before the region is opened anew, split, merged or moved.
    pub(super) fn close(&mut self, table: &TableDescriptor, now_ms: Timestamp) {
        self.each_family(table, None, |store, family| store.close(family, now_ms));
    }

    /// Forgets the families that a table does not have.
    pub(super) fn retain_families(&mut self, table: &TableDescriptor) {
        self.families.retain(|name, _| table.family(name).is_some());
    }

    /// The keys of the rows in its files, each once, in order.
    pub(super) fn rows_in_files(&self) -> Vec<Bytes> {
        let files = self.families.values().flat_map(FamilyStore::files);
        let mut rows: Vec<Bytes> = files.flat_map(Run::cells).map(|stored| stored.cell.row.clone()).collect();
        rows.sort();
        rows.dedup();
        rows
    }

    /// A new region with a part of this one's rows. This one must be closed.
    pub(super) fn part(&self, id: i64, start: Bytes, end: Bytes) -> Self {
        let mut part = Self::new(id, start, end, self.server.clone());
        for (name, store) in &self.families {
            part.families.insert(name.clone(), store.part(|row| part.contains(row)));
        }
        part
    }

    /// Takes over the files of a neighbour, which must be closed.
    pub(super) fn adopt(&mut self, other: Self) {
        for (name, store) in other.families {
            self.families.entry(name).or_default().adopt(store);
        }
    }

    /// What the region is and what it had to do.
    pub(super) fn info(&self, table: &TableName) -> RegionInfo {
        let stores = || self.families.values();
        let load = RegionLoad {
            stored_bytes: Some(stores().map(FamilyStore::file_bytes).sum()),
            memstore_bytes: stores().map(FamilyStore::memstore_bytes).sum(),
            store_files: stores().map(|store| store.files().len() as u64).sum(),
            ..self.work
        };
        RegionInfo {
            table: table.clone(),
            id: self.id,
            start: self.start.clone(),
            end: self.end.clone(),
            server: self.server.clone(),
            load,
        }
    }
}

/// Whether a row lies in a span.
fn spans(span: &RowSpan, row: &[u8]) -> bool {
    let as_slices = (span.0.as_ref().map(Bytes::as_ref), span.1.as_ref().map(Bytes::as_ref));
    <(Bound<&[u8]>, Bound<&[u8]>) as RangeBounds<[u8]>>::contains(&as_slices, row)
}
