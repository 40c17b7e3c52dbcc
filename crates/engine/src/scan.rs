//! Reads many rows: region after region, a portion at a time.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use bytes::Bytes;
use tablesmith_model::Cell;
use tablesmith_store::{OpStats, Row, RowBound, Scan, Scanner, StoreError, check_scan};

use crate::Engine;
use crate::cursor::KeyRange;
use crate::key;
use crate::read::{check_read, stats_of};
use crate::region::Region;
use crate::region_scan::{RegionRead, RegionScan};
use crate::table::TableState;

/// A portion ends when its cells take so much memory, as in HBase.
const PORTION_BYTES: u64 = 2 << 20;

/// A scan of a table.
pub(crate) struct TableScan {
    engine: Engine,
    scan: Scan,
    regions: VecDeque<Arc<Region>>,
    current: Option<(Arc<Region>, RegionScan)>,
    rows_left: RowsLeft,
    /// The row of which the last result was a part.
    open_row: Option<Bytes>,
    stats: OpStats,
}

impl TableScan {
    pub fn new(engine: Engine, state: &TableState, scan: Scan) -> Result<Self, StoreError> {
        check_scan(&scan)?;
        check_read(state, &scan.read, scan.reversed)?;
        let mut regions: VecDeque<_> =
            state.regions.iter().filter(|region| narrow(region, &scan).is_some()).cloned().collect();
        if scan.reversed {
            regions.make_contiguous().reverse();
        }
        let mut table_scan = Self {
            engine,
            rows_left: RowsLeft(scan.limit),
            open_row: None,
            scan,
            regions,
            current: None,
            stats: OpStats::default(),
        };
        // What is wrong with the request shows at once, not with the first portion.
        table_scan.open_next_region()?;
        Ok(table_scan)
    }

    fn open_next_region(&mut self) -> Result<(), StoreError> {
        while let Some(region) = self.regions.pop_front() {
            let Some(range) = narrow(&region, &self.scan) else { continue };
            let what = RegionRead {
                range,
                read: &self.scan.read,
                reversed: self.scan.reversed,
                raw: self.scan.raw,
                batch: self.scan.batch,
                now_ms: self.engine.now_ms(),
            };
            let scan = RegionScan::new(&region, &self.engine.inner.db.snapshot(), &what)?;
            self.current = Some((region, scan));
            return Ok(());
        }
        self.current = None;
        Ok(())
    }

    /// The next portion that is not empty; empty at the end.
    fn next_portion(&mut self) -> Result<Vec<Row>, StoreError> {
        let begun = Instant::now();
        let mut rows = Vec::new();
        while rows.is_empty() && self.current.is_some() && !self.rows_left.is_none() {
            let region_goes_on = self.fill(&mut rows)?;
            let Some((_, scan)) = &self.current else { break };
            if scan.is_filter_done() && rows.is_empty() {
                self.close_region();
                self.regions.clear();
            } else if !region_goes_on {
                self.close_region();
                self.open_next_region()?;
            }
        }
        if self.rows_left.is_none() {
            self.close_region();
        }
        self.stats += OpStats { time: Some(begun.elapsed()), ..OpStats::default() };
        Ok(rows)
    }

    /// Reads on in the present region until the portion is full; false at the region's end.
    fn fill(&mut self, rows: &mut Vec<Row>) -> Result<bool, StoreError> {
        let Some((region, scan)) = &mut self.current else { return Ok(false) };
        let mut bytes = 0;
        let most = self.scan.caching.map_or(usize::MAX, |caching| caching.max(1) as usize);
        let mut width = 0;
        loop {
            // Rows of a table are mostly as wide as the one before.
            let mut cells = Vec::with_capacity(width);
            let next = scan.next(&mut cells)?;
            width = cells.len();
            if let Some(first) = cells.first() {
                // A row that came in parts may have had nothing more to show.
                if self.open_row.take().is_some_and(|open| open != first.row) && !self.rows_left.one_less() {
                    return Ok(false);
                }
                let row_bytes: u64 = cells.iter().map(Cell::size_bytes).sum();
                region.load.add_read(u64::from(!next.row_goes_on), row_bytes);
                bytes += row_bytes + (cells.len() * size_of::<Cell>()) as u64;
                self.open_row = next.row_goes_on.then(|| first.row.clone());
                rows.push(Row { row: first.row.clone(), cells });
                if !next.row_goes_on && !self.rows_left.one_less() {
                    return Ok(false);
                }
            }
            if !next.more {
                return Ok(false);
            }
            if rows.len() >= most || bytes >= PORTION_BYTES {
                return Ok(true);
            }
        }
    }

    fn close_region(&mut self) {
        if let Some((_, scan)) = self.current.take() {
            self.stats += stats_of(scan.counted());
        }
    }
}

/// How many rows are still wanted.
#[derive(Clone, Copy, Debug)]
struct RowsLeft(Option<u64>);

impl RowsLeft {
    fn is_none(self) -> bool {
        self.0 == Some(0)
    }

    /// Takes one off; false when none is left.
    fn one_less(&mut self) -> bool {
        if let Some(left) = &mut self.0 {
            *left = left.saturating_sub(1);
        }
        !self.is_none()
    }
}

/// The keys of a region that a scan reads; `None` when there are none.
pub(crate) fn narrow(region: &Region, scan: &Scan) -> Option<KeyRange> {
    let mut range = region.key_range();
    let (low, high) = if scan.reversed { (&scan.stop, &scan.start) } else { (&scan.start, &scan.stop) };
    let from = match low {
        RowBound::Included(row) if !row.is_empty() => key::row_start(row),
        RowBound::Excluded(row) if !row.is_empty() => key::row_behind(row),
        _ => Vec::new(),
    };
    let until = match high {
        RowBound::Included(row) if !row.is_empty() => Some(key::row_behind(row)),
        RowBound::Excluded(row) if !row.is_empty() => Some(key::row_start(row)),
        _ => None,
    };
    range.from = range.from.max(from);
    range.until = match (range.until, until) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    range.until.as_ref().is_none_or(|until| range.from < *until).then_some(range)
}

#[async_trait]
impl Scanner for TableScan {
    async fn next_rows(&mut self) -> Result<Vec<Row>, StoreError> {
        self.next_portion()
    }

    fn stats(&self) -> OpStats {
        let mut stats = self.stats;
        if let Some((_, scan)) = &self.current {
            stats += stats_of(scan.counted());
        }
        stats
    }
}
