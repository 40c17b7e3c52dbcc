//! Cells and rows, as they are read and written.

use std::cmp::Ordering;

use bytes::Bytes;

/// What a cell is. The numbers are those of HBase's wire and files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CellType {
    /// A value.
    Put = 4,
    /// Hides one version of a column.
    Delete = 8,
    /// Hides the versions of all columns of a family at one time.
    DeleteFamilyVersion = 10,
    /// Hides the versions of a column up to a time.
    DeleteColumn = 12,
    /// Hides all columns of a family up to a time.
    DeleteFamily = 14,
}

impl CellType {
    /// The type of a number.
    pub fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            4 => Self::Put,
            8 => Self::Delete,
            10 => Self::DeleteFamilyVersion,
            12 => Self::DeleteColumn,
            14 => Self::DeleteFamily,
            _ => return None,
        })
    }
}

/// A value or marker with its place and time.
///
/// Its bytes are shared slices of the reply that brought it: a cell that is kept for long keeps the whole reply. Copy
/// what you keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The row's key.
    pub row: Bytes,
    /// The family.
    pub family: Bytes,
    /// The column in its family.
    pub qualifier: Bytes,
    /// Milliseconds since 1970, as a rule.
    pub timestamp: i64,
    /// Value or marker.
    pub cell_type: CellType,
    /// The value; empty in a marker.
    pub value: Bytes,
}

impl Cell {
    /// The order of cells in a row: family, column, newest first, markers before values.
    pub fn cmp_in_row(&self, other: &Self) -> Ordering {
        (self.family.cmp(&other.family))
            .then_with(|| self.qualifier.cmp(&other.qualifier))
            .then_with(|| other.timestamp.cmp(&self.timestamp))
            .then_with(|| (other.cell_type as u8).cmp(&(self.cell_type as u8)))
    }
}

/// What was found of a row; no cells when there is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The key.
    pub key: Bytes,
    /// The cells, sorted.
    pub cells: Vec<Cell>,
}

impl Row {
    /// The newest value of a column among the cells read.
    pub fn value(&self, family: &[u8], qualifier: &[u8]) -> Option<&Bytes> {
        (self.cells.iter())
            .find(|cell| cell.family == family && cell.qualifier == qualifier)
            .map(|cell| &cell.value)
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }
}
