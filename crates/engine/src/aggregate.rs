//! Aggregation inside the regions.

use std::ops::Range;
use std::time::Instant;

use bytes::Bytes;
use tablesmith_model::Cell;
use tablesmith_store::aggregate::{Aggregator, RowSet};
use tablesmith_store::{Aggregate, Answer, OpStats, RegionPartials, Scan, StoreError};

use crate::cursor::{Cursor, KeyRange};
use crate::in_regions::in_regions;
use crate::output::{Output, RowOutput};
use crate::read::{check_read, stats_of};
use crate::region::Region;
use crate::region_scan::{RegionRead, RegionScan};
use crate::scan::narrow;
use crate::stored::StoredCell;
use crate::table::TableState;
use crate::{Engine, key};

impl Engine {
    /// One answer for each region that the scan touches, in key order.
    pub(crate) fn aggregate_regions(
        &self,
        state: &TableState,
        aggregate: &Aggregate,
    ) -> Result<Answer<Vec<RegionPartials>>, StoreError> {
        let begun = Instant::now();
        check_read(state, &aggregate.scan.read, aggregate.scan.reversed)?;
        let answers = in_regions(state, &aggregate.scan, |region| self.aggregate_region(region, aggregate))?;
        Ok(Answer::of_regions(answers, begun))
    }

    fn aggregate_region(
        &self,
        region: &Region,
        aggregate: &Aggregate,
    ) -> Result<(RegionPartials, OpStats), StoreError> {
        let begun = Instant::now();
        let mut sums = Sums { aggregator: Aggregator::new(aggregate), rows: 0, is_row_new: false };
        let (snapshot, now_ms) = (self.inner.db.snapshot(), self.now_ms());
        let mut stats = OpStats { regions: Some(1), ..OpStats::default() };
        for range in ranges(region, aggregate) {
            let Scan { ref read, reversed, raw, .. } = aggregate.scan;
            let what = RegionRead { range, read, reversed, raw, batch: None, now_ms };
            let mut scan = RegionScan::new(region, &snapshot, &what)?;
            sums.take_all(&mut scan, read.filter.is_some())?;
            region.note_read(std::mem::take(&mut sums.rows), scan.counted());
            stats += OpStats { regions: None, ..stats_of(scan.counted()) };
            if scan.is_filter_done() {
                break;
            }
        }
        let info = region.info();
        let partials = RegionPartials {
            region: info.name(),
            server: info.server,
            took: begun.elapsed(),
            groups: sums.aggregator.finish(),
        };
        Ok((partials, stats))
    }
}

/// The keys of a region that are read: its part of the scan, cut into the ranges of rows that count where there are any. A
/// filter may remember rows, so that it gets its part of the scan as a whole.
fn ranges(region: &Region, aggregate: &Aggregate) -> Vec<KeyRange> {
    let Some(whole) = narrow(region, &aggregate.scan) else { return Vec::new() };
    let rows = aggregate.rows.as_ref().and_then(RowSet::ranges);
    let Some(rows) = rows.filter(|_| aggregate.scan.read.filter.is_none()) else { return vec![whole] };
    rows.iter().filter_map(|range| cut(&whole, range)).collect()
}

/// What a range of rows leaves of a range of keys.
fn cut(keys: &KeyRange, rows: &Range<Bytes>) -> Option<KeyRange> {
    let from = keys.from.clone().max(key::row_start(&rows.start));
    let end = (!rows.end.is_empty()).then(|| key::row_start(&rows.end));
    let until = match (keys.until.clone(), end) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    };
    until.as_ref().is_none_or(|until| from < *until).then_some(KeyRange { from, until })
}

/// What a region adds up.
struct Sums {
    aggregator: Aggregator,
    /// Rows of which anything was seen.
    rows: u64,
    is_row_new: bool,
}

impl Sums {
    #[inline]
    fn add(&mut self, cell: &StoredCell) {
        self.rows += u64::from(std::mem::take(&mut self.is_row_new));
        self.aggregator.add_value(cell.qualifier(), cell.timestamp(), cell.value());
    }
}

impl Output for Sums {
    #[inline]
    fn take(&mut self, cursor: &mut Cursor) {
        self.copy(cursor);
        cursor.advance();
    }

    #[inline]
    fn copy(&mut self, cursor: &mut Cursor) {
        if let Some(cell) = cursor.current() {
            self.add(cell);
        }
    }

    fn take_filtered(&mut self, cell: Cell) {
        self.aggregator.add(&[cell]);
    }
}

impl RowOutput for Sums {
    #[inline]
    fn begin_row(&mut self, row: &Bytes) -> bool {
        self.is_row_new = true;
        self.aggregator.go_to_row(row)
    }

    fn take_row(&mut self, cells: &[Cell]) {
        self.rows += u64::from(!cells.is_empty());
        self.aggregator.add(cells);
    }
}
