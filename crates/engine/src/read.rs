//! Reads one row.

use std::time::Instant;

use fjall::Snapshot;
use tablesmith_model::{Cell, Timestamp};
use tablesmith_store::filter::eval::FilterRun;
use tablesmith_store::{Answer, Get, OpStats, ReadOptions, Row, StoreError};

use crate::Engine;
use crate::cursor::{Counted, KeyRange};
use crate::key;
use crate::region::Region;
use crate::region_scan::{RegionRead, RegionScan};
use crate::table::TableState;

impl Engine {
    /// Reads a row of a table.
    pub(crate) fn get_row(&self, state: &TableState, get: &Get) -> Result<Answer<Row>, StoreError> {
        let begun = Instant::now();
        get.check()?;
        check_read(state, &get.read, false)?;
        let region = state.region_of(&get.row)?;
        let (cells, counted) =
            row_cells(region, &self.inner.db.snapshot(), &get.row, &get.read, self.now_ms())?;
        region.note_read(1, counted);
        let stats = OpStats { time: Some(begun.elapsed()), ..stats_of(counted) };
        Ok(Answer { value: Row { row: get.row.clone(), cells }, stats })
    }
}

/// The families named must be there, and the filter must make sense, also where no region is read.
pub(crate) fn check_read(state: &TableState, read: &ReadOptions, reversed: bool) -> Result<(), StoreError> {
    if read.versions == 0 {
        return Err(StoreError::IllegalArgument("a read takes at least 1 version".to_owned()));
    }
    read.columns.families().try_for_each(|(family, _)| state.family(family).map(|_| ()))?;
    if let Some(filter) = &read.filter {
        FilterRun::new(filter, reversed)?;
    }
    Ok(())
}

/// The cells of a row at the moment of a snapshot.
pub(crate) fn row_cells(
    region: &Region,
    snapshot: &Snapshot,
    row: &[u8],
    read: &ReadOptions,
    now_ms: Timestamp,
) -> Result<(Vec<Cell>, Counted), StoreError> {
    let range = KeyRange { from: key::row_start(row), until: Some(key::row_behind(row)) };
    let what = RegionRead { range, read, reversed: false, raw: false, batch: None, now_ms };
    let mut scan = RegionScan::new(region, snapshot, &what)?;
    let mut cells = Vec::new();
    scan.next(&mut cells)?;
    Ok((cells, scan.counted()))
}

/// What a cursor counted, as the answer shows it. How many blocks were read the storage below does not tell.
pub(crate) fn stats_of(counted: Counted) -> OpStats {
    OpStats {
        cells: Some(counted.cells),
        bytes: Some(counted.bytes),
        seeks: Some(counted.seeks),
        regions: Some(1),
        ..OpStats::default()
    }
}
