//! Reading many rows.

use bytes::Bytes;

use super::{ReadOptions, attributes};
use crate::filter::Filter;
use crate::pb;

/// Where a scan begins or ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RowBound {
    /// At the table's end.
    #[default]
    Open,
    /// At this row, which belongs to the scan.
    Included(Bytes),
    /// At this row, which does not.
    Excluded(Bytes),
}

impl RowBound {
    /// The row and whether it belongs to the scan; an empty row is an open end.
    pub(crate) fn parts(&self) -> (Bytes, bool) {
        match self {
            Self::Open => (Bytes::new(), true),
            Self::Included(row) => (row.clone(), true),
            Self::Excluded(row) => (row.clone(), false),
        }
    }
}

/// Reads rows in key order, or backwards.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scan {
    /// The first row; for a reversed scan the highest.
    pub start: RowBound,
    /// The last row; for a reversed scan the lowest.
    pub stop: RowBound,
    /// From high keys to low ones.
    pub reversed: bool,
    /// At most so many rows.
    pub limit: Option<u64>,
    /// At most so many cells in one row; a row with more comes in several pieces.
    pub batch: Option<u32>,
    /// Rows that the server hands out at a time; `None`: as many as fit into the portion's bytes.
    pub caching: Option<u32>,
    /// Markers too, what they hide, what is expired.
    pub raw: bool,
    /// What of each row.
    pub read: ReadOptions,
}

impl Scan {
    /// Everything.
    pub fn all() -> Self {
        Self::default()
    }

    /// Rows from `start` (included) to `stop` (not included); an empty key leaves that end open.
    pub fn range(start: impl Into<Bytes>, stop: impl Into<Bytes>) -> Self {
        let (start, stop) = (start.into(), stop.into());
        Self {
            start: if start.is_empty() { RowBound::Open } else { RowBound::Included(start) },
            stop: if stop.is_empty() { RowBound::Open } else { RowBound::Excluded(stop) },
            ..Self::default()
        }
    }

    /// At most so many rows.
    pub fn limit(mut self, rows: u64) -> Self {
        self.limit = Some(rows);
        self
    }

    /// Backwards.
    pub fn reversed(mut self) -> Self {
        self.reversed = true;
        self
    }

    /// With a filter.
    pub fn filter(mut self, filter: Filter) -> Self {
        self.read.filter = Some(filter);
        self
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

    /// The message, without the place where it begins.
    pub(crate) fn to_pb(&self, portion_bytes: u64) -> pb::Scan {
        let read = &self.read;
        let (stop, include_stop) = self.stop.parts();
        pb::Scan {
            column: read.columns.to_pb(),
            attribute: self.raw.then(attributes::raw).into_iter().collect(),
            stop_row: Some(stop),
            include_stop_row: Some(include_stop),
            filter: read.filter.as_ref().map(Filter::to_pb),
            time_range: read.time_range.to_pb(),
            max_versions: Some(read.versions),
            cache_blocks: Some(read.cache_blocks),
            batch_size: self.batch,
            max_result_size: Some(portion_bytes),
            store_limit: read.max_results_per_family,
            store_offset: (read.row_offset_per_family > 0).then_some(read.row_offset_per_family),
            reversed: self.reversed.then_some(true),
            caching: self.caching,
            allow_partial_results: None,
            cf_time_range: read.family_ranges_to_pb(),
            ..pb::Scan::default()
        }
    }
}
