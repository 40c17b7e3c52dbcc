//! Where the cells of a scan go: to a reader, or into a sum, where they lie.

use bytes::Bytes;
use tablesmith_model::Cell;
use tablesmith_store::StoreError;

use crate::cursor::Cursor;
use crate::region_scan::RegionScan;

/// Takes the cells of a scan.
pub(crate) trait Output {
    /// Takes the cell that the cursor stands at, which then goes on.
    fn take(&mut self, cursor: &mut Cursor);
    /// Takes the cell that the cursor stands at, which stays there.
    fn copy(&mut self, cursor: &mut Cursor);
    /// Takes a cell that a filter let pass.
    fn take_filtered(&mut self, cell: Cell);
    /// Whether the rest of the row is wanted.
    #[inline]
    fn wants_more(&self) -> bool {
        true
    }
}

/// Takes the cells of a scan row by row.
pub(crate) trait RowOutput: Output {
    /// Begins a row; false when its cells are not wanted.
    fn begin_row(&mut self, row: &Bytes) -> bool;
    /// Takes what a filter let pass of a row; nothing when it let nothing pass.
    fn take_row(&mut self, cells: &[Cell]);

    /// Takes all rows of a scan: cells where they lie, or what a filter lets pass.
    fn take_all(&mut self, scan: &mut RegionScan, has_filter: bool) -> Result<(), StoreError>
    where
        Self: Sized,
    {
        if !has_filter {
            while scan.pass_row(self)? {}
            return Ok(());
        }
        let mut cells = Vec::new();
        loop {
            let next = scan.next(&mut cells)?;
            self.take_row(&cells);
            cells.clear();
            if !next.more {
                return Ok(());
            }
        }
    }
}

impl Output for Vec<Cell> {
    #[inline]
    fn take(&mut self, cursor: &mut Cursor) {
        cursor.give(self);
    }

    fn copy(&mut self, cursor: &mut Cursor) {
        self.extend(cursor.copy_cell());
    }

    fn take_filtered(&mut self, cell: Cell) {
        self.push(cell);
    }
}
