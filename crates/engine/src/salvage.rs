//! Checks every byte of a store, and copies what can be read of a damaged one to a new store.

use std::path::Path;

use fjall::{Keyspace, PersistMode};
use tablesmith_model::TableName;
use tablesmith_store::StoreError;

use crate::backup::{self, Backup};
use crate::checkpoint::{self, Checkpoint, State};
use crate::clock;
use crate::dir_lock::DirLock;
use crate::error::{from_fjall, from_io_at, from_read};
use crate::integrity::Damage;
use crate::integrity::inspect::inspect;
use crate::integrity::keyspace::Depth;
use crate::journal_keeper::keyspaces_of;
use crate::open::table_record;
use crate::table::{Table, TableState};
use crate::{Engine, EngineOptions, key};

/// Finds everything that is damaged in a store; changes nothing.
pub fn check(dir: &Path, depth: Depth) -> Result<Vec<Damage>, StoreError> {
    if !dir.is_dir() {
        return Err(from_io_at(dir, &std::io::Error::from(std::io::ErrorKind::NotFound)));
    }
    let _lock = DirLock::shared(dir)?;
    let mut damage = inspect(dir, depth)?.damage;
    if damage.is_empty() {
        let engine = Engine::open(EngineOptions { read_only: true, ..EngineOptions::new(dir) })?;
        let unreadable = engine.with_catalog(|catalog| catalog.unreadable.clone());
        damage.extend(unreadable.into_values().map(|problem| Damage::new(dir, problem)));
        if engine.with_catalog(|catalog| catalog.names().next().is_some()) {
            damage.extend(lost_files(dir)?);
        }
    }
    Ok(damage)
}

/// The small files beside the cells that are missing or cannot be read, in a store with tables. Opening does without
/// them; what they protect from is no longer noticed. A store of a program that had none of them lacks all.
fn lost_files(dir: &Path) -> Result<Vec<Damage>, StoreError> {
    let lost = |file: &str| {
        let path = dir.join(file);
        let problem = if path.exists() { "the file cannot be read" } else { "the file is missing" };
        Damage::new(&path, problem)
    };
    let checkpoint = Checkpoint::read(dir)?.ok().flatten();
    // The process that has the store open, or was killed, may just have created its first table.
    let is_open = checkpoint.as_ref().is_some_and(|checkpoint| checkpoint.state == State::Open);
    let mut damage = Vec::new();
    if checkpoint.is_none() {
        damage.push(lost(checkpoint::FILE));
    }
    if clock::read_bound(dir).is_none() {
        damage.push(lost(clock::FILE));
    }
    if Backup::read(dir).is_none() && !is_open {
        damage.push(lost(backup::FILE));
    }
    let has_none = [checkpoint::FILE, clock::FILE, backup::FILE].iter().all(|file| !dir.join(file).exists());
    Ok(if has_none { Vec::new() } else { damage })
}

/// What was copied out of a damaged store.
#[derive(Clone, Debug, Default)]
pub struct Salvage {
    /// What was damaged.
    pub damage: Vec<Damage>,
    /// The tables that were copied, at least in part.
    pub tables: Vec<SalvagedTable>,
    /// Tables of which nothing could be read, and why.
    pub lost: Vec<(TableName, String)>,
}

/// A table that was copied.
#[derive(Clone, Debug)]
pub struct SalvagedTable {
    /// Its name.
    pub name: TableName,
    /// Stored cells that were copied, all versions and tombstones included.
    pub cells: u64,
    /// What could not be read: table, family, file of the damaged store and problem.
    pub problems: Vec<String>,
}

/// Copies what can be read of a store to a new one in another directory, which must be empty or not exist.
pub fn salvage(from: &Path, to: &Path) -> Result<Salvage, StoreError> {
    if to.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(StoreError::IllegalArgument(format!(
            "{} is not empty: salvage writes to a new directory",
            to.display()
        )));
    }
    let source = Engine::open(EngineOptions { read_only: true, ..EngineOptions::new(from) })?;
    let target = Engine::open(EngineOptions::new(to))?;
    let mut salvaged = Salvage { damage: source.damage().to_vec(), ..Salvage::default() };
    let (tables, unreadable, namespaces) = source.with_catalog(|catalog| {
        (catalog.tables.clone(), catalog.unreadable.clone(), catalog.namespaces.clone())
    });
    for namespace in namespaces {
        if !target.with_catalog(|catalog| catalog.namespaces.contains(&namespace)) {
            target.make_namespace(&namespace)?;
        }
    }
    for (name, table) in tables {
        let (cells, problems) = target.copy_table(&table.state())?;
        salvaged.tables.push(SalvagedTable { name, cells, problems });
    }
    salvaged.lost.extend(unreadable);
    Ok(salvaged)
}

impl Engine {
    /// Copies a table of another store, with its regions, and every cell as it is stored.
    fn copy_table(&self, source: &TableState) -> Result<(u64, Vec<String>), StoreError> {
        let _changing = self.lock_catalog();
        let id = self.next_number();
        self.inner.meta.reserve_numbers(source.descriptor.families.len())?;
        let mut record = table_record(id, source);
        let (mut cells, mut problems) = (0, Vec::new());
        let families = source.regions.first().map(|region| &region.families[..]).unwrap_or_default();
        for (family, family_record) in families.iter().zip(&mut record.families) {
            let keyspace = self.new_keyspace(id, &family.descriptor)?;
            let (copied, problem) = copy_cells(&family.keyspace, &keyspace)?;
            self.learn_timestamps(&keyspace)?;
            cells += copied;
            let what = format!("table {}, family {}", source.descriptor.name, family_record.name);
            problems.extend(problem.map(|problem| format!("{what}: {problem}")));
            family_record.keyspace = keyspace.name().to_string();
        }
        let name = &source.descriptor.name;
        self.inner.meta.put_table(name, &record, PersistMode::SyncAll)?;
        let servers = self.inner.options.servers;
        let state = crate::open::read_table(&self.inner.db, name, &record, servers)?;
        self.change_catalog(|catalog| {
            catalog.tables.insert(name.clone(), std::sync::Arc::new(Table::new(id, state)))
        });
        self.back_up();
        Ok((cells, problems))
    }
}

impl Engine {
    /// Finds a bound for the clock in the cells, where its file is lost.
    pub(crate) fn find_lost_clock(&self) -> Result<(), StoreError> {
        if !self.inner.clock.is_lost() {
            return Ok(());
        }
        let states: Vec<_> =
            self.with_catalog(|catalog| catalog.tables.values().map(|table| table.state()).collect());
        let mut keyspaces = states.iter().flat_map(|state| keyspaces_of(state));
        keyspaces.try_for_each(|keyspace| self.learn_timestamps(&keyspace))
    }

    /// The clock takes note of the newest cell of a keyspace.
    fn learn_timestamps(&self, keyspace: &Keyspace) -> Result<(), StoreError> {
        let mut newest = None;
        for guard in keyspace.iter() {
            let cell = guard.key().map_err(|error| from_read(keyspace, &[], error))?;
            let timestamp = key::timestamp(&cell).filter(|timestamp| *timestamp <= clock::LATEST_CLOCK_MS);
            newest = newest.max(timestamp);
        }
        newest.map_or(Ok(()), |newest| self.inner.clock.learn(newest))
    }
}

/// Copies cells from the beginning up to the first block that cannot be read, then from the end back to the last one.
fn copy_cells(from: &Keyspace, to: &Keyspace) -> Result<(u64, Option<String>), StoreError> {
    let mut ingestion = to.start_ingestion().map_err(from_fjall)?;
    let (mut cells, mut last_key, mut problem) = (0, None, None);
    for guard in from.iter() {
        match guard.into_inner() {
            Ok((key, value)) => {
                last_key = Some(key.clone());
                ingestion.write(key, value).map_err(from_fjall)?;
                cells += 1;
            }
            Err(error) => {
                problem = Some(crate::error::damaged_file(from, &error));
                break;
            }
        }
    }
    ingestion.finish().map_err(from_fjall)?;
    if problem.is_some() {
        cells += copy_from_end(from, to, last_key.as_deref())?;
    }
    Ok((cells, problem))
}

fn copy_from_end(from: &Keyspace, to: &Keyspace, until: Option<&[u8]>) -> Result<u64, StoreError> {
    let mut cells = 0;
    for guard in from.iter().rev() {
        let Ok((key, value)) = guard.into_inner() else { break };
        if until.is_some_and(|until| &key[..] <= until) {
            break;
        }
        to.insert(key, value).map_err(from_fjall)?;
        cells += 1;
    }
    Ok(cells)
}
