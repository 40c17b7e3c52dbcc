//! Reading a row.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::TimeRange;
use crate::filter::Filter;
use crate::pb;

/// Which columns to read: families with the qualifiers wanted. No qualifiers mean the whole family, no families mean
/// everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns(BTreeMap<Bytes, Vec<Bytes>>);

impl Columns {
    /// Wants a whole family.
    pub fn add_family(&mut self, family: impl Into<Bytes>) {
        self.0.insert(family.into(), Vec::new());
    }

    /// Wants a column.
    pub fn add_column(&mut self, family: impl Into<Bytes>, qualifier: impl Into<Bytes>) {
        let qualifier = qualifier.into();
        let qualifiers = self.0.entry(family.into()).or_default();
        // Sorted, as the server wants them.
        if let Err(at) = qualifiers.binary_search(&qualifier) {
            qualifiers.insert(at, qualifier);
        }
    }

    pub(crate) fn to_pb(&self) -> Vec<pb::Column> {
        let column = |(family, qualifiers): (&Bytes, &Vec<Bytes>)| pb::Column {
            family: family.clone(),
            qualifier: qualifiers.clone(),
        };
        self.0.iter().map(column).collect()
    }
}

/// What a get and a scan have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// The columns to read.
    pub columns: Columns,
    /// Versions of each column, newest first.
    pub versions: u32,
    /// Only cells of this time.
    pub time_range: TimeRange,
    /// For some families another time range.
    pub family_time_ranges: BTreeMap<Bytes, TimeRange>,
    /// What the server evaluates beside the data.
    pub filter: Option<Filter>,
    /// At most so many cells of a row in each family.
    pub max_results_per_family: Option<u32>,
    /// Leaves out so many cells at the beginning of each family of a row.
    pub row_offset_per_family: u32,
    /// Whether blocks that are read stay in the server's cache.
    pub cache_blocks: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            columns: Columns::default(),
            versions: 1,
            time_range: TimeRange::ALL,
            family_time_ranges: BTreeMap::new(),
            filter: None,
            max_results_per_family: None,
            row_offset_per_family: 0,
            cache_blocks: true,
        }
    }
}

impl ReadOptions {
    pub(super) fn family_ranges_to_pb(&self) -> Vec<pb::ColumnFamilyTimeRange> {
        let range = |(family, range): (&Bytes, &TimeRange)| pb::ColumnFamilyTimeRange {
            column_family: family.clone(),
            time_range: pb::TimeRange {
                from: Some(range.from.max(0) as u64),
                to: Some(range.to.max(0) as u64),
            },
        };
        self.family_time_ranges.iter().map(range).collect()
    }
}

/// Reads one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Get {
    /// The row's key.
    pub row: Bytes,
    /// What of it.
    pub read: ReadOptions,
}

impl Get {
    /// The newest version of every column of a row.
    pub fn new(row: impl Into<Bytes>) -> Self {
        Self { row: row.into(), read: ReadOptions::default() }
    }

    /// Only this family (and others added).
    pub fn family(mut self, family: impl Into<Bytes>) -> Self {
        self.read.columns.add_family(family);
        self
    }

    /// Only this column (and others added).
    pub fn column(mut self, family: impl Into<Bytes>, qualifier: impl Into<Bytes>) -> Self {
        self.read.columns.add_column(family, qualifier);
        self
    }

    /// Up to so many versions.
    pub fn versions(mut self, versions: u32) -> Self {
        self.read.versions = versions;
        self
    }

    pub(crate) fn to_pb(&self, existence_only: bool) -> pb::Get {
        let read = &self.read;
        pb::Get {
            row: self.row.clone(),
            column: read.columns.to_pb(),
            attribute: Vec::new(),
            filter: read.filter.as_ref().map(Filter::to_pb),
            time_range: read.time_range.to_pb(),
            max_versions: Some(read.versions),
            cache_blocks: Some(read.cache_blocks),
            store_limit: read.max_results_per_family,
            store_offset: (read.row_offset_per_family > 0).then_some(read.row_offset_per_family),
            existence_only: existence_only.then_some(true),
            cf_time_range: read.family_ranges_to_pb(),
        }
    }
}
