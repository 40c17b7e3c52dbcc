//! A table: its description, whether it answers, and its regions.

use std::ops::Bound;

use bytes::Bytes;
use tablesmith_model::{TableDescriptor, Timestamp};
use tablesmith_store::StoreError;

use super::region::{Region, RowSpan};

/// A table with its rows.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) descriptor: TableDescriptor,
    pub(super) is_enabled: bool,
    /// In key order, without gaps; at least one.
    pub(super) regions: Vec<Region>,
}

impl Table {
    /// An empty table, cut at keys that are in order. Its regions go to the servers in turn.
    pub(super) fn new(descriptor: TableDescriptor, splits: &[Bytes], id: i64, servers: &[String]) -> Self {
        let mut borders = vec![Bytes::new()];
        borders.extend_from_slice(splits);
        let ends = splits.iter().cloned().chain([Bytes::new()]);
        let servers = servers.iter().cycle();
        let regions = borders.into_iter().zip(ends).zip(servers);
        let regions =
            regions.map(|((start, end), server)| Region::new(id, start, end, server.clone())).collect();
        Self { descriptor, is_enabled: true, regions }
    }

    /// Refuses what a disabled table refuses.
    pub(super) fn check_enabled(&self) -> Result<(), StoreError> {
        if self.is_enabled { Ok(()) } else { Err(StoreError::TableNotEnabled(self.descriptor.name.clone())) }
    }

    /// Refuses writes to a read-only table.
    pub(super) fn check_writable(&self) -> Result<(), StoreError> {
        if self.descriptor.flag_attribute("READONLY", false) {
            Err(StoreError::ReadOnly(self.descriptor.name.clone()))
        } else {
            Ok(())
        }
    }

    /// The number of the region that has a row.
    pub(super) fn index_of(&self, row: &[u8]) -> Result<usize, StoreError> {
        let found = self.regions.iter().position(|region| region.contains(row));
        found.ok_or_else(|| StoreError::Corrupt(format!("table {} has a gap", self.descriptor.name)))
    }

    /// The region of a row.
    pub(super) fn region(&self, row: &[u8]) -> Result<&Region, StoreError> {
        let index = self.index_of(row)?;
        self.regions.get(index).ok_or_else(|| StoreError::Corrupt("no such region".to_owned()))
    }

    /// The region of a row, to write to.
    pub(super) fn region_mut(&mut self, row: &[u8]) -> Result<&mut Region, StoreError> {
        let index = self.index_of(row)?;
        self.regions.get_mut(index).ok_or_else(|| StoreError::Corrupt("no such region".to_owned()))
    }

    /// The region in which a scan of these rows begins: the first or, reversed, the last that has any of them.
    pub(super) fn first_region_in(&self, span: &RowSpan, reversed: bool) -> Option<&Region> {
        let mut regions = self.regions.iter().filter(|region| meets(span, region));
        if reversed { regions.next_back() } else { regions.next() }
    }

    /// Closes all regions, which flushes them.
    pub(super) fn close_regions(&mut self, now_ms: Timestamp) {
        for region in &mut self.regions {
            region.close(&self.descriptor, now_ms);
        }
    }

    /// The keys at which the table is cut.
    pub(super) fn splits(&self) -> Vec<Bytes> {
        self.regions.iter().skip(1).map(|region| region.start.clone()).collect()
    }
}

/// Whether a span has rows of a region, as far as the keys tell.
fn meets(span: &RowSpan, region: &Region) -> bool {
    let begins_before_end = region.end.is_empty()
        || match &span.0 {
            Bound::Unbounded => true,
            Bound::Included(low) | Bound::Excluded(low) => low < &region.end,
        };
    let ends_after_start = match &span.1 {
        Bound::Unbounded => true,
        Bound::Included(high) => high >= &region.start,
        Bound::Excluded(high) => high > &region.start,
    };
    let is_empty = match span {
        (Bound::Included(low), Bound::Included(high)) => low > high,
        (Bound::Included(low) | Bound::Excluded(low), Bound::Included(high) | Bound::Excluded(high)) => {
            low >= high
        }
        _ => false,
    };
    begins_before_end && ends_after_start && !is_empty
}
