//! Opens a directory: recovers what a crash left, reads the records, removes what no record names.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, RwLock};

use bytes::Bytes;
use fjall::{Database, Keyspace};
use tablesmith_model::TableName;
use tablesmith_model::bytes_text::{from_text, to_text};
use tablesmith_model::name::{DEFAULT_NAMESPACE, SYSTEM_NAMESPACE};
use tablesmith_store::StoreError;

use crate::error::{from_fjall, from_io};
use crate::family::{FamilyStore, Memstore};
use crate::meta::{FamilyRecord, FileRecord, GenerationRecord, Meta, RegionRecord, TableRecord};
use crate::region::{Load, Region};
use crate::syncer::Syncer;
use crate::table::{Table, TableState};
use crate::{Catalog, Engine, EngineOptions, Inner, keyspaces, unfinished};

impl Engine {
    /// Opens a directory, or makes a new store in it.
    pub fn open(options: EngineOptions) -> Result<Self, StoreError> {
        if options.servers == 0 {
            return Err(StoreError::IllegalArgument("a store has at least 1 region server".to_owned()));
        }
        let dir = options.dir.clone();
        std::fs::create_dir_all(&dir).map_err(|error| {
            StoreError::Io(format!("cannot make the directory {}: {error}", dir.display()))
        })?;
        unfinished::remove(&dir).map_err(|error| from_io(&error))?;
        let db = Database::builder(&dir)
            .cache_size(options.cache_bytes)
            .open()
            .map_err(|error| explain(error, &dir))?;
        let meta = Meta::open(&db)?;
        let catalog = read_catalog(&db, &meta, options.servers)?;
        let syncer = Syncer::start(db.clone()).map_err(|error| from_io(&error))?;
        let inner =
            Inner { options, syncer, meta, catalog: RwLock::new(catalog), changing: Mutex::new(()), db };
        Ok(Self { inner: Arc::new(inner) })
    }
}

fn explain(error: fjall::Error, dir: &Path) -> StoreError {
    let dir = dir.display();
    match error {
        fjall::Error::Locked => StoreError::Locked(format!(
            "another process has the store in {dir} open: end it, or choose another directory with --store embedded:DIR"
        )),
        fjall::Error::InvalidVersion(_) => StoreError::Corrupt(format!(
            "the store in {dir} was written by another version of the storage engine: \
             use the program that wrote it, or another directory"
        )),
        fjall::Error::Io(error) => match from_io(&error) {
            StoreError::Corrupt(message) => StoreError::Corrupt(format!("{message} (in {dir})")),
            other => StoreError::Io(format!("cannot open the store in {dir}: {other}")),
        },
        other => StoreError::Corrupt(format!(
            "the store in {dir} cannot be opened, a file is damaged: {}",
            from_fjall(other)
        )),
    }
}

fn read_catalog(db: &Database, meta: &Meta, servers: usize) -> Result<Catalog, StoreError> {
    let mut catalog = Catalog::default();
    catalog.namespaces.extend([DEFAULT_NAMESPACE.to_owned(), SYSTEM_NAMESPACE.to_owned()]);
    catalog.namespaces.extend(meta.namespaces()?);
    let mut named = BTreeSet::new();
    for (name, record) in meta.tables()? {
        catalog.next_number = catalog.next_number.max(record.id + 1);
        for family in &record.families {
            named.insert(family.keyspace.clone());
            let number = family.keyspace.rsplit('.').next().and_then(|number| number.parse::<u64>().ok());
            catalog.next_number = catalog.next_number.max(number.map_or(0, |number| number + 1));
        }
        let state = read_table(db, &name, &record, servers)?;
        catalog.tables.insert(name, Arc::new(Table::new(record.id, state)));
    }
    remove_orphans(db, meta, &named)?;
    Ok(catalog)
}

/// Keyspaces of families that no record names: made or being removed when a process ended.
fn remove_orphans(db: &Database, meta: &Meta, named: &BTreeSet<String>) -> Result<(), StoreError> {
    for name in db.list_keyspace_names() {
        let name: &str = name.as_ref();
        if name.starts_with("family.") && !named.contains(name) {
            let orphan = db.keyspace(name, fjall::KeyspaceCreateOptions::default).map_err(from_fjall)?;
            meta.reserve_numbers()?;
            db.delete_keyspace(orphan).map_err(from_fjall)?;
        }
    }
    Ok(())
}

fn read_table(
    db: &Database,
    name: &TableName,
    record: &TableRecord,
    servers: usize,
) -> Result<TableState, StoreError> {
    let descriptor = record.descriptor(name.clone())?;
    let mut keyspaces: Vec<Keyspace> = Vec::with_capacity(record.families.len());
    for family in &descriptor.families {
        let text = to_text(&family.name);
        let damaged =
            || StoreError::Corrupt(format!("the record of table {name} is damaged: no family {text}"));
        let keyspace =
            &record.families.iter().find(|record| record.name == text).ok_or_else(damaged)?.keyspace;
        // The storage below would make an empty one.
        if !db.keyspace_exists(keyspace) {
            return Err(StoreError::Corrupt(format!(
                "the cells of family {text} of table {name} are gone: the directory of the store lacks files"
            )));
        }
        keyspaces.push(db.keyspace(keyspace, || keyspaces::options(family)).map_err(from_fjall)?);
    }
    let ends = record.regions.iter().skip(1).map(|region| Bytes::from(from_text(region.start.as_bytes())));
    let mut regions = Vec::with_capacity(record.regions.len());
    for (region, end) in record.regions.iter().zip(ends.chain([Bytes::new()])) {
        let mut families = Vec::with_capacity(descriptor.families.len());
        for (family, keyspace) in descriptor.families.iter().zip(&keyspaces) {
            let flushes = region.families.get(&to_text(&family.name));
            let generation = flushes.map_or(1, |flushes| flushes.generation);
            let files =
                flushes.into_iter().flat_map(|flushes| &flushes.files).map(FileRecord::file).collect();
            families.push(FamilyStore::new(
                family.clone(),
                keyspace.clone(),
                generation,
                files,
                Memstore::unknown(),
            ));
        }
        regions.push(Arc::new(Region {
            table: name.clone(),
            id: region.id,
            start: from_text(region.start.as_bytes()).into(),
            end,
            server: region.server % servers,
            families,
            load: Load { stored_bytes: AtomicU64::new(region.stored_bytes), ..Load::default() },
        }));
    }
    Ok(TableState { descriptor, enabled: record.enabled, dropped: false, regions })
}

impl Engine {
    /// Writes a table's record.
    pub(crate) fn remember(&self, id: u64, state: &TableState) -> Result<(), StoreError> {
        self.inner.meta.put_table(&state.descriptor.name, &table_record(id, state))
    }
}

/// At the end the records take note of how large the regions have become. Nothing depends on it.
impl Drop for Inner {
    fn drop(&mut self) {
        let Ok(catalog) = self.catalog.get_mut() else { return };
        for table in catalog.tables.values() {
            let state = table.state();
            let _ = self.meta.put_table(&state.descriptor.name, &table_record(table.id, &state));
        }
    }
}

fn table_record(id: u64, state: &TableState) -> TableRecord {
    let first = state.regions.first();
    let families = state.descriptor.families.iter().filter_map(|family| {
        let keyspace = first?.family(&family.name)?.keyspace.name().to_string();
        Some(FamilyRecord::new(family, &keyspace))
    });
    TableRecord {
        id,
        enabled: state.enabled,
        attributes: state.descriptor.attributes.clone(),
        families: families.collect(),
        regions: state.regions.iter().map(|region| region_record(region)).collect(),
    }
}

fn region_record(region: &Region) -> RegionRecord {
    let families = region.families.iter().map(|family| {
        let flushes = GenerationRecord {
            generation: family.generation,
            files: family.files.iter().map(FileRecord::new).collect(),
        };
        (to_text(&family.descriptor.name), flushes)
    });
    RegionRecord {
        id: region.id,
        start: to_text(&region.start),
        server: region.server,
        stored_bytes: region.load.stored_bytes.load(std::sync::atomic::Ordering::Relaxed),
        families: families.collect(),
    }
}
