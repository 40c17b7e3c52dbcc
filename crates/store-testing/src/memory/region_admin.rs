//! Flushing and compacting, splitting, merging and moving regions, and what servers have to do.

use bytes::Bytes;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::{TableName, Timestamp};
use tablesmith_store::{ClusterStatus, FlushScope, RegionInfo, RegionLoad, ServerLoad, StoreError};

use super::cluster::Cluster;
use super::family_store::FamilyStore;
use super::mutate::check_family;
use super::region::Region;
use super::table::Table;

/// What can be done with the files of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileWork {
    Flush,
    Compact,
    MajorCompact,
}

impl Cluster {
    /// Flushes or compacts a table or a region.
    pub(super) fn work_on_files(
        &mut self,
        scope: &FlushScope,
        work: FileWork,
        now_ms: Timestamp,
    ) -> Result<(), StoreError> {
        let (name, only_region, family) = match scope {
            FlushScope::Table(name, family) => (name.clone(), None, family),
            FlushScope::Region(region, family) => {
                let (name, index) = self.find_region(region)?;
                (name, Some(index), family)
            }
        };
        let Table { descriptor, is_enabled, regions } = self.table_mut(&name)?;
        if !*is_enabled {
            // The files of a disabled table are left as they are; only a flush says so.
            return if work == FileWork::Flush { Err(StoreError::TableNotEnabled(name)) } else { Ok(()) };
        }
        family.iter().try_for_each(|family| check_family(descriptor, family))?;
        for (index, region) in regions.iter_mut().enumerate() {
            if only_region.is_none_or(|only| only == index) {
                region.each_family(descriptor, family.as_ref(), |store, family| match work {
                    FileWork::Flush => FamilyStore::flush(store, family, now_ms),
                    FileWork::Compact => FamilyStore::compact(store, family, now_ms),
                    FileWork::MajorCompact => FamilyStore::major_compact(store, family, now_ms),
                });
            }
        }
        Ok(())
    }

    /// The table of a region, and its place there. The name may be the whole one or the encoded one.
    fn find_region(&self, name: &str) -> Result<(TableName, usize), StoreError> {
        let is_it = |info: &RegionInfo| info.encoded_name() == name || info.name() == name;
        for (table, Table { regions, .. }) in &self.tables {
            if let Some(index) = regions.iter().position(|region| is_it(&region.info(table))) {
                return Ok((table.clone(), index));
            }
        }
        Err(StoreError::UnknownRegion(name.to_owned()))
    }

    /// Cuts a region in two.
    pub(super) fn split_region(
        &mut self,
        region: &str,
        at: Option<&Bytes>,
        now_ms: Timestamp,
    ) -> Result<(), StoreError> {
        let (name, index) = self.find_region(region)?;
        self.table_mut(&name)?.split(index, at, now_ms)
    }

    /// Cuts the region that has a key, or all regions.
    pub(super) fn split_table(
        &mut self,
        name: &TableName,
        at: Option<&Bytes>,
        now_ms: Timestamp,
    ) -> Result<(), StoreError> {
        let table = self.table_mut(name)?;
        if let Some(key) = at {
            let index = table.index_of(key)?;
            return table.split(index, at, now_ms);
        }
        // In key order, up to the first that cannot be cut.
        let starts: Vec<Bytes> = table.regions.iter().map(|region| region.start.clone()).collect();
        for start in starts {
            let index = table.index_of(&start)?;
            table.split(index, None, now_ms)?;
        }
        Ok(())
    }

    /// Makes one region of several of a table.
    pub(super) fn merge_regions(
        &mut self,
        names: &[String],
        force: bool,
        now_ms: Timestamp,
    ) -> Result<(), StoreError> {
        if names.len() < 2 {
            return Err(StoreError::IllegalArgument("a merge needs at least two regions".to_owned()));
        }
        let found = names.iter().map(|name| self.find_region(name)).collect::<Result<Vec<_>, _>>()?;
        let mut found = found.into_iter();
        let Some((table, first)) = found.next() else { return Ok(()) };
        let mut indices = vec![first];
        for (other, index) in found {
            if other != table {
                return Err(StoreError::IllegalArgument(format!(
                    "regions of different tables cannot be merged: {table} and {other}"
                )));
            }
            indices.push(index);
        }
        self.table_mut(&table)?.merge(&indices, force, now_ms)
    }

    /// Gives a region to a server; without a name to the next one after its own.
    pub(super) fn move_region(
        &mut self,
        region: &str,
        server: Option<&str>,
        now_ms: Timestamp,
    ) -> Result<(), StoreError> {
        let (name, index) = self.find_region(region)?;
        let servers = self.servers.clone();
        let table = self.table_mut(&name)?;
        table.check_enabled()?;
        let Some(region) = table.regions.get_mut(index) else { return Ok(()) };
        let target = match server {
            Some(server) => servers.iter().find(|have| *have == server).cloned().ok_or_else(|| {
                StoreError::DoNotRetry(format!("there is no server {server}: choose one of {servers:?}"))
            })?,
            None => {
                let mut after = servers.iter().cycle().skip_while(|have| **have != region.server).skip(1);
                after.next().cloned().unwrap_or_else(|| region.server.clone())
            }
        };
        if target != region.server {
            region.close(&table.descriptor, now_ms);
            region.server = target;
        }
        Ok(())
    }

    /// The servers with what their regions had to do.
    pub(super) fn status(&self) -> ClusterStatus {
        let infos: Vec<RegionInfo> = self
            .tables
            .iter()
            .flat_map(|(name, table)| table.regions.iter().map(|region| region.info(name)))
            .collect();
        let load_of = |server: &String| {
            let own = infos.iter().filter(|info| info.server == *server);
            let mut load = RegionLoad::default();
            own.clone().for_each(|info| load += info.load);
            ServerLoad { server: server.clone(), regions: own.count() as u64, load }
        };
        ClusterStatus { store: "memory".to_owned(), servers: self.servers.iter().map(load_of).collect() }
    }
}

impl Table {
    /// Cuts a region in two, at a key or at its middle row.
    fn split(&mut self, index: usize, at: Option<&Bytes>, now_ms: Timestamp) -> Result<(), StoreError> {
        self.check_enabled()?;
        if !self.descriptor.flag_attribute("SPLIT_ENABLED", true) {
            return Err(StoreError::DoNotRetry(format!(
                "table {} must not be split: its SPLIT_ENABLED is false",
                self.descriptor.name
            )));
        }
        let Some(region) = self.regions.get_mut(index) else { return Ok(()) };
        if at.is_some_and(|key| *key == region.start) {
            return Err(StoreError::Refused("the split key is the start key of the region".to_owned()));
        }
        if let Some(key) = at.filter(|key| !region.contains(key)) {
            return Err(StoreError::DoNotRetry(format!("the region does not have row {}", to_text(key))));
        }
        region.close(&self.descriptor, now_ms);
        let key = at.cloned().or_else(|| middle(region)).ok_or_else(|| {
            StoreError::DoNotRetry("the region is too small to find its middle: give a split key".to_owned())
        })?;
        let id = now_ms.max(region.id + 1);
        let lower = region.part(id, region.start.clone(), key.clone());
        let upper = region.part(id, key, region.end.clone());
        self.regions.splice(index..=index, [lower, upper]);
        Ok(())
    }

    /// Makes one region of several. Forced together, regions that are not neighbours take those between them along.
    fn merge(&mut self, indices: &[usize], force: bool, now_ms: Timestamp) -> Result<(), StoreError> {
        if !self.descriptor.flag_attribute("MERGE_ENABLED", true) {
            return Err(StoreError::DoNotRetry(format!(
                "regions of table {} must not be merged: its MERGE_ENABLED is false",
                self.descriptor.name
            )));
        }
        let mut ordered = indices.to_vec();
        ordered.sort_unstable();
        ordered.dedup();
        if ordered.len() != indices.len() {
            return Err(StoreError::Region("a region cannot be merged with itself".to_owned()));
        }
        let are_neighbours = indices.iter().zip(indices.iter().skip(1)).all(|(a, b)| a.abs_diff(*b) == 1);
        if !force && !are_neighbours {
            return Err(StoreError::Region("only neighbours can be merged, unless it is forced".to_owned()));
        }
        if !self.is_enabled {
            return Err(StoreError::Region(format!("table {} is disabled", self.descriptor.name)));
        }
        let (Some(&first), Some(&last)) = (ordered.first(), ordered.last()) else { return Ok(()) };
        self.close_regions_in(first..=last, now_ms);
        let parts: Vec<Region> = self.regions.drain(first..=last).collect();
        let (Some(lowest), Some(highest)) = (parts.first(), parts.last()) else { return Ok(()) };
        let newest_id = parts.iter().map(|part| part.id).max().unwrap_or(0);
        let (start, end, server) = (lowest.start.clone(), highest.end.clone(), lowest.server.clone());
        let mut merged = Region::new(now_ms.max(newest_id + 1), start, end, server);
        parts.into_iter().for_each(|part| merged.adopt(part));
        self.regions.insert(first, merged);
        Ok(())
    }

    fn close_regions_in(&mut self, range: std::ops::RangeInclusive<usize>, now_ms: Timestamp) {
        for region in self.regions.get_mut(range).into_iter().flatten() {
            region.close(&self.descriptor, now_ms);
        }
    }
}

/// The row in the middle of a region's files, if it can be the start of a region of its own.
fn middle(region: &Region) -> Option<Bytes> {
    let rows = region.rows_in_files();
    rows.get(rows.len() / 2).filter(|row| **row > region.start && rows.len() > 1).cloned()
}
