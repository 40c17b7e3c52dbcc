//! Opens a directory: checks that it is whole, recovers what a crash left, reads the records.
//!
//! ```text
//! lock ─▶ inspect ─▶ damage?     ─ yes ─▶ an error that names the files; nothing is changed
//!                      │ no                (read-only: a copy without what is damaged is opened instead)
//!                      ▼
//!         cut the torn batch off, move aside what the storage below would remove ─▶ open ─▶ records ─▶ orphans aside
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, RwLock};

use bytes::Bytes;
use fjall::{Database, Keyspace, PersistMode};
use tablesmith_model::TableName;
use tablesmith_model::bytes_text::{from_text, to_text};
use tablesmith_model::name::{DEFAULT_NAMESPACE, SYSTEM_NAMESPACE};
use tablesmith_store::StoreError;

use crate::backup::Backup;
use crate::checkpoint::sync_dir;
use crate::clock::StoreClock;
use crate::dir_lock::{DirLock, locked};
use crate::error::{from_fjall, from_io_at, io_cause, problem_of_fjall};
use crate::family::{FamilyStore, Memstore};
use crate::gate::WriteGate;
use crate::integrity::Damage;
use crate::integrity::inspect::{Inspection, Journal, inspect};
use crate::integrity::journal::JournalEnd;
use crate::integrity::keyspace::Depth;
use crate::integrity::layout::ORPHANS;
use crate::journal_keeper::JournalKeeper;
use crate::meta::{
    FAMILY_PREFIX, FamilyRecord, FileRecord, GenerationRecord, Meta, RegionRecord, TableRecord,
};
use crate::region::{Load, Region};
use crate::table::{Table, TableState};
use crate::{Catalog, Engine, EngineOptions, Inner, keyspaces, shadow, unfinished};

impl Engine {
    /// Opens a directory, or creates a new store in it.
    ///
    /// A store that cannot be written to, because its medium is read-only or the user may not, is opened for reading.
    pub fn open(options: EngineOptions) -> Result<Self, StoreError> {
        if options.servers == 0 {
            return Err(StoreError::IllegalArgument("a store has at least 1 region server".to_owned()));
        }
        if options.read_only {
            return Self::open_for_reading(options, "it was opened with --read-only".to_owned());
        }
        let dir = options.dir.clone();
        match create_dir(&dir).and_then(|()| DirLock::exclusive(&dir)) {
            Ok(lock) => Self::open_for_writing(options, lock?),
            Err(error) if forbids_writing(&error) && dir.is_dir() => {
                Self::open_for_reading(options, format!("its directory cannot be written to: {error}"))
            }
            Err(error) => Err(from_io_at(&dir, &error)),
        }
    }

    fn open_for_writing(options: EngineOptions, lock: DirLock) -> Result<Self, StoreError> {
        let dir = options.dir.clone();
        unfinished::remove(&dir).map_err(|error| from_io_at(&dir, &error))?;
        let inspection = inspect(&dir, Depth::Quick)?;
        if !inspection.damage.is_empty() {
            return Err(refuse(&dir, &inspection.damage));
        }
        let warnings = prepare(&dir, &inspection).map_err(|error| from_io_at(&dir, &error))?;
        let db = Database::builder(&dir)
            .cache_size(options.cache_bytes)
            .open()
            .map_err(|error| explain(error, &dir))?;
        let gate = Arc::new(WriteGate::new(dir.clone(), inspection.marks()));
        if !inspection.closed {
            // What was recovered is flushed when this process ends, so that the next one has nothing to recover.
            gate.pass(&db)?;
        }
        let meta = Meta::open(&db, &dir, gate.clone())?;
        let catalog = read_catalog(&db, &meta, options.servers, None)?;
        move_orphans_aside(&db, &meta, &dir, &catalog)?;
        let keep = Keep { _lock: Some(lock), warnings, ..Keep::default() };
        let engine = Self::start(options, db, meta, gate, catalog, keep)?;
        engine.find_lost_clock()?;
        Ok(engine)
    }

    /// Opens a copy of what is whole.
    fn open_for_reading(options: EngineOptions, because: String) -> Result<Self, StoreError> {
        let dir = options.dir.clone();
        if !dir.is_dir() {
            let error = io::Error::from(io::ErrorKind::NotFound);
            return Err(from_io_at(&dir, &error));
        }
        let lock = DirLock::shared(&dir)?;
        let backup = Backup::read(&dir);
        let open = |depth: Depth| -> Result<_, StoreError> {
            let inspection = inspect(&dir, depth)?;
            let copy =
                shadow::copy(&dir, &inspection, backup.as_ref()).map_err(|error| from_io_at(&dir, &error))?;
            let builder = Database::builder(copy.path()).cache_size(options.cache_bytes);
            Ok((builder.worker_threads_unchecked(0).open(), copy, inspection))
        };
        let (mut db, mut copy, mut inspection) = open(Depth::Quick)?;
        if db.is_err() {
            // A table file that the storage below does not open: without its keyspace the others can be read.
            (db, copy, inspection) = open(Depth::Full)?;
        }
        let db = db.map_err(|error| explain(error, &dir))?;
        let because = format!("the store in {} is open for reading only: {because}", dir.display());
        let gate = Arc::new(WriteGate::read_only(dir.clone(), because));
        let meta = Meta::open(&db, &dir, gate.clone())?;
        let catalog = read_catalog(&db, &meta, options.servers, backup.as_ref())?;
        let keep = Keep { _lock: lock, _copy: Some(copy), damage: inspection.damage, warnings: Vec::new() };
        Self::start(options, db, meta, gate, catalog, keep)
    }

    fn start(
        options: EngineOptions,
        db: Database,
        meta: Meta,
        gate: Arc<WriteGate>,
        catalog: Catalog,
        keep: Keep,
    ) -> Result<Self, StoreError> {
        let catalog = Arc::new(RwLock::new(catalog));
        let journal_keeper = JournalKeeper::start(db.clone(), meta.clone(), Arc::clone(&catalog))
            .map_err(|error| from_io_at(&options.dir, &error))?;
        let clock = StoreClock::open(options.clock.clone(), &options.dir, options.follows_clock_back);
        let inner = Inner {
            options,
            clock,
            gate,
            journal_keeper,
            meta,
            catalog,
            changing: Mutex::new(()),
            backing_up: Mutex::new(()),
            is_flushed: std::sync::atomic::AtomicBool::new(false),
            db,
            keep,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// What is damaged, in a store that was opened for reading.
    pub fn damage(&self) -> &[Damage] {
        &self.inner.keep.damage
    }

    /// What opening the store had to do that its user should know of, a sentence each.
    pub fn warnings(&self) -> &[String] {
        &self.inner.keep.warnings
    }

    /// Whether the store was opened for reading only.
    pub fn is_read_only(&self) -> bool {
        self.inner.gate.is_read_only()
    }
}

/// What an open store holds until it is closed.
#[derive(Debug, Default)]
pub(crate) struct Keep {
    damage: Vec<Damage>,
    warnings: Vec<String>,
    /// The copy that is read in place of the store.
    _copy: Option<tempfile::TempDir>,
    _lock: Option<DirLock>,
}

/// Creates a directory that only its owner can look into; an existing one is left as it is.
fn create_dir(dir: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

fn forbids_writing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// The error for a damaged store.
pub(crate) fn refuse(dir: &Path, damage: &[Damage]) -> StoreError {
    let first = damage.first().map(ToString::to_string).unwrap_or_default();
    let more = match damage.len() {
        0 | 1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    let dir = dir.display();
    StoreError::Corrupt(format!(
        "the store in {dir} is damaged, and nothing was changed: {first}{more}. `tablesmith store check {dir}` lists all \
         damage, `tablesmith store salvage {dir} NEW-DIR` copies out what can be read, and --read-only reads it in place"
    ))
}

/// Does to the files what recovery needs: cuts off the batch that a crash cut short, and moves aside keyspaces that the
/// storage below would remove. Returns what the user should know of it.
fn prepare(dir: &Path, inspection: &Inspection) -> io::Result<Vec<String>> {
    let mut warnings = Vec::new();
    if let Some(journal) = inspection.torn_journal() {
        if journal.scan.end == JournalEnd::PagesLost {
            warnings.push(keep_end(dir, journal)?);
        }
        let file = fs::OpenOptions::new().write(true).open(&journal.path)?;
        file.set_len(journal.scan.whole_bytes)?;
        file.sync_all()?;
    }
    inspection.unnamed.iter().try_for_each(|path| move_aside(dir, path))?;
    Ok(warnings)
}

/// Copies what will be cut off a journal to the orphans: batches may be in it that were written after what was lost.
fn keep_end(dir: &Path, journal: &Journal) -> io::Result<String> {
    let mut end = Vec::new();
    let mut file = fs::File::open(&journal.path)?;
    file.seek(SeekFrom::Start(journal.scan.whole_bytes))?;
    file.read_to_end(&mut end)?;
    end.truncate(end.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1));
    let path = orphan_path(dir, &journal.path)?;
    let mut copy = fs::File::create_new(&path)?;
    copy.write_all(&end)?;
    copy.sync_all()?;
    sync_dir(&dir.join(ORPHANS))?;
    Ok(format!(
        "{} lacks pages that were not on disk when the machine lost power: what was written behind byte {} is cut off and \
         kept in {}",
        journal.path.display(),
        journal.scan.whole_bytes,
        path.display()
    ))
}

/// A free name among the orphans for a file or directory of the store.
fn orphan_path(dir: &Path, path: &Path) -> io::Result<PathBuf> {
    let orphans = dir.join(ORPHANS);
    fs::create_dir_all(&orphans)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let free = (1..).map(|number| orphans.join(format!("{name}-{number}"))).find(|path| !path.exists());
    Ok(free.unwrap_or_else(|| orphans.join(name)))
}

/// Moves the directory of a keyspace to the orphans. Nobody needs it, most likely; it is not for us to say.
fn move_aside(dir: &Path, keyspace: &Path) -> io::Result<()> {
    fs::rename(keyspace, orphan_path(dir, keyspace)?)?;
    sync_dir(&dir.join(ORPHANS))
}

fn explain(error: fjall::Error, dir: &Path) -> StoreError {
    if matches!(error, fjall::Error::Locked) {
        return locked(dir);
    }
    // The storage below does not say which file it means.
    let damage = inspect(dir, Depth::Full).map(|found| found.damage).unwrap_or_default();
    match io_cause(&error).filter(|io| io.kind() != io::ErrorKind::UnexpectedEof) {
        Some(io) if damage.is_empty() => from_io_at(dir, io),
        None if damage.is_empty() => refuse(dir, &[Damage::new(dir, problem_of_fjall(&error))]),
        _ => refuse(dir, &damage),
    }
}

/// Reads what the records say. A table that cannot be read does not keep the others from being opened.
fn read_catalog(
    db: &Database,
    meta: &Meta,
    servers: usize,
    backup: Option<&Backup>,
) -> Result<Catalog, StoreError> {
    let mut catalog = Catalog::default();
    catalog.namespaces.extend([DEFAULT_NAMESPACE.to_owned(), SYSTEM_NAMESPACE.to_owned()]);
    catalog.namespaces.extend(meta.namespaces()?);
    let mut tables = meta.tables()?;
    if tables.is_empty() {
        let copies = backup.into_iter().flat_map(|backup| backup.tables.clone());
        tables.extend(copies.filter_map(|(name, record)| Some((name.parse().ok()?, Ok(record)))));
    }
    for (name, record) in tables {
        catalog.namespaces.insert(name.namespace().to_owned());
        let read = record.and_then(|record| {
            catalog.note_numbers(&record);
            Ok((record.id, read_table(db, &name, &record, servers)?))
        });
        match read {
            Ok((id, state)) => {
                catalog.tables.insert(name, Arc::new(Table::new(id, state)));
            }
            Err(error) => {
                catalog.unreadable.insert(name, error.to_string());
            }
        }
    }
    Ok(catalog)
}

impl Catalog {
    /// Numbers that a table and its keyspaces have are not given again.
    fn note_numbers(&mut self, record: &TableRecord) {
        self.next_number = self.next_number.max(record.id + 1);
        for family in &record.families {
            let number = family.keyspace.rsplit('.').next().and_then(|number| number.parse::<u64>().ok());
            self.next_number = self.next_number.max(number.map_or(0, |number| number + 1));
            self.named_keyspaces.insert(family.keyspace.clone());
        }
    }
}

/// Keyspaces of families that no record names were being created or removed when a process ended. An empty one is
/// removed; cells are moved aside. With a record that cannot be read nobody knows what it names.
fn move_orphans_aside(db: &Database, meta: &Meta, dir: &Path, catalog: &Catalog) -> Result<(), StoreError> {
    if !catalog.unreadable.is_empty() {
        return Ok(());
    }
    let names: BTreeSet<String> = db.list_keyspace_names().iter().map(|name| name.to_string()).collect();
    let orphans: Vec<&String> = names
        .iter()
        .filter(|name| name.starts_with(FAMILY_PREFIX) && !catalog.named_keyspaces.contains(*name))
        .collect();
    if orphans.is_empty() {
        return Ok(());
    }
    meta.reserve_numbers(orphans.len())?;
    for name in orphans {
        let orphan = db.keyspace(name, fjall::KeyspaceCreateOptions::default).map_err(from_fjall)?;
        let is_empty = orphan.is_empty().map_err(from_fjall)?;
        if !is_empty {
            // What is only in the journal so far would not go with the files.
            orphan.rotate_memtable_and_wait().map_err(from_fjall)?;
        }
        db.delete_keyspace(orphan.clone()).map_err(from_fjall)?;
        if !is_empty {
            // Without its files the storage below has nothing to remove.
            move_aside(dir, orphan.path()).map_err(|error| from_io_at(dir, &error))?;
        }
    }
    Ok(())
}

pub(crate) fn read_table(
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
        // The storage below would create an empty one.
        if !db.keyspace_exists(keyspace) {
            return Err(StoreError::Corrupt(format!(
                "the cells of table {name}, family {text}, cannot be read: the files of keyspace {keyspace} are damaged \
                 or missing"
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
    /// Writes the second copy of the records after a command that changed them. Where that fails the command is done all
    /// the same, and closing tries again.
    pub(crate) fn back_up(&self) {
        let _ = self.inner.write_backup();
    }

    /// Writes a table's record.
    pub(crate) fn remember(
        &self,
        id: u64,
        state: &TableState,
        durability: PersistMode,
    ) -> Result<(), StoreError> {
        self.inner.meta.put_table(&state.descriptor.name, &table_record(id, state), durability)
    }
}

pub(crate) fn table_record(id: u64, state: &TableState) -> TableRecord {
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
