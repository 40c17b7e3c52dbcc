//! Makes, changes and removes tables and namespaces; flushes and compacts.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bytes::Bytes;
use fjall::{Keyspace, PersistMode};
use lsm_tree::AbstractTree;
use tablesmith_model::name::{DEFAULT_NAMESPACE, SYSTEM_NAMESPACE, check_namespace};
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::sanity::{check_names_and_versions, check_settings, ordered_splits};
use tablesmith_store::{FlushScope, StoreError};

use crate::checkpoint::sync_dir;
use crate::error::{from_fjall, from_io_at};
use crate::family::{FamilyStore, Memstore};
use crate::integrity::layout::KEYSPACES;
use crate::journal_keeper::keyspaces_of;
use crate::purge::choose_automatic;
use crate::region::{Load, Region};
use crate::table::{Table, TableState};
use crate::{Engine, keyspaces};

/// A family with fewer bytes than this is read in no time wherever it is.
const SETTLED_BYTES: u64 = 256 << 10;
/// Memory that is not written to a file within this time stays where it is: nothing is lost, reading is as right as ever.
const WRITE_OUT_WAIT: Duration = Duration::from_secs(60);
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// Has the storage below write to a file what it has in memory.
fn write_out(keyspace: &Keyspace) -> Result<(), StoreError> {
    keyspace.rotate_memtable().map_err(from_fjall)?;
    let begun = Instant::now();
    while keyspace.sealed_memtable_count() > 0 && begun.elapsed() < WRITE_OUT_WAIT {
        std::thread::sleep(LOOK_AGAIN);
    }
    Ok(())
}

impl Engine {
    pub(crate) fn create(&self, table: TableDescriptor, splits: Vec<Bytes>) -> Result<(), StoreError> {
        let _changing = self.lock_catalog();
        check_names_and_versions(&table)?;
        let splits = ordered_splits(splits)?;
        let namespace = table.name.namespace();
        if !self.with_catalog(|catalog| catalog.namespaces.contains(namespace)) {
            return Err(StoreError::NamespaceNotFound(namespace.to_owned()));
        }
        check_settings(&table)?;
        if table.name.is_meta() || self.with_catalog(|catalog| catalog.contains(&table.name)) {
            return Err(StoreError::TableExists(table.name));
        }
        let id = self.next_number();
        let state = self.new_state(id, table, &splits)?;
        self.remember(id, &state, PersistMode::SyncAll)?;
        let name = state.descriptor.name.clone();
        self.change_catalog(|catalog| catalog.tables.insert(name, Arc::new(Table::new(id, state))));
        self.back_up();
        Ok(())
    }

    pub(crate) fn next_number(&self) -> u64 {
        self.change_catalog(|catalog| {
            catalog.next_number += 1;
            catalog.next_number
        })
    }

    /// An empty keyspace. The caller has reserved numbers.
    pub(crate) fn new_keyspace(
        &self,
        table_id: u64,
        family: &FamilyDescriptor,
    ) -> Result<Keyspace, StoreError> {
        let name = keyspaces::name(table_id, self.next_number());
        let keyspace = self.inner.db.keyspace(&name, || keyspaces::options(family)).map_err(from_fjall)?;
        // The storage below syncs what is in the new directory, but not the entry that names it.
        let parent = self.inner.options.dir.join(KEYSPACES);
        sync_dir(&parent).map_err(|error| from_io_at(&parent, &error))?;
        Ok(keyspace)
    }

    /// An empty table, cut at sorted keys.
    fn new_state(
        &self,
        id: u64,
        descriptor: TableDescriptor,
        splits: &[Bytes],
    ) -> Result<TableState, StoreError> {
        self.inner.meta.reserve_numbers(descriptor.families.len())?;
        let keyspaces: Vec<Keyspace> = descriptor
            .families
            .iter()
            .map(|family| self.new_keyspace(id, family))
            .collect::<Result<_, _>>()?;
        let made_ms = self.stamp_ms()?;
        let starts = std::iter::once(Bytes::new()).chain(splits.iter().cloned());
        let ends = splits.iter().cloned().chain([Bytes::new()]);
        let regions = starts.zip(ends).enumerate().map(|(number, (start, end))| {
            let families = descriptor.families.iter().zip(&keyspaces).map(|(family, keyspace)| {
                FamilyStore::new(family.clone(), keyspace.clone(), 1, Vec::new(), Memstore::default())
            });
            Arc::new(Region {
                table: descriptor.name.clone(),
                id: made_ms,
                start,
                end,
                server: number % self.inner.options.servers,
                families: families.collect(),
                load: Load::default(),
            })
        });
        let regions = regions.collect();
        Ok(TableState { descriptor, enabled: true, dropped: false, regions })
    }

    /// Replaces a table's description; families that are gone from it lose their data.
    pub(crate) fn alter(&self, new: TableDescriptor) -> Result<(), StoreError> {
        let _changing = self.lock_catalog();
        check_names_and_versions(&new)?;
        let table = self.table(&new.name)?;
        check_settings(&new)?;
        let _writes = table.lock_writes();
        let old = table.state();
        // HBase opens the regions of a table anew when it is altered, which flushes them.
        let old_regions = self.closed_regions(&old, |_| true)?;
        self.inner.meta.reserve_numbers(new.families.len())?;
        let mut keyspaces: Vec<Keyspace> = Vec::with_capacity(new.families.len());
        let first = old.regions.first();
        for family in &new.families {
            let have = first.and_then(|region| region.family(&family.name));
            keyspaces.push(match have {
                Some(have) if !keyspaces::differ(&have.descriptor, family) => have.keyspace.clone(),
                Some(have) => self.copy_keyspace(&have.keyspace, table.id, family)?,
                None => self.new_keyspace(table.id, family)?,
            });
        }
        let regions = old_regions.iter().map(|region| {
            let families = new.families.iter().zip(&keyspaces).map(|(family, keyspace)| {
                match region.family(&family.name) {
                    Some(have) => {
                        FamilyStore { descriptor: family.clone(), keyspace: keyspace.clone(), ..have.copy() }
                    }
                    None => {
                        FamilyStore::new(family.clone(), keyspace.clone(), 1, Vec::new(), Memstore::default())
                    }
                }
            });
            Arc::new(region.with_families(families.collect()))
        });
        let state = TableState {
            descriptor: new.clone(),
            enabled: old.enabled,
            dropped: false,
            regions: regions.collect(),
        };
        self.remember(table.id, &state, PersistMode::SyncAll)?;
        let removed = keyspaces_of(&old).into_iter().filter(|have| !keyspaces.contains(have));
        self.delete_keyspaces(removed)?;
        table.replace(state);
        self.back_up();
        Ok(())
    }

    /// The same cells in a keyspace with other settings: block size, compression and filters are those of a keyspace.
    fn copy_keyspace(
        &self,
        old: &Keyspace,
        table_id: u64,
        family: &FamilyDescriptor,
    ) -> Result<Keyspace, StoreError> {
        let new = self.new_keyspace(table_id, family)?;
        let mut ingestion = new.start_ingestion().map_err(from_fjall)?;
        for guard in old.iter() {
            let (key, value) = guard.into_inner().map_err(from_fjall)?;
            ingestion.write(key, value).map_err(from_fjall)?;
        }
        ingestion.finish().map_err(from_fjall)?;
        Ok(new)
    }

    pub(crate) fn set_enabled(&self, name: &TableName, enabled: bool) -> Result<(), StoreError> {
        let _changing = self.lock_catalog();
        let table = self.table(name)?;
        let _writes = table.lock_writes();
        let old = table.state();
        match (old.enabled, enabled) {
            (false, false) => return Err(StoreError::TableNotEnabled(name.clone())),
            (true, true) => return Err(StoreError::TableNotDisabled(name.clone())),
            _ => {}
        }
        // HBase closes the regions of a table that is disabled, which flushes them.
        let regions = if enabled { old.regions.clone() } else { self.closed_regions(&old, |_| true)? };
        let state = TableState { enabled, regions, ..TableState::clone(&old) };
        self.remember(table.id, &state, PersistMode::SyncAll)?;
        table.replace(state);
        self.back_up();
        Ok(())
    }

    pub(crate) fn drop_disabled(&self, name: &TableName) -> Result<(), StoreError> {
        let _changing = self.lock_catalog();
        let table = self.table(name)?;
        let _writes = table.lock_writes();
        let old = table.state();
        if old.enabled {
            return Err(StoreError::TableNotDisabled(name.clone()));
        }
        self.inner.meta.remove_table(name)?;
        self.change_catalog(|catalog| catalog.tables.remove(name));
        table.replace(TableState { dropped: true, ..TableState::clone(&old) });
        self.back_up();
        self.delete_keyspaces(keyspaces_of(&old))
    }

    pub(crate) fn truncate(&self, name: &TableName, preserve_splits: bool) -> Result<(), StoreError> {
        let _changing = self.lock_catalog();
        let table = self.table(name)?;
        let _writes = table.lock_writes();
        let old = table.state();
        if old.enabled {
            return Err(StoreError::TableNotDisabled(name.clone()));
        }
        let splits: Vec<Bytes> = match preserve_splits {
            true => old.regions.iter().skip(1).map(|region| region.start.clone()).collect(),
            false => Vec::new(),
        };
        let state = self.new_state(table.id, old.descriptor.clone(), &splits)?;
        self.remember(table.id, &state, PersistMode::SyncAll)?;
        table.replace(state);
        self.back_up();
        self.delete_keyspaces(keyspaces_of(&old))
    }

    /// Removes keyspaces that no record names any more. The record that named them is replaced on disk by then: the
    /// removal is, too, and a power loss must not bring the record back without its cells.
    fn delete_keyspaces(&self, keyspaces: impl IntoIterator<Item = Keyspace>) -> Result<(), StoreError> {
        let keyspaces: Vec<Keyspace> = keyspaces.into_iter().collect();
        if keyspaces.is_empty() {
            return Ok(());
        }
        self.inner.meta.reserve_numbers(keyspaces.len())?;
        for keyspace in keyspaces {
            self.inner.db.delete_keyspace(keyspace).map_err(from_fjall)?;
        }
        Ok(())
    }

    /// Flushes what a scope names, as a person asked for: what was written is in files then, and closing the store
    /// empties the journal.
    pub(crate) fn flush_for_user(&self, scope: &FlushScope) -> Result<(), StoreError> {
        self.flush_scope(scope)?;
        self.inner.is_flushed.store(true, Ordering::Relaxed);
        let table = match scope {
            FlushScope::Table(name, _) => self.table(name)?,
            FlushScope::Region(region, _) => self.find_region(region)?.0,
        };
        let large = |keyspace: &Keyspace| keyspace.tree.active_memtable().size() >= SETTLED_BYTES;
        keyspaces_of(&table.state()).iter().filter(|keyspace| large(keyspace)).try_for_each(write_out)
    }

    /// Ends the present generations of what a scope names.
    pub(crate) fn flush_scope(&self, scope: &FlushScope) -> Result<(), StoreError> {
        match self.change_regions(scope, |engine, region, store| engine.flush_family(region, store))? {
            Some(disabled) => Err(StoreError::TableNotEnabled(disabled)),
            None => Ok(()),
        }
    }

    /// Compacts what a scope names, without flushing it first.
    pub(crate) fn compact_scope(&self, scope: &FlushScope, major: bool) -> Result<(), StoreError> {
        self.change_regions(scope, |engine, region, store| match major {
            true => engine.compact_major(region, store),
            false => engine.compact_minor(region, store),
        })?;
        if major { self.settle(scope) } else { Ok(()) }
    }

    /// After a major compaction all data are in files that the storage below has merged. It would keep what was written
    /// last in memory otherwise, where reading is another matter than from files; so little that it is read in no time
    /// may stay there.
    fn settle(&self, scope: &FlushScope) -> Result<(), StoreError> {
        let (table, only_family) = match scope {
            FlushScope::Table(name, family) => (self.table(name)?, family),
            FlushScope::Region(region, family) => (self.find_region(region)?.0, family),
        };
        let state = table.state();
        let Some(first) = state.regions.first() else { return Ok(()) };
        for store in &first.families {
            let name = &store.descriptor.name;
            let files = |region: &Arc<Region>| -> u64 {
                region.family(name).map_or(0, |family| family.files.iter().map(|file| file.bytes).sum())
            };
            let is_meant = only_family.as_ref().is_none_or(|only| only == name);
            if is_meant && state.regions.iter().map(files).sum::<u64>() >= SETTLED_BYTES {
                write_out(&store.keyspace)?;
                store.keyspace.major_compact().map_err(from_fjall)?;
            }
        }
        Ok(())
    }

    /// Puts changed families of the regions of a scope in place. A disabled table is left alone, and its name returned.
    fn change_regions(
        &self,
        scope: &FlushScope,
        change: impl Fn(&Self, &Region, &FamilyStore) -> Result<Option<FamilyStore>, StoreError>,
    ) -> Result<Option<TableName>, StoreError> {
        let (table, only_region) = match scope {
            FlushScope::Table(name, _) => (self.table(name)?, None),
            FlushScope::Region(region, _) => {
                let (table, region) = self.find_region(region)?;
                (table, Some(region.encoded_name()))
            }
        };
        let (FlushScope::Table(_, only_family) | FlushScope::Region(_, only_family)) = scope;
        let _writes = table.lock_writes();
        let old = table.state();
        if !old.enabled {
            return Ok(Some(old.descriptor.name.clone()));
        }
        if let Some(family) = only_family {
            old.family(family)?;
        }
        let wanted = |region: &Region, family: &Bytes| {
            only_region.as_ref().is_none_or(|only| *only == region.encoded_name())
                && only_family.as_ref().is_none_or(|only| only == family)
        };
        let regions = self.changed_regions(&old, wanted, change)?;
        let state = TableState { regions, ..TableState::clone(&old) };
        self.remember(table.id, &state, PersistMode::Buffer)?;
        table.replace(state);
        Ok(None)
    }

    /// The regions of a table, those wanted as they are once a server has let go of them.
    pub(crate) fn closed_regions(
        &self,
        state: &TableState,
        wanted: impl Fn(&Region) -> bool,
    ) -> Result<Vec<Arc<Region>>, StoreError> {
        let wanted = |region: &Region, _: &Bytes| wanted(region);
        self.changed_regions(state, wanted, |engine, region, store| engine.close_family(region, store))
    }

    fn changed_regions(
        &self,
        state: &TableState,
        wanted: impl Fn(&Region, &Bytes) -> bool,
        change: impl Fn(&Self, &Region, &FamilyStore) -> Result<Option<FamilyStore>, StoreError>,
    ) -> Result<Vec<Arc<Region>>, StoreError> {
        let mut regions = Vec::with_capacity(state.regions.len());
        for region in &state.regions {
            let mut changed = Vec::with_capacity(region.families.len());
            for store in &region.families {
                let new =
                    if wanted(region, &store.descriptor.name) { change(self, region, store)? } else { None };
                changed.push(new);
            }
            if changed.iter().all(Option::is_none) {
                regions.push(region.clone());
                continue;
            }
            let families =
                region.families.iter().zip(changed).map(|(store, new)| new.unwrap_or_else(|| store.copy()));
            regions.push(Arc::new(region.with_families(families.collect())));
        }
        Ok(regions)
    }

    /// Ends generations that have grown full, and splits a region that has grown too large. Housekeeping: what fails
    /// here has lost nothing and is tried again with the next write.
    pub(crate) fn end_full_generations(&self, table: &Table, state: &TableState, row: &[u8]) {
        let Ok(region) = state.region_of(row) else { return };
        let flush_bytes = state
            .descriptor
            .number_attribute("MEMSTORE_FLUSHSIZE")
            .and_then(|bytes| u64::try_from(bytes).ok())
            .unwrap_or(self.inner.options.flush_bytes);
        if region.families.iter().any(|family| family.memstore().is_full(flush_bytes)) {
            let scope = FlushScope::Region(region.encoded_name(), None);
            let tidied = self.flush_scope(&scope).and_then(|()| {
                self.change_regions(&scope, |engine, region, store| {
                    engine.compact_family(region, store, choose_automatic(&store.files))
                })
            });
            if tidied.is_err() {
                return;
            }
        }
        self.split_if_large(table, region);
    }

    pub(crate) fn make_namespace(&self, name: &str) -> Result<(), StoreError> {
        let _changing = self.lock_catalog();
        check_namespace(name).map_err(|error| StoreError::Refused(error.to_string()))?;
        if self.with_catalog(|catalog| catalog.namespaces.contains(name)) {
            return Err(StoreError::NamespaceExists(name.to_owned()));
        }
        self.inner.meta.put_namespace(name)?;
        self.change_catalog(|catalog| catalog.namespaces.insert(name.to_owned()));
        Ok(())
    }

    pub(crate) fn remove_namespace(&self, name: &str) -> Result<(), StoreError> {
        let _changing = self.lock_catalog();
        if !self.with_catalog(|catalog| catalog.namespaces.contains(name)) {
            return Err(StoreError::NamespaceNotFound(name.to_owned()));
        }
        if [DEFAULT_NAMESPACE, SYSTEM_NAMESPACE].contains(&name) {
            return Err(StoreError::Constraint(format!("the namespace {name} is reserved")));
        }
        if self.with_catalog(|catalog| catalog.tables.keys().any(|table| table.namespace() == name)) {
            return Err(StoreError::Constraint(format!(
                "the namespace {name} still has tables: drop them first"
            )));
        }
        self.inner.meta.remove_namespace(name)?;
        self.change_catalog(|catalog| catalog.namespaces.remove(name));
        Ok(())
    }
}
