//! A region: a range of rows of a table with its families, on one of the servers.

use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_store::region::encoded_name;
use tablesmith_store::{RegionInfo, RegionLoad};

use crate::cursor::{Counted, KeyRange};
use crate::family::FamilyStore;
use crate::key;

/// A region. Its bounds and families do not change: a split or a merge makes new ones.
#[derive(Debug)]
pub(crate) struct Region {
    pub table: TableName,
    pub id: i64,
    pub start: Bytes,
    pub end: Bytes,
    /// Number of its server, from 0.
    pub server: usize,
    /// Sorted by name.
    pub families: Vec<FamilyStore>,
    pub load: Load,
}

/// Counts since the store was opened.
#[derive(Debug, Default)]
pub(crate) struct Load {
    pub reads: AtomicU64,
    pub writes: AtomicU64,
    pub read_bytes: AtomicU64,
    pub written_bytes: AtomicU64,
    /// Bytes in the region; kept over restarts as well as can be.
    pub stored_bytes: AtomicU64,
}

impl Load {
    pub fn add_read(&self, rows: u64, bytes: u64) {
        self.reads.fetch_add(rows, Ordering::Relaxed);
        self.read_bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    pub fn add_write(&self, rows: u64, bytes: u64) {
        self.writes.fetch_add(rows, Ordering::Relaxed);
        self.written_bytes.fetch_add(bytes, Ordering::Relaxed);
        self.stored_bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// The same counts, for the region that takes this one's place.
    pub fn copy(&self) -> Self {
        let copy = |count: &AtomicU64| AtomicU64::new(count.load(Ordering::Relaxed));
        Self {
            reads: copy(&self.reads),
            writes: copy(&self.writes),
            read_bytes: copy(&self.read_bytes),
            written_bytes: copy(&self.written_bytes),
            stored_bytes: copy(&self.stored_bytes),
        }
    }
}

/// The name of a server by its number.
pub(crate) fn server_name(server: usize) -> String {
    format!("server-{}", server + 1)
}

impl Region {
    /// The same region with other families.
    pub fn with_families(&self, families: Vec<FamilyStore>) -> Self {
        Self {
            table: self.table.clone(),
            id: self.id,
            start: self.start.clone(),
            end: self.end.clone(),
            server: self.server,
            families,
            load: self.load.copy(),
        }
    }

    pub fn family(&self, name: &[u8]) -> Option<&FamilyStore> {
        self.families.iter().find(|family| family.descriptor.name == name)
    }

    pub fn encoded_name(&self) -> String {
        encoded_name(&self.table, &self.start, self.id)
    }

    /// Whether a row lies before the region's end.
    pub fn ends_after(&self, row: &[u8]) -> bool {
        self.end.is_empty() || row < &self.end[..]
    }

    /// The keys of all its rows.
    pub fn key_range(&self) -> KeyRange {
        KeyRange {
            from: if self.start.is_empty() { Vec::new() } else { key::row_start(&self.start) },
            until: (!self.end.is_empty()).then(|| key::row_start(&self.end)),
        }
    }

    pub fn info(&self) -> RegionInfo {
        let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let memstore_bytes = self.families.iter().map(|family| family.memstore().bytes).sum();
        RegionInfo {
            table: self.table.clone(),
            id: self.id,
            start: self.start.clone(),
            end: self.end.clone(),
            server: server_name(self.server),
            load: RegionLoad {
                reads: count(&self.load.reads),
                writes: count(&self.load.writes),
                read_bytes: Some(count(&self.load.read_bytes)),
                written_bytes: Some(count(&self.load.written_bytes)),
                stored_bytes: Some(count(&self.load.stored_bytes)),
                memstore_bytes,
                store_files: self.families.iter().map(|family| family.files.len() as u64).sum(),
            },
        }
    }

    pub fn note_read(&self, rows: u64, counted: Counted) {
        self.load.add_read(rows, counted.bytes);
    }
}
