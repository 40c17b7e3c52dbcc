//! Looks for rows inside the regions.

use std::time::Instant;

use bytes::Bytes;
use tablesmith_model::Cell;
use tablesmith_store::select::Selector;
use tablesmith_store::{Answer, OpStats, RegionRows, Scan, Select, StoreError};

use crate::Engine;
use crate::cursor::Cursor;
use crate::in_regions::in_regions;
use crate::output::{Output, RowOutput};
use crate::read::{check_read, stats_of};
use crate::region::Region;
use crate::region_scan::{RegionRead, RegionScan};
use crate::scan::narrow;
use crate::table::TableState;

impl Engine {
    /// One answer for each region that the scan touches, in key order.
    pub(crate) fn select_in_regions(
        &self,
        state: &TableState,
        select: &Select,
    ) -> Result<Answer<Vec<RegionRows>>, StoreError> {
        let begun = Instant::now();
        check_read(state, &select.scan.read, select.scan.reversed)?;
        let answers = in_regions(state, &select.scan, |region| self.select_in_region(region, select))?;
        Ok(Answer::of_regions(answers, begun))
    }

    fn select_in_region(
        &self,
        region: &Region,
        select: &Select,
    ) -> Result<(RegionRows, OpStats), StoreError> {
        let begun = Instant::now();
        let mut picked = Picked { selector: Selector::new(select), rows: 0 };
        let mut stats = OpStats::default();
        let Scan { ref read, reversed, raw, .. } = select.scan;
        if let Some(range) = narrow(region, &select.scan) {
            let what = RegionRead { range, read, reversed, raw, batch: None, now_ms: self.now_ms() };
            let mut scan = RegionScan::new(region, &self.inner.db.snapshot(), &what)?;
            picked.take_all(&mut scan, read.filter.is_some())?;
            region.note_read(picked.rows, scan.counted());
            stats = stats_of(scan.counted());
        }
        let info = region.info();
        Ok((picked.selector.finish(info.name(), info.server, begun), stats))
    }
}

/// What a region picks.
struct Picked {
    selector: Selector,
    rows: u64,
}

impl Output for Picked {
    #[inline]
    fn take(&mut self, cursor: &mut Cursor) {
        self.copy(cursor);
        cursor.advance();
    }

    #[inline]
    fn copy(&mut self, cursor: &mut Cursor) {
        if let Some(cell) = cursor.current() {
            self.selector.add_cell(cell.timestamp(), cell.value());
        }
    }

    fn take_filtered(&mut self, cell: Cell) {
        self.selector.add(&[cell]);
    }

    #[inline]
    fn wants_more(&self) -> bool {
        self.selector.wants_more()
    }
}

impl RowOutput for Picked {
    fn begin_row(&mut self, row: &Bytes) -> bool {
        self.rows += 1;
        self.selector.go_to_row(row);
        true
    }

    fn take_row(&mut self, cells: &[Cell]) {
        self.rows += u64::from(!cells.is_empty());
        self.selector.add(cells);
    }
}
