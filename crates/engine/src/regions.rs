//! Cuts, joins and moves regions.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use fjall::PersistMode;
use tablesmith_model::bytes_text::to_text;
use tablesmith_store::{ClusterStatus, ServerLoad, StoreError};

use crate::Engine;
use crate::cursor::Cursor;
use crate::family::FamilyStore;
use crate::region::{Load, Region, server_name};
use crate::table::{Table, TableState};

impl Engine {
    /// The region of a name or encoded name.
    pub(crate) fn find_region(&self, name: &str) -> Result<(Arc<Table>, Arc<Region>), StoreError> {
        let encoded = name.trim_end_matches('.').rsplit('.').next().unwrap_or(name);
        let tables: Vec<Arc<Table>> = self.with_catalog(|catalog| catalog.tables.values().cloned().collect());
        for table in tables {
            let state = table.state();
            if let Some(region) = state.regions.iter().find(|region| region.encoded_name() == encoded) {
                return Ok((table, region.clone()));
            }
        }
        Err(StoreError::UnknownRegion(name.to_owned()))
    }

    /// Cuts a region at a key, or where half of its bytes lie on each side.
    pub(crate) fn split(&self, table: &Table, encoded: &str, at: Option<Bytes>) -> Result<(), StoreError> {
        let _writes = table.lock_writes();
        let old = table.state();
        old.check_enabled()?;
        old.check_allows("SPLIT_ENABLED", "split")?;
        let position = position(&old.regions, encoded)?;
        if let (Some(at), Some(region)) = (&at, old.regions.get(position)) {
            check_split_point(region, at)?;
        }
        let regions = self.closed_regions(&old, |region| region.encoded_name() == encoded)?;
        let Some(region) = regions.get(position) else { return Ok(()) };
        let Some(at) = at.map_or_else(|| self.middle_row(region), |at| Ok(Some(at)))? else {
            // HBase has let go of the region by then.
            self.replace_regions(table, &old, regions)?;
            return Err(StoreError::DoNotRetry(format!(
                "region {encoded} has no row to be cut at: it needs at least two rows, or give a split point"
            )));
        };
        // Daughters are younger than their parent, whatever the clock says.
        let id = self.now_ms().max(region.id + 1);
        let daughters = [(&region.start, &at), (&at, &region.end)];
        let daughters = daughters.map(|(start, end)| self.daughter(region, id, start, end));
        let mut regions = regions.clone();
        regions.splice(position..=position, daughters.into_iter().collect::<Result<Vec<_>, _>>()?);
        self.replace_regions(table, &old, regions)
    }

    /// A part of a region as a region of its own. It has those files of which it has cells.
    fn daughter(
        &self,
        parent: &Region,
        id: i64,
        start: &Bytes,
        end: &Bytes,
    ) -> Result<Arc<Region>, StoreError> {
        let families = parent.families.iter().map(FamilyStore::copy).collect();
        let (start, end) = (start.clone(), end.clone());
        let mut daughter = Region { id, start, end, load: Load::default(), ..parent.with_families(families) };
        let range = daughter.key_range();
        let snapshot = self.inner.db.snapshot();
        for store in &mut daughter.families {
            let mut cursor =
                Cursor::new(&store.keyspace, &snapshot, &store.descriptor.name, range.clone(), false);
            let mut has_cells = vec![false; store.files.len()];
            while let Some(stored) = cursor.peek()? {
                for (has_cells, file) in has_cells.iter_mut().zip(&store.files) {
                    *has_cells |= file.contains(stored);
                }
                daughter.load.stored_bytes.fetch_add(stored.stored_bytes(), Ordering::Relaxed);
                cursor.advance();
            }
            let mut has_cells = has_cells.into_iter();
            store.files.retain(|_| has_cells.next().unwrap_or_default());
        }
        Ok(Arc::new(daughter))
    }

    /// The row with about half of a region's bytes before it; `None` when all are in one row.
    fn middle_row(&self, region: &Region) -> Result<Option<Bytes>, StoreError> {
        let snapshot = self.inner.db.snapshot();
        let mut rows: std::collections::BTreeMap<Bytes, u64> = std::collections::BTreeMap::new();
        let mut every = 1;
        for store in &region.families {
            let name = &store.descriptor.name;
            let mut cursor = Cursor::new(&store.keyspace, &snapshot, name, region.key_range(), false);
            let mut weight = 0;
            let mut count = 0_u64;
            while let Some(stored) = cursor.peek()? {
                weight += stored.stored_bytes();
                count += 1;
                if count.is_multiple_of(every) {
                    // A copy: the row as it was read would keep a whole block of rows in memory.
                    let row = Bytes::copy_from_slice(stored.row());
                    *rows.entry(row).or_default() += std::mem::take(&mut weight);
                }
                cursor.advance();
                if rows.len() > MAX_SAMPLED_ROWS {
                    thin_out(&mut rows);
                    every *= 2;
                }
            }
        }
        let half = rows.values().sum::<u64>() / 2;
        let mut before = 0;
        let middle = rows.iter().find(|(_, weight)| {
            before += **weight;
            before > half
        });
        let middle = middle.map(|(row, _)| row.clone()).filter(|row| *row > region.start);
        let beyond_first = rows.keys().next().filter(|first| middle.as_ref() == Some(*first));
        Ok(match beyond_first {
            // Cutting at the first row would leave nothing before it.
            Some(_) => rows.keys().nth(1).cloned(),
            None => middle,
        })
    }

    /// Makes one region of several.
    pub(crate) fn merge(&self, names: &[String], force: bool) -> Result<(), StoreError> {
        let mut found: Vec<(Arc<Table>, Arc<Region>)> =
            names.iter().map(|name| self.find_region(name)).collect::<Result<_, _>>()?;
        found.sort_by(|a, b| a.1.start.cmp(&b.1.start));
        found.dedup_by(|a, b| Arc::ptr_eq(&a.1, &b.1));
        let [(table, first), .., (_, last)] = found.as_slice() else {
            return Err(StoreError::Region("a merge takes two or more different regions".to_owned()));
        };
        if found.iter().any(|(other, _)| !Arc::ptr_eq(other, table)) {
            return Err(StoreError::Region("regions of different tables cannot be merged".to_owned()));
        }
        let neighbours = found.windows(2).all(|pair| matches!(pair, [(_, a), (_, b)] if a.end == b.start));
        if !neighbours && !force {
            return Err(StoreError::Region(
                "these regions are not neighbours: merge neighbours, or force it to take in what lies between".to_owned(),
            ));
        }
        let _writes = table.lock_writes();
        let old = table.state();
        old.check_enabled()?;
        let (from, to) =
            (position(&old.regions, &first.encoded_name())?, position(&old.regions, &last.encoded_name())?);
        let between: Vec<String> =
            old.regions.iter().skip(from).take(to + 1 - from).map(|region| region.encoded_name()).collect();
        let mut regions = self.closed_regions(&old, |region| between.contains(&region.encoded_name()))?;
        let merged: Vec<Arc<Region>> = regions.drain(from..=to).collect();
        let Some(region) = merge_regions(&merged, self.now_ms()) else { return Ok(()) };
        regions.insert(from, Arc::new(region));
        self.replace_regions(table, &old, regions)
    }

    /// Gives a region to another server.
    pub(crate) fn move_to(&self, name: &str, server: Option<&str>) -> Result<(), StoreError> {
        let (table, region) = self.find_region(name)?;
        let servers = self.inner.options.servers;
        let server = match server {
            None => (region.server + 1) % servers,
            Some(wanted) => (0..servers).find(|&number| server_name(number) == wanted).ok_or_else(|| {
                StoreError::DoNotRetry(format!(
                    "there is no server {wanted}: they are server-1 to server-{servers}"
                ))
            })?,
        };
        let _writes = table.lock_writes();
        let old = table.state();
        old.check_enabled()?;
        if server == region.server {
            return Ok(());
        }
        let encoded = region.encoded_name();
        // A region that moves is closed first, which flushes it.
        let mut regions = self.closed_regions(&old, |region| region.encoded_name() == encoded)?;
        let position = position(&regions, &encoded)?;
        if let Some(place) = regions.get_mut(position) {
            let families = place.families.iter().map(FamilyStore::copy).collect();
            *place = Arc::new(Region { server, ..place.with_families(families) });
        }
        self.replace_regions(&table, &old, regions)
    }

    fn replace_regions(
        &self,
        table: &Table,
        old: &TableState,
        regions: Vec<Arc<Region>>,
    ) -> Result<(), StoreError> {
        let state = TableState { regions, ..old.clone() };
        self.remember(table.id, &state, PersistMode::SyncAll)?;
        table.replace(state);
        self.back_up();
        Ok(())
    }

    /// Splits a region by itself, where that is switched on.
    pub(crate) fn split_if_large(&self, table: &Table, region: &Region) {
        let descriptor = &table.state().descriptor;
        let of_table =
            descriptor.number_attribute("MAX_FILESIZE").and_then(|bytes| u64::try_from(bytes).ok());
        let Some(split_bytes) = of_table.or(self.inner.options.split_bytes) else { return };
        let large = region.load.stored_bytes.load(Ordering::Relaxed) >= split_bytes;
        if large && descriptor.flag_attribute("SPLIT_ENABLED", true) {
            // A region of one row cannot be split; it is tried again when it has grown.
            let _ = self.split(table, &region.encoded_name(), None);
        }
    }

    /// The servers with what their regions had to do.
    pub(crate) fn cluster_status(&self) -> ClusterStatus {
        let mut servers: Vec<ServerLoad> = (0..self.inner.options.servers)
            .map(|number| ServerLoad { server: server_name(number), ..ServerLoad::default() })
            .collect();
        let tables: Vec<Arc<Table>> = self.with_catalog(|catalog| catalog.tables.values().cloned().collect());
        for region in tables.iter().flat_map(|table| table.state().regions.clone()) {
            if let Some(server) = servers.get_mut(region.server) {
                server.regions += 1;
                server.load += region.info().load;
            }
        }
        ClusterStatus { store: format!("embedded:{}", self.inner.options.dir.display()), servers }
    }
}

/// Rows that are remembered while the middle of a region is looked for.
const MAX_SAMPLED_ROWS: usize = 10_000;

/// Leaves every second row, which takes on the weight of the one before.
fn thin_out(rows: &mut std::collections::BTreeMap<Bytes, u64>) {
    let mut carried = 0;
    let mut keep = false;
    rows.retain(|_, weight| {
        keep = !keep;
        if keep {
            *weight += std::mem::take(&mut carried);
        } else {
            carried = *weight;
        }
        keep
    });
}

/// Refuses a key that would leave nothing on one side.
fn check_split_point(region: &Region, at: &Bytes) -> Result<(), StoreError> {
    if *at == region.start {
        return Err(StoreError::Refused(format!("{} is the start of the region already", to_text(at))));
    }
    if *at < region.start || !region.ends_after(at) {
        return Err(StoreError::DoNotRetry(format!(
            "{} cannot cut the region from {:?} to {:?}: a split point lies inside it",
            to_text(at),
            to_text(&region.start),
            to_text(&region.end)
        )));
    }
    Ok(())
}

fn position(regions: &[Arc<Region>], encoded: &str) -> Result<usize, StoreError> {
    regions
        .iter()
        .position(|region| region.encoded_name() == encoded)
        .ok_or_else(|| StoreError::UnknownRegion(encoded.to_owned()))
}

/// One region in place of neighbours, with the files of all of them. No generation of theirs is younger than its own.
fn merge_regions(merged: &[Arc<Region>], now_ms: i64) -> Option<Region> {
    let (first, last) = (merged.first()?, merged.last()?);
    let families = first.families.iter().map(|family| {
        let name = &family.descriptor.name;
        let stores = || merged.iter().filter_map(|region| region.family(name));
        let generation = stores().map(|store| store.generation).max().unwrap_or(family.generation);
        let files = merged.iter().filter_map(|region| Some((region, region.family(name)?))).flat_map(
            |(region, store)| store.files.iter().map(|file| file.within(&region.start, &region.end)),
        );
        family.flushed(generation, files.collect())
    });
    let id = merged.iter().map(|region| region.id + 1).max()?.max(now_ms);
    let load = Load::default();
    for region in merged {
        load.stored_bytes.fetch_add(region.load.stored_bytes.load(Ordering::Relaxed), Ordering::Relaxed);
    }
    let families = families.collect();
    Some(Region { id, end: last.end.clone(), load, ..first.with_families(families) })
}
