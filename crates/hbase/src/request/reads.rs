//! Gets and scans on the wire.

use std::collections::BTreeSet;

use bytes::Bytes;
use hbase_types::{Columns, Get, ReadOptions, RowBound, Scan, TimeRange};

use super::attributes;
use crate::{filter, pb};

/// A get, or the question whether there is anything of its row.
pub(crate) fn get(get: &Get, existence_only: bool) -> pb::Get {
    let read = &get.read;
    pb::Get {
        row: get.row.clone(),
        column: columns(&read.columns),
        attribute: Vec::new(),
        filter: read.filter.as_ref().map(filter::to_pb),
        time_range: time_range(read.time_range),
        max_versions: Some(count(read.versions)),
        cache_blocks: Some(read.cache_blocks),
        store_limit: read.max_results_per_family.map(count),
        store_offset: (read.row_offset_per_family > 0).then_some(count(read.row_offset_per_family)),
        existence_only: existence_only.then_some(true),
        cf_time_range: family_time_ranges(read),
    }
}

/// A scan, without the place where it begins.
pub(crate) fn scan(scan: &Scan, portion_bytes: u64) -> pb::Scan {
    let read = &scan.read;
    let (stop, include_stop) = bound(&scan.stop);
    pb::Scan {
        column: columns(&read.columns),
        attribute: scan.raw.then(attributes::raw).into_iter().collect(),
        stop_row: Some(stop),
        include_stop_row: Some(include_stop),
        filter: read.filter.as_ref().map(filter::to_pb),
        time_range: time_range(read.time_range),
        max_versions: Some(count(read.versions)),
        cache_blocks: Some(read.cache_blocks),
        batch_size: scan.batch.map(count),
        max_result_size: Some(portion_bytes),
        store_limit: read.max_results_per_family.map(count),
        store_offset: (read.row_offset_per_family > 0).then_some(count(read.row_offset_per_family)),
        reversed: scan.reversed.then_some(true),
        caching: scan.caching.map(count),
        allow_partial_results: None,
        cf_time_range: family_time_ranges(read),
        ..pb::Scan::default()
    }
}

/// The row of a bound and whether it belongs to the scan; an empty row is an open end.
pub(crate) fn bound(bound: &RowBound) -> (Bytes, bool) {
    match bound {
        RowBound::Open => (Bytes::new(), true),
        RowBound::Included(row) => (row.clone(), true),
        RowBound::Excluded(row) => (row.clone(), false),
    }
}

/// A range of time; all of it is not said.
pub(super) fn time_range(range: TimeRange) -> Option<pb::TimeRange> {
    (range != TimeRange::ALL).then(|| bounds(range))
}

fn bounds(range: TimeRange) -> pb::TimeRange {
    let number = |time: i64| Some(time.max(0) as u64);
    pb::TimeRange { from: number(range.from_ms()), to: number(range.until_ms()) }
}

fn family_time_ranges(read: &ReadOptions) -> Vec<pb::ColumnFamilyTimeRange> {
    let range = |(family, range): (&Bytes, &TimeRange)| pb::ColumnFamilyTimeRange {
        column_family: family.clone(),
        time_range: bounds(*range),
    };
    read.family_time_ranges.iter().map(range).collect()
}

fn columns(columns: &Columns) -> Vec<pb::Column> {
    let column = |(family, qualifiers): (&Bytes, &BTreeSet<Bytes>)| pb::Column {
        family: family.clone(),
        qualifier: qualifiers.iter().cloned().collect(),
    };
    columns.families().map(column).collect()
}

/// HBase counts in signed numbers: none turns negative on its way.
fn count(number: u32) -> u32 {
    number.min(i32::MAX as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_whole_families_are_told_apart() {
        let message = get(&Get::new("r").family("f").column("g", "q"), false);
        let columns: Vec<_> = message.column.iter().map(|column| column.qualifier.len()).collect();
        assert_eq!(columns, [0, 1]);
    }

    #[test]
    fn no_number_turns_negative_on_its_way() {
        let request = scan(&Scan { batch: Some(u32::MAX), ..Scan::all().versions(u32::MAX) }, 0);
        let most = Some(i32::MAX as u32);
        assert_eq!((request.batch_size, request.max_versions), (most, most));
    }
}
