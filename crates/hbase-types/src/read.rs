//! Requests that read: [`Get`] one row, [`Scan`] many.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;

use crate::row::{MAX_ROW_BYTES, prefix_end};
use crate::{Filter, InvalidRequest, TimeRange, row};

/// Which columns to read: families, each with the qualifiers wanted. An empty set means the whole family, an empty
/// map means all families.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns(BTreeMap<Bytes, BTreeSet<Bytes>>);

impl Columns {
    /// All columns.
    pub fn all() -> Self {
        Self::default()
    }

    /// Wants a whole family; forgets qualifiers of it that were asked for before.
    pub fn add_family(&mut self, family: impl Into<Bytes>) {
        self.0.insert(family.into(), BTreeSet::new());
    }

    /// Wants one column.
    pub fn add_column(&mut self, family: impl Into<Bytes>, qualifier: impl Into<Bytes>) {
        self.0.entry(family.into()).or_default().insert(qualifier.into());
    }

    /// Whether everything is wanted.
    pub fn is_all(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether any single column is named.
    pub fn names_qualifiers(&self) -> bool {
        self.0.values().any(|qualifiers| !qualifiers.is_empty())
    }

    /// The families wanted with their qualifiers.
    pub fn families(&self) -> impl Iterator<Item = (&Bytes, &BTreeSet<Bytes>)> {
        self.0.iter()
    }

    /// Whether cells of `family` are wanted, and which: `None` not at all, an empty set all of them.
    pub fn of_family(&self, family: &[u8]) -> Option<&BTreeSet<Bytes>> {
        static WHOLE: BTreeSet<Bytes> = BTreeSet::new();
        if self.0.is_empty() { Some(&WHOLE) } else { self.0.get(family) }
    }
}

/// What a get and a scan have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// The columns to read.
    pub columns: Columns,
    /// Versions of each column, newest first; at least 1.
    pub versions: u32,
    /// Only cells of this time.
    pub time_range: TimeRange,
    /// For some families another time range.
    pub family_time_ranges: BTreeMap<Bytes, TimeRange>,
    /// What is evaluated beside the data.
    pub filter: Option<Filter>,
    /// At most so many cells of a row in each family, counted after the filter.
    pub max_results_per_family: Option<u32>,
    /// Leaves out so many cells at the beginning of each family of a row, counted after the filter.
    pub row_offset_per_family: u32,
    /// Whether blocks that are read stay in the cache.
    pub cache_blocks: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            columns: Columns::all(),
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
    /// The time range that applies to `family`.
    pub fn time_range_of(&self, family: &[u8]) -> TimeRange {
        self.family_time_ranges.get(family).copied().unwrap_or(self.time_range)
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

    /// Whether the request makes sense at all.
    pub fn check(&self) -> Result<(), InvalidRequest> {
        row::check(&self.row)
    }
}

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
    /// The row, if there is one.
    pub fn row(&self) -> Option<&Bytes> {
        match self {
            Self::Open => None,
            Self::Included(row) | Self::Excluded(row) => Some(row),
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
    /// At most so many cells in one answer; a row with more comes in several.
    pub batch: Option<u32>,
    /// Rows that are handed out at a time. HBase's rule that a filter's end is noticed only at the end of such
    /// a portion makes this visible; `None` means as many as fit.
    pub caching: Option<u32>,
    /// Everything that is stored: markers, what they hide, what is expired.
    pub raw: bool,
    /// What of each row.
    pub read: ReadOptions,
}

impl Scan {
    /// Everything.
    pub fn all() -> Self {
        Self::default()
    }

    /// Rows from `start` (included) up to `stop` (not included); an empty key leaves that end open. As in HBase, equal
    /// keys mean just that row.
    pub fn range(start: impl Into<Bytes>, stop: impl Into<Bytes>) -> Self {
        let (start, stop) = (start.into(), stop.into());
        let stop = match (start.is_empty(), stop.is_empty()) {
            (_, true) => RowBound::Open,
            (false, false) if start == stop => RowBound::Included(stop),
            _ => RowBound::Excluded(stop),
        };
        let start = if start.is_empty() { RowBound::Open } else { RowBound::Included(start) };
        Self { start, stop, ..Self::default() }
    }

    /// Rows whose key begins with `prefix`.
    pub fn prefix(prefix: impl Into<Bytes>) -> Self {
        let prefix = prefix.into();
        let stop = prefix_end(&prefix).map_or(RowBound::Open, |end| RowBound::Excluded(end.into()));
        let start = if prefix.is_empty() { RowBound::Open } else { RowBound::Included(prefix) };
        Self { start, stop, ..Self::default() }
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

    /// Up to so many versions.
    pub fn versions(mut self, versions: u32) -> Self {
        self.read.versions = versions;
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

    /// With markers and all that they hide.
    pub fn raw(mut self) -> Self {
        self.raw = true;
        self
    }

    /// Whether its bounds make sense at all.
    pub fn check(&self) -> Result<(), InvalidRequest> {
        for bound in [&self.start, &self.stop] {
            if let Some(row) = bound.row()
                && row.len() > MAX_ROW_BYTES
            {
                return Err(InvalidRequest::LongBound { bytes: row.len() });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bounds_mean_one_row() {
        assert_eq!(Scan::range("a", "a").stop, RowBound::Included("a".into()));
        assert_eq!(Scan::range("", "").stop, RowBound::Open);
        assert_eq!(Scan::range("a", "b").stop, RowBound::Excluded("b".into()));
    }

    #[test]
    fn adding_a_family_forgets_its_columns() {
        let mut columns = Columns::all();
        columns.add_column("f", "q");
        assert!(columns.names_qualifiers() && columns.of_family(b"g").is_none());
        columns.add_family("f");
        assert!(!columns.names_qualifiers() && columns.of_family(b"f").is_some_and(BTreeSet::is_empty));
    }
}
