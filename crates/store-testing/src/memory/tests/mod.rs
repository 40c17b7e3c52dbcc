//! Rules, one test each, and a laboratory to try them in.

mod checks;
mod compactions;
mod counters;
mod filters;
mod flushes;
mod keep_deleted;
mod raw_scans;
mod reads;
mod regions;
mod scans;
mod tables;
mod ttl;
mod writes;

use std::sync::Arc;

use bytes::Bytes;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::{Cell, FamilyDescriptor, TableDescriptor, TableName, TimeRange, Timestamp};
use tablesmith_store::{Delete, DeleteTarget, FlushScope, Get, ManualClock, Put, Scan, Store, StoreError};

use super::MemoryStore;

/// What the clock shows at first: later than any timestamp that the tests give.
const NOW_MS: Timestamp = 1_000_000;

/// A store with one table, `t`, and a clock that stands until it is moved.
struct Lab {
    clock: Arc<ManualClock>,
    store: MemoryStore,
    table: TableName,
}

impl Lab {
    async fn new(families: impl IntoIterator<Item = FamilyDescriptor>) -> Self {
        Self::with_splits(families, &[]).await
    }

    async fn with_splits(
        families: impl IntoIterator<Item = FamilyDescriptor>,
        splits: &[&'static str],
    ) -> Self {
        let clock = Arc::new(ManualClock::at(NOW_MS));
        let store = MemoryStore::new(clock.clone(), 3);
        let table: TableName = "t".parse().unwrap();
        let splits = splits.iter().map(|&key| Bytes::from(key)).collect();
        store.create_table(TableDescriptor::new(table.clone(), families), splits).await.unwrap();
        Self { clock, store, table }
    }

    /// Writes a value; the column is `family:qualifier`.
    async fn put(&self, row: &'static str, column: &'static str, timestamp: Timestamp, value: &'static str) {
        let (family, qualifier) = split(column);
        let put = Put::new(row).add_at(family, qualifier, timestamp, value);
        self.store.put(&self.table, put).await.unwrap();
    }

    /// Writes values to the same place, each with its time as the value.
    async fn versions(&self, row: &'static str, column: &'static str, timestamps: &[Timestamp]) {
        let (family, qualifier) = split(column);
        for &timestamp in timestamps {
            let put = Put::new(row).add_at(family, qualifier, timestamp, format!("v{timestamp}"));
            self.store.put(&self.table, put).await.unwrap();
        }
    }

    async fn delete(&self, row: &'static str, target: DeleteTarget) {
        self.store.delete(&self.table, Delete::row(row).target(target)).await.unwrap();
    }

    async fn get(&self, get: Get) -> String {
        text(&self.store.get(&self.table, get).await.unwrap().value.cells)
    }

    /// All versions of a row.
    async fn all(&self, row: &'static str) -> String {
        self.get(Get::new(row).versions(99)).await
    }

    async fn scan(&self, scan: Scan) -> String {
        let rows = self.store.scan_all(&self.table, scan).await.unwrap().value;
        let rows: Vec<_> =
            rows.iter().map(|row| format!("{}[{}]", to_text(&row.row), text(&row.cells))).collect();
        rows.join(" ")
    }

    /// The keys of the rows that a scan finds.
    async fn keys(&self, scan: Scan) -> String {
        let rows = self.store.scan_all(&self.table, scan).await.unwrap().value;
        let rows: Vec<_> = rows.iter().map(|row| to_text(&row.row)).collect();
        rows.join(" ")
    }

    /// Everything that is stored.
    async fn raw(&self) -> String {
        self.scan(Scan::all().raw().versions(99)).await
    }

    async fn flush(&self) {
        self.store.flush(FlushScope::Table(self.table.clone(), None)).await.unwrap();
    }

    async fn compact(&self) {
        self.store.compact(FlushScope::Table(self.table.clone(), None)).await.unwrap();
    }

    async fn major_compact(&self) {
        self.store.major_compact(FlushScope::Table(self.table.clone(), None)).await.unwrap();
    }

    async fn files(&self) -> u64 {
        let regions = self.store.regions(&self.table).await.unwrap();
        regions.iter().map(|region| region.load.store_files).sum()
    }
}

/// A family that keeps so many versions.
fn family(name: &'static str, versions: u32) -> FamilyDescriptor {
    FamilyDescriptor::new(name).with_versions(versions)
}

/// A family with settings as `create` takes them: `"VERSIONS=3 TTL=10"`.
fn family_with(name: &'static str, settings: &str) -> FamilyDescriptor {
    let mut family = FamilyDescriptor::new(name);
    for setting in settings.split_whitespace() {
        let (key, value) = setting.split_once('=').unwrap();
        family.set(key, value).unwrap();
    }
    family
}

fn split(column: &'static str) -> (&'static str, &'static str) {
    column.split_once(':').unwrap()
}

/// Hides one version.
fn version(column: &'static str, timestamp: Timestamp) -> DeleteTarget {
    let (family, qualifier) = split(column);
    DeleteTarget::Version(family.into(), qualifier.into(), Some(timestamp))
}

/// Hides the newest version.
fn newest(column: &'static str) -> DeleteTarget {
    let (family, qualifier) = split(column);
    DeleteTarget::Version(family.into(), qualifier.into(), None)
}

/// Hides a column up to a time.
fn column(column: &'static str, timestamp: Timestamp) -> DeleteTarget {
    let (family, qualifier) = split(column);
    DeleteTarget::Column(family.into(), qualifier.into(), Some(timestamp))
}

/// Hides a family up to a time.
fn whole_family(family: &'static str, timestamp: Timestamp) -> DeleteTarget {
    DeleteTarget::Family(family.into(), Some(timestamp))
}

/// Hides a family at a time.
fn family_version(family: &'static str, timestamp: Timestamp) -> DeleteTarget {
    DeleteTarget::FamilyVersion(family.into(), timestamp)
}

fn during(from_ms: Timestamp, until_ms: Timestamp) -> TimeRange {
    TimeRange::new(from_ms, until_ms).unwrap()
}

/// `family:qualifier@timestamp=value`, or with the kind of a marker in place of the value.
fn text(cells: &[Cell]) -> String {
    let one = |cell: &Cell| {
        let place = format!("{}:{}@{}", to_text(&cell.family), to_text(&cell.qualifier), cell.timestamp);
        match cell.kind.is_marker() {
            true => format!("{place} {}", cell.kind.name()),
            false => format!("{place}={}", to_text(&cell.value)),
        }
    };
    cells.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// The name of the exception of an error that must be there.
fn refused<T: std::fmt::Debug>(answer: Result<T, StoreError>) -> &'static str {
    answer.unwrap_err().exception()
}
