//! Where regions are, as far as we know. What turns out to be wrong is forgotten.
//!
//! Regions are kept by table, then by start key. That is the order of `hbase:meta`, which compares its row keys part
//! by part (table, start key, id) and not as plain bytes: a start key may hold the comma that stands between the parts.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::{Arc, PoisonError, RwLock};

use bytes::Bytes;

use super::{Location, Region};
use crate::{HostPort, TableName};

/// Which region of a table is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seek<'a> {
    /// The one that has this row.
    Row(&'a [u8]),
    /// The one that has the rows right before this one; empty means the last region of the table.
    Before(&'a [u8]),
}

impl Seek<'_> {
    pub fn found_in(self, region: &Region) -> bool {
        match self {
            Self::Row(row) => region.contains(row),
            Self::Before(row) => region.reaches_up_to(row),
        }
    }
}

#[derive(Default)]
pub(crate) struct Cache {
    tables: RwLock<HashMap<TableName, BTreeMap<Bytes, Arc<Location>>>>,
}

impl Cache {
    /// The region wanted, if it is known.
    pub fn find(&self, table: &TableName, seek: Seek<'_>) -> Option<Arc<Location>> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        let end = match seek {
            Seek::Row(row) => Bound::Included(row),
            Seek::Before([]) => Bound::Unbounded,
            Seek::Before(row) => Bound::Excluded(row),
        };
        let (_, location) = tables.get(table)?.range::<[u8], _>((Bound::Unbounded, end)).next_back()?;
        seek.found_in(&location.region).then(|| location.clone())
    }

    /// Learns where a region is; what overlaps with it is out of date.
    pub fn insert(&self, location: Location) -> Arc<Location> {
        let location = Arc::new(location);
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        let regions = tables.entry(location.region.table.clone()).or_default();
        let overlapping: Vec<Bytes> = regions
            .range::<[u8], _>((Bound::Unbounded, end_bound(&location.region)))
            .rev()
            .take_while(|(_, known)| known.region.overlaps(&location.region))
            .map(|(start, _)| start.clone())
            .collect();
        for start in overlapping {
            regions.remove(&start);
        }
        regions.insert(location.region.start.clone(), location.clone());
        location
    }

    /// Forgets a location, unless something newer is known.
    pub fn forget(&self, location: &Arc<Location>) {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        let Some(regions) = tables.get_mut(&location.region.table) else { return };
        if regions.get(&location.region.start).is_some_and(|known| Arc::ptr_eq(known, location)) {
            regions.remove(&location.region.start);
        }
    }

    /// The region is served elsewhere now.
    pub fn move_to(&self, location: &Arc<Location>, address: HostPort) {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        let Some(regions) = tables.get_mut(&location.region.table) else { return };
        if let Some(known) = regions.get_mut(&location.region.start)
            && Arc::ptr_eq(known, location)
        {
            *known = Arc::new(Location { region: location.region.clone(), server: None, address });
        }
    }

    /// Forgets all regions of a table.
    pub fn forget_table(&self, table: &TableName) {
        self.tables.write().unwrap_or_else(PoisonError::into_inner).remove(table);
    }

    /// Forgets what was served at an address: the server is gone.
    pub fn forget_server(&self, address: &HostPort) {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        for regions in tables.values_mut() {
            regions.retain(|_, location| location.address != *address);
        }
    }
}

fn end_bound(region: &Region) -> Bound<&[u8]> {
    if region.end.is_empty() { Bound::Unbounded } else { Bound::Excluded(&region.end) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(start: &'static str, end: &'static str, port: u16) -> Location {
        let region = Region {
            table: "t".parse().unwrap(),
            start: start.into(),
            end: end.into(),
            id: u64::from(port),
            name: Bytes::from(format!("t,{start},{port}")),
            offline: false,
        };
        Location { region, server: None, address: HostPort::new("h", port) }
    }

    fn ports(cache: &Cache, rows: &[&str]) -> Vec<Option<u16>> {
        let table = "t".parse().unwrap();
        rows.iter()
            .map(|row| cache.find(&table, Seek::Row(row.as_bytes())).map(|found| found.address.port))
            .collect()
    }

    #[test]
    fn rows_are_found_in_their_region() {
        let cache = Cache::default();
        for (start, end, port) in [("", "b", 1), ("b", "d", 2), ("f", "", 4)] {
            cache.insert(location(start, end, port));
        }
        assert_eq!(ports(&cache, &["", "a,z", "b", "d", "f"]), [Some(1), Some(1), Some(2), None, Some(4)]);
        let table = "t".parse().unwrap();
        assert_eq!(cache.find(&table, Seek::Before(b"b")).unwrap().address.port, 1);
        assert_eq!(cache.find(&table, Seek::Before(b"")).unwrap().address.port, 4);
        assert!(cache.find(&table, Seek::Before(b"f")).is_none());
    }

    #[test]
    fn a_split_and_a_merge_replace_what_they_overlap() {
        let cache = Cache::default();
        cache.insert(location("", "m", 1));
        cache.insert(location("m", "", 2));
        cache.insert(location("m", "t", 3));
        assert_eq!(ports(&cache, &["a", "n", "u"]), [Some(1), Some(3), None]);
        cache.insert(location("t", "", 4));
        cache.insert(location("", "t", 5));
        assert_eq!(ports(&cache, &["a", "n", "u"]), [Some(5), Some(5), Some(4)]);
        cache.insert(location("", "", 6));
        assert_eq!(ports(&cache, &["a", "n", "u"]), [Some(6); 3]);
    }

    #[test]
    fn only_what_is_still_known_is_forgotten() {
        let cache = Cache::default();
        let old = cache.insert(location("", "", 1));
        cache.insert(location("", "", 2));
        cache.forget(&old);
        cache.move_to(&old, HostPort::new("h", 9));
        assert_eq!(ports(&cache, &["a"]), [Some(2)]);
    }
}
