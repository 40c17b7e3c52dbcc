//! A scan: region after region, a portion of rows at a time.

use std::ops::Bound;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use tablesmith_model::{Cell, TableDescriptor, TableName};
use tablesmith_store::filter::eval::FilterRun;
use tablesmith_store::{OpStats, Row, RowBound, Scan, Scanner, StoreError, check_scan};

use super::mutate::check_family;
use super::region::{ReadPlan, RowSpan};
use super::region_scan::RegionScan;
use super::shared::Shared;

/// A scan that is under way.
#[derive(Debug)]
pub(super) struct MemoryScanner {
    shared: Arc<Shared>,
    table: TableName,
    scan: Scan,
    /// The rows still to be read, the region that is being read left out.
    rest: RowSpan,
    region: Option<OpenRegion>,
    /// Rows that may still come.
    rows_left: u64,
    rows_begun: u64,
    /// The row that came last: with a batch it may come again, in its next part.
    last_row: Option<Bytes>,
    is_over: bool,
    /// A filter that is done ends a region, never the scan: the regions answer independently of each other.
    regions_answer_alone: bool,
    stats: OpStats,
}

/// The region that is being read.
#[derive(Debug)]
struct OpenRegion {
    scan: RegionScan,
    start: Bytes,
    name: String,
    server: String,
}

/// Rows of one region.
#[derive(Debug)]
pub(super) struct Portion {
    /// The region's name.
    pub(super) region: String,
    /// The server that has it.
    pub(super) server: String,
    /// The rows; with a batch, parts of rows.
    pub(super) rows: Vec<Row>,
}

impl MemoryScanner {
    /// Begins a scan; the table must be able to answer it.
    pub(super) fn open(shared: Arc<Shared>, table: &TableName, scan: Scan) -> Result<Self, StoreError> {
        check_scan(&scan)?;
        check(&shared.lock().enabled_table(table)?.descriptor, &scan)?;
        Ok(Self {
            shared,
            table: table.clone(),
            rest: span_of(&scan),
            rows_left: scan.limit.unwrap_or(u64::MAX),
            rows_begun: 0,
            scan,
            region: None,
            last_row: None,
            is_over: false,
            regions_answer_alone: false,
            stats: OpStats { cells: Some(0), bytes: Some(0), regions: Some(0), ..OpStats::default() },
        })
    }

    /// Begins a scan for aggregation: whole rows, one portion for each region.
    pub(super) fn open_each_region(
        shared: Arc<Shared>,
        table: &TableName,
        scan: &Scan,
    ) -> Result<Self, StoreError> {
        let scan = Scan { limit: None, batch: None, caching: None, ..scan.clone() };
        Ok(Self { regions_answer_alone: true, ..Self::open(shared, table, scan)? })
    }

    /// The next portion, which may be empty; `None` at the end of the scan.
    ///
    /// A filter that is done ends the region. It ends the whole scan only if the portion is empty.
    pub(super) fn next_portion(&mut self) -> Result<Option<Portion>, StoreError> {
        if self.is_over || self.scan.limit == Some(0) {
            return Ok(None);
        }
        if self.region.is_none() {
            self.region = self.enter_region()?;
        }
        let Some(mut region) = self.region.take() else {
            self.is_over = true;
            return Ok(None);
        };
        let before = (region.scan.seen(), self.rows_begun);
        let (rows, has_more) = self.read_portion(&mut region.scan);
        self.count(&region, before, &rows);
        self.is_over |= rows.is_empty() && region.scan.is_filter_done() && !self.regions_answer_alone;
        let portion = Portion { region: region.name.clone(), server: region.server.clone(), rows };
        if has_more {
            self.region = Some(region);
        }
        Ok(Some(portion))
    }

    /// Up to `caching` rows of a region, and whether it may have more.
    fn read_portion(&mut self, region: &mut RegionScan) -> (Vec<Row>, bool) {
        let most = self.scan.caching.filter(|&rows| rows > 0).map_or(usize::MAX, |rows| rows as usize);
        let mut rows = Vec::new();
        let mut has_more = true;
        while has_more && rows.len() < most {
            let piece = region.next_piece();
            has_more = piece.has_more;
            let Some(row) = piece.cells.first().map(|cell| cell.row.clone()) else { continue };
            if self.last_row.as_ref() != Some(&row) {
                if self.rows_left == 0 {
                    self.is_over = true;
                    return (rows, false);
                }
                self.rows_left -= 1;
                self.rows_begun += 1;
                self.last_row = Some(row.clone());
            }
            rows.push(Row { row, cells: piece.cells });
            if self.rows_left == 0 && self.scan.batch.is_none() {
                self.is_over = true;
                return (rows, false);
            }
        }
        (rows, has_more)
    }

    /// Opens the next region that has rows of the scan.
    fn enter_region(&mut self) -> Result<Option<OpenRegion>, StoreError> {
        let cluster = self.shared.lock();
        let table = cluster.enabled_table(&self.table)?;
        let Some(region) = table.first_region_in(&self.rest, self.scan.reversed) else { return Ok(None) };
        check(&table.descriptor, &self.scan)?;
        let plan = ReadPlan {
            read: &self.scan.read,
            raw: self.scan.raw,
            reversed: self.scan.reversed,
            batch: self.scan.batch,
            now_ms: self.shared.now_ms(),
        };
        let info = region.info(&self.table);
        let opened = OpenRegion {
            scan: region.scan(&table.descriptor, &self.rest, plan)?,
            start: region.start.clone(),
            name: info.name(),
            server: info.server,
        };
        let is_last = if self.scan.reversed { region.start.is_empty() } else { region.end.is_empty() };
        if is_last {
            // Nothing lies beyond: an empty span.
            self.rest = (Bound::Excluded(Bytes::new()), Bound::Excluded(Bytes::new()));
        } else if self.scan.reversed {
            self.rest.1 = Bound::Excluded(region.start.clone());
        } else {
            self.rest.0 = Bound::Included(region.end.clone());
        }
        if let Some(regions) = &mut self.stats.regions {
            *regions += 1;
        }
        Ok(Some(opened))
    }

    /// Notes what a portion cost, here and in the region's load.
    fn count(&mut self, region: &OpenRegion, before: ((u64, u64), u64), rows: &[Row]) {
        let ((cells_before, bytes_before), rows_before) = before;
        let (cells, bytes) = region.scan.seen();
        self.stats += OpStats {
            cells: Some(cells - cells_before),
            bytes: Some(bytes - bytes_before),
            ..OpStats::default()
        };
        let bytes = rows.iter().flat_map(|row| &row.cells).map(Cell::size_bytes).sum();
        let mut cluster = self.shared.lock();
        // The region may have been split or dropped meanwhile.
        if let Ok(region) = cluster.table_mut(&self.table).and_then(|table| table.region_mut(&region.start)) {
            region.count_read(self.rows_begun - rows_before, bytes);
        }
    }
}

#[async_trait]
impl Scanner for MemoryScanner {
    async fn next_rows(&mut self) -> Result<Vec<Row>, StoreError> {
        while let Some(portion) = self.next_portion()? {
            if !portion.rows.is_empty() {
                return Ok(portion.rows);
            }
        }
        Ok(Vec::new())
    }

    fn stats(&self) -> OpStats {
        self.stats
    }
}

/// Whether a table can answer a scan.
fn check(table: &TableDescriptor, scan: &Scan) -> Result<(), StoreError> {
    scan.read.columns.families().try_for_each(|(family, _)| check_family(table, family))?;
    if scan.read.versions == 0 {
        return Err(StoreError::IllegalArgument("a scan reads at least one version".to_owned()));
    }
    if scan.raw && scan.read.columns.names_qualifiers() {
        return Err(StoreError::DoNotRetry("a raw scan reads whole families: name no columns".to_owned()));
    }
    match &scan.read.filter {
        Some(filter) => Ok(FilterRun::new(filter, scan.reversed).map(drop)?),
        None => Ok(()),
    }
}

/// The rows of a scan in key order. An empty key leaves its end open.
fn span_of(scan: &Scan) -> RowSpan {
    let bound = |bound: &RowBound| match bound {
        RowBound::Included(row) if !row.is_empty() => Bound::Included(row.clone()),
        RowBound::Excluded(row) if !row.is_empty() => Bound::Excluded(row.clone()),
        _ => Bound::Unbounded,
    };
    let (first, last) = (bound(&scan.start), bound(&scan.stop));
    if scan.reversed { (last, first) } else { (first, last) }
}
