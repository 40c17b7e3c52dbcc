//! Which region and server a row belongs to, remembered so that not every call asks the store.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tablesmith_model::TableName;

use crate::{RegionInfo, RowBound, Scan, Store, StoreError};

/// The regions of the tables seen, until something moves them.
#[derive(Debug, Default)]
pub(super) struct RegionCache(Mutex<BTreeMap<TableName, Arc<Vec<RegionInfo>>>>);

impl RegionCache {
    /// The regions of a table, from memory or from the store.
    pub(super) async fn regions(
        &self,
        store: &dyn Store,
        table: &TableName,
    ) -> Result<Arc<Vec<RegionInfo>>, StoreError> {
        if let Some(known) = self.known().get(table) {
            return Ok(Arc::clone(known));
        }
        let regions = Arc::new(store.regions(table).await?);
        self.known().insert(table.clone(), Arc::clone(&regions));
        Ok(regions)
    }

    /// Forgets all: after a split, merge or move a name of a region does not tell which tables are concerned.
    pub(super) fn forget(&self) {
        self.known().clear();
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<TableName, Arc<Vec<RegionInfo>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The server of a row.
pub(super) fn server_of<'a>(regions: &'a [RegionInfo], row: &[u8]) -> Option<&'a str> {
    regions.iter().find(|region| region.contains(row)).map(|region| region.server.as_str())
}

/// The servers of the regions that a scan passes on its way from the row it delivered last (`None`: from its start)
/// to the row it delivers next (`None`: to its end); a server once for each of its regions.
pub(super) fn servers_between<'a>(
    regions: &'a [RegionInfo],
    scan: &Scan,
    from: Option<&Bytes>,
    to: Option<&Bytes>,
) -> Vec<&'a str> {
    let at = |row: Option<&Bytes>, bound: &RowBound| {
        row.map_or_else(|| bound.clone(), |row| RowBound::Included(row.clone()))
    };
    let (from, to) = (at(from, &scan.start), at(to, &scan.stop));
    let (low, high) = if scan.reversed { (to, from) } else { (from, to) };
    let not_past =
        |region: &&RegionInfo| low.row().is_none_or(|low| region.end.is_empty() || low < &region.end);
    let not_before = |region: &&RegionInfo| match &high {
        RowBound::Open => true,
        RowBound::Included(high) => high >= &region.start,
        RowBound::Excluded(high) => high > &region.start,
    };
    regions.iter().filter(not_past).filter(not_before).map(|region| region.server.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RegionLoad;

    fn regions() -> Vec<RegionInfo> {
        [("", "c", "s1"), ("c", "e", "s2"), ("e", "", "s1")]
            .map(|(start, end, server)| RegionInfo {
                table: "t".parse().unwrap(),
                id: 1,
                start: start.into(),
                end: end.into(),
                server: server.to_owned(),
                load: RegionLoad::default(),
            })
            .to_vec()
    }

    #[test]
    fn a_scan_passes_the_regions_on_its_way() {
        let (regions, d) = (regions(), Bytes::from("d"));
        assert_eq!(servers_between(&regions, &Scan::all(), None, None), ["s1", "s2", "s1"]);
        assert_eq!(servers_between(&regions, &Scan::all(), None, Some(&d)), ["s1", "s2"]);
        assert_eq!(servers_between(&regions, &Scan::all(), Some(&d), None), ["s2", "s1"]);
        assert_eq!(servers_between(&regions, &Scan::all().reversed(), Some(&d), None), ["s1", "s2"]);
        assert_eq!(servers_between(&regions, &Scan::range("c", "d"), None, None), ["s2"]);
        assert_eq!(servers_between(&regions, &Scan::range("c", "e"), Some(&d), None), ["s2"]);
    }

    #[test]
    fn a_row_has_one_server() {
        let regions = regions();
        let servers = [b"a", b"c", b"e", b"z"].map(|row| server_of(&regions, row).unwrap());
        assert_eq!(servers, ["s1", "s2", "s1", "s1"]);
    }
}
