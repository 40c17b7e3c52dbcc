//! Gets and scans.

use tablesmith_store::filter::eval::FilterRun;
use tablesmith_store::{Columns, Get, ReadOptions, RowBound, Scan, StoreError};

use super::filters::filter;
use super::time_range;

/// The most that HBase counts to.
const MOST: u32 = i32::MAX as u32;

/// What HBase's own client would refuse.
pub(crate) fn check_get(get: &Get) -> Result<(), StoreError> {
    get.check()?;
    check_read(&get.read, false)
}

/// What HBase's own client would refuse.
pub(crate) fn check_scan(scan: &Scan) -> Result<(), StoreError> {
    scan.check()?;
    check_read(&scan.read, scan.reversed)
}

fn check_read(read: &ReadOptions, reversed: bool) -> Result<(), StoreError> {
    if read.versions == 0 {
        return Err(StoreError::IllegalArgument("a read takes at least 1 version".to_owned()));
    }
    if let Some(filter) = &read.filter {
        FilterRun::new(filter, reversed)?;
    }
    Ok(())
}

pub(crate) fn get(get: &Get) -> hbase::Get {
    hbase::Get { row: get.row.clone(), read: read_options(&get.read) }
}

pub(crate) fn scan(scan: &Scan) -> hbase::Scan {
    hbase::Scan {
        start: bound(&scan.start),
        stop: bound(&scan.stop),
        reversed: scan.reversed,
        limit: scan.limit,
        batch: scan.batch.map(|cells| cells.min(MOST)),
        caching: scan.caching.map(|rows| rows.min(MOST)),
        raw: scan.raw,
        read: read_options(&scan.read),
    }
}

pub(crate) fn bound(bound: &RowBound) -> hbase::RowBound {
    match bound {
        RowBound::Open => hbase::RowBound::Open,
        RowBound::Included(row) => hbase::RowBound::Included(row.clone()),
        RowBound::Excluded(row) => hbase::RowBound::Excluded(row.clone()),
    }
}

fn read_options(read: &ReadOptions) -> hbase::ReadOptions {
    let ranges = read.family_time_ranges.iter();
    hbase::ReadOptions {
        columns: columns(&read.columns),
        versions: read.versions.min(MOST),
        time_range: time_range(read.time_range),
        family_time_ranges: ranges.map(|(family, range)| (family.clone(), time_range(*range))).collect(),
        filter: read.filter.as_ref().map(filter),
        max_results_per_family: read.max_results_per_family.map(|cells| cells.min(MOST)),
        row_offset_per_family: read.row_offset_per_family.min(MOST),
        cache_blocks: read.cache_blocks,
    }
}

fn columns(columns: &Columns) -> hbase::Columns {
    let mut wanted = hbase::Columns::default();
    for (family, qualifiers) in columns.families() {
        if qualifiers.is_empty() {
            wanted.add_family(family.clone());
        }
        for qualifier in qualifiers {
            wanted.add_column(family.clone(), qualifier.clone());
        }
    }
    wanted
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_store::Filter;

    #[test]
    fn columns_and_whole_families_are_told_apart() {
        let request = get(&Get::new("r").family("f").column("g", "q"));
        assert_eq!(request, hbase::Get::new("r").family("f").column("g", "q"));
    }

    #[test]
    fn no_number_turns_negative_on_its_way() {
        let request = scan(&Scan { batch: Some(u32::MAX), ..Scan::all().versions(u32::MAX) });
        assert_eq!((request.batch, request.read.versions), (Some(MOST), MOST));
    }

    #[test]
    fn what_makes_no_sense_is_refused_before_it_is_sent() {
        let no_patterns = Scan::all().filter(Filter::FuzzyRow(Vec::new()));
        for scan in [Scan::all().versions(0), no_patterns] {
            assert_eq!(check_scan(&scan).unwrap_err().exception(), "IllegalArgumentException");
        }
        assert_eq!(check_get(&Get::new("")).unwrap_err().exception(), "IllegalArgumentException");
    }
}
