//! Short words for the requests that checks make.

use bytes::Bytes;
use tablesmith_model::{FamilyDescriptor, TimeRange, Timestamp};
use tablesmith_store::filter::{Comparator, CompareOp, Filter, ListOp};
use tablesmith_store::{DeleteTarget, Get, ReadOptions, Scan};

use super::check::{Broken, Checked};

/// A family with HBase's defaults.
pub(super) fn family(name: &'static str) -> FamilyDescriptor {
    FamilyDescriptor::new(name)
}

/// A family with some settings, as `create` takes them: `"VERSIONS=3 TTL=86400"`.
pub(super) fn family_with(name: &'static str, settings: &str) -> Checked<FamilyDescriptor> {
    let mut family = FamilyDescriptor::new(name);
    for setting in settings.split_whitespace() {
        let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
        family.set(key, value).map_err(|error| Broken(error.to_string()))?;
    }
    Ok(family)
}

/// Family and qualifier of `"f:q"`.
pub(super) fn split(column: &'static str) -> (Bytes, Bytes) {
    let (family, qualifier) = column.split_once(':').unwrap_or((column, ""));
    (family.into(), qualifier.into())
}

/// Hides a column up to a time.
pub(super) fn column(column: &'static str, timestamp: Timestamp) -> DeleteTarget {
    let (family, qualifier) = split(column);
    DeleteTarget::Column(family, qualifier, Some(timestamp))
}

/// Hides one version of a column.
pub(super) fn version(column: &'static str, timestamp: Timestamp) -> DeleteTarget {
    let (family, qualifier) = split(column);
    DeleteTarget::Version(family, qualifier, Some(timestamp))
}

/// Hides the newest version of a column.
pub(super) fn newest(column: &'static str) -> DeleteTarget {
    let (family, qualifier) = split(column);
    DeleteTarget::Version(family, qualifier, None)
}

/// Hides a family up to a time.
pub(super) fn whole_family(family: &'static str, timestamp: Timestamp) -> DeleteTarget {
    DeleteTarget::Family(family.into(), Some(timestamp))
}

/// Hides the versions of a family at a time.
pub(super) fn family_version(family: &'static str, timestamp: Timestamp) -> DeleteTarget {
    DeleteTarget::FamilyVersion(family.into(), timestamp)
}

/// Every version of every column: more than any family here keeps.
pub(super) const ALL_VERSIONS: u32 = 99;

/// All versions of a row.
pub(super) fn get_all(row: &'static str) -> Get {
    Get::new(row).versions(ALL_VERSIONS)
}

/// All versions of all rows.
pub(super) fn scan_all() -> Scan {
    Scan::all().versions(ALL_VERSIONS)
}

/// Options that gets and scans share.
pub(super) trait Read: Sized {
    /// Where they are.
    fn options(&mut self) -> &mut ReadOptions;

    /// Only cells of this time.
    fn during(mut self, from_ms: Timestamp, until_ms: Timestamp) -> Self {
        // The bounds are literals of the checks: a wrong one shows as a check that never passes.
        self.options().time_range = TimeRange::new(from_ms, until_ms).unwrap_or_default();
        self
    }

    /// With a filter.
    fn with(mut self, filter: Filter) -> Self {
        self.options().filter = Some(filter);
        self
    }

    /// Another time for one family.
    fn family_during(mut self, family: &'static str, from_ms: Timestamp, until_ms: Timestamp) -> Self {
        let range = TimeRange::new(from_ms, until_ms).unwrap_or_default();
        self.options().family_time_ranges.insert(family.into(), range);
        self
    }

    /// At most so many cells of each family, after leaving some out.
    fn per_family(mut self, limit: u32, offset: u32) -> Self {
        self.options().max_results_per_family = Some(limit);
        self.options().row_offset_per_family = offset;
        self
    }
}

impl Read for Get {
    fn options(&mut self) -> &mut ReadOptions {
        &mut self.read
    }
}

impl Read for Scan {
    fn options(&mut self) -> &mut ReadOptions {
        &mut self.read
    }
}

/// Compares byte by byte.
pub(super) fn binary(value: &'static str) -> Comparator {
    Comparator::Binary(value.into())
}

/// Cells with this value.
pub(super) fn value_is(value: &'static str) -> Filter {
    Filter::Value(CompareOp::Equal, binary(value))
}

/// Cells with another value.
pub(super) fn value_is_not(value: &'static str) -> Filter {
    Filter::Value(CompareOp::NotEqual, binary(value))
}

/// Filters of which all must pass.
pub(super) fn all_of(filters: impl IntoIterator<Item = Filter>) -> Filter {
    Filter::List(ListOp::All, filters.into_iter().collect())
}

/// Filters of which one must pass.
pub(super) fn one_of(filters: impl IntoIterator<Item = Filter>) -> Filter {
    Filter::List(ListOp::One, filters.into_iter().collect())
}
