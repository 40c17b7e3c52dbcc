//! Where the cells of a scan go: to a reader, or into a sum, where they lie.

use bytes::Bytes;
use tablesmith_model::Cell;

use crate::cursor::Cursor;

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
