//! Cells and rows, as they are read and written.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;

use bytes::Bytes;
use hbase_types::CellType;

/// A value or marker with its place and time.
///
/// Its parts are one shared slice of the reply that brought it: a cell that is kept for long keeps the whole reply. Copy
/// what you keep.
#[derive(Clone)]
pub struct Cell {
    /// Row, one byte, family, qualifier, nine bytes, value: as on the wire, so that nothing is copied and only one thing
    /// is shared. A part shared by itself costs an atomic operation, which is much where cells are small.
    bytes: Bytes,
    row_end: u32,
    family_end: u32,
    qualifier_end: u32,
    timestamp: i64,
    cell_type: CellType,
}

/// Between row and family: the family's length.
const ROW_TO_FAMILY_BYTES: usize = 1;
/// Between qualifier and value: timestamp and type.
const QUALIFIER_TO_VALUE_BYTES: usize = 9;

impl Cell {
    /// A cell whose parts lie in `bytes` as on the wire, from the row to the end of the value.
    #[inline]
    pub(crate) fn on_wire(bytes: Bytes, ends: Ends, timestamp: i64, cell_type: CellType) -> Self {
        let Ends { row, family, qualifier } = ends;
        Self { bytes, row_end: row, family_end: family, qualifier_end: qualifier, timestamp, cell_type }
    }

    /// A cell of parts from elsewhere.
    pub(crate) fn of_parts(
        (row, family, qualifier): (&[u8], &[u8], &[u8]),
        timestamp: i64,
        cell_type: CellType,
        value: &[u8],
    ) -> Self {
        let gaps = [0; QUALIFIER_TO_VALUE_BYTES];
        let bytes = [row, &[0; ROW_TO_FAMILY_BYTES], family, qualifier, &gaps, value].concat();
        let family_end = row.len() + ROW_TO_FAMILY_BYTES + family.len();
        let ends = Ends {
            row: row.len() as u32,
            family: family_end as u32,
            qualifier: (family_end + qualifier.len()) as u32,
        };
        Self::on_wire(bytes.into(), ends, timestamp, cell_type)
    }

    /// Copies its bytes, so that it no longer keeps the buffer in memory that the reply was read into.
    pub(crate) fn detach(&mut self) {
        self.bytes = Bytes::copy_from_slice(&self.bytes);
    }

    /// Whether nothing else shares its memory.
    #[cfg(test)]
    pub(crate) fn is_alone(&self) -> bool {
        self.bytes.is_unique()
    }

    /// How much memory it takes, with its part of the reply that brought it.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.bytes.len()
    }

    /// The row's key.
    pub fn row(&self) -> &[u8] {
        self.part(self.row_range())
    }

    /// The family.
    pub fn family(&self) -> &[u8] {
        self.part(self.family_range())
    }

    /// The column in its family.
    pub fn qualifier(&self) -> &[u8] {
        self.part(self.qualifier_range())
    }

    /// The value; empty in a marker.
    pub fn value(&self) -> &[u8] {
        self.part(self.value_range())
    }

    /// Milliseconds since 1970, as a rule.
    pub fn timestamp(&self) -> i64 {
        self.timestamp
    }

    /// Value or marker.
    pub fn cell_type(&self) -> CellType {
        self.cell_type
    }

    /// The row's key, shared with the cell.
    #[inline]
    pub fn shared_row(&self) -> Bytes {
        self.bytes.slice(self.row_range())
    }

    /// The family, shared with the cell.
    pub fn shared_family(&self) -> Bytes {
        self.bytes.slice(self.family_range())
    }

    /// The column, shared with the cell.
    pub fn shared_qualifier(&self) -> Bytes {
        self.bytes.slice(self.qualifier_range())
    }

    /// The value, shared with the cell.
    pub fn shared_value(&self) -> Bytes {
        self.bytes.slice(self.value_range())
    }

    /// The order of cells in a row: family, column, newest first, markers before values.
    pub fn cmp_in_row(&self, other: &Self) -> Ordering {
        (self.family().cmp(other.family()))
            .then_with(|| self.qualifier().cmp(other.qualifier()))
            .then_with(|| other.timestamp.cmp(&self.timestamp))
            .then_with(|| (other.cell_type as u8).cmp(&(self.cell_type as u8)))
    }

    fn part(&self, range: Range<usize>) -> &[u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    fn row_range(&self) -> Range<usize> {
        0..self.row_end as usize
    }

    fn family_range(&self) -> Range<usize> {
        self.row_end as usize + ROW_TO_FAMILY_BYTES..self.family_end as usize
    }

    fn qualifier_range(&self) -> Range<usize> {
        self.family_end as usize..self.qualifier_end as usize
    }

    fn value_range(&self) -> Range<usize> {
        self.qualifier_end as usize + QUALIFIER_TO_VALUE_BYTES..self.bytes.len()
    }
}

/// Where parts of a cell end, counted from the beginning of its row.
pub(crate) struct Ends {
    pub row: u32,
    pub family: u32,
    pub qualifier: u32,
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.row() == other.row()
            && self.cmp_in_row(other) == Ordering::Equal
            && self.value() == other.value()
    }
}

impl Eq for Cell {}

impl fmt::Debug for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |part: &[u8]| part.escape_ascii().to_string();
        out.debug_struct("Cell")
            .field("row", &text(self.row()))
            .field("family", &text(self.family()))
            .field("qualifier", &text(self.qualifier()))
            .field("timestamp", &self.timestamp)
            .field("cell_type", &self.cell_type)
            .field("value", &text(self.value()))
            .finish()
    }
}

/// What was found of a row; no cells when there is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The cells, sorted.
    pub cells: Vec<Cell>,
}

impl Row {
    /// The key; empty when nothing was found.
    pub fn key(&self) -> &[u8] {
        self.cells.first().map(Cell::row).unwrap_or_default()
    }

    /// The key, shared with the row.
    pub fn shared_key(&self) -> Bytes {
        self.cells.first().map(Cell::shared_row).unwrap_or_default()
    }

    /// The newest value of a column among the cells read.
    pub fn value(&self, family: &[u8], qualifier: &[u8]) -> Option<&[u8]> {
        (self.cells.iter())
            .find(|cell| cell.family() == family && cell.qualifier() == qualifier)
            .map(Cell::value)
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_of_parts_gives_its_parts_back() {
        let cell = Cell::of_parts((b"row", b"f", b"q"), 7, CellType::Put, b"value");
        assert_eq!((cell.row(), cell.family(), cell.qualifier()), (&b"row"[..], &b"f"[..], &b"q"[..]));
        assert_eq!((cell.timestamp(), cell.cell_type(), cell.value()), (7, CellType::Put, &b"value"[..]));
        assert_eq!((cell.shared_row(), cell.shared_value()), ("row".into(), "value".into()));
        let empty = Cell::of_parts((b"", b"", b""), 0, CellType::DeleteFamily, b"");
        assert_eq!((empty.row(), empty.family(), empty.value()), (&b""[..], &b""[..], &b""[..]));
        assert_ne!(cell, empty);
    }
}
