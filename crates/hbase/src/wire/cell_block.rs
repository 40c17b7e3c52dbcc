//! Cell blocks: cells one after the other, in the layout of HBase's KeyValueCodec.
//!
//! ```text
//!  4 B     4 B        4 B          2 B         …    1 B            …       …          8 B        1 B   …
//! ┌──────┬──────────┬────────────┬───────────┬─────┬──────────────┬───────┬──────────┬──────────┬─────┬──────┐
//! │ size │ key size │ value size │ row size  │ row │ family size  │ family│ qualifier│ timestamp│ type│ value│
//! └──────┴──────────┴────────────┴───────────┴─────┴──────────────┴───────┴──────────┴──────────┴─────┴──────┘
//!         ◀──────────────────────────────── size ──────────────────────────────────────────────────────────▶
//!                                 ◀──────────────── key size ─────────────────────────────────────▶
//! ```
//! Numbers are big-endian. The qualifier is what is left of the key. There are no tags.

use std::ops::Range;

use bytes::{BufMut, Bytes, BytesMut};

use super::WireError;
use crate::CellType;
use crate::cell::{Cell, Ends};

/// Key size and value size.
const SIZES_BYTES: usize = 8;
/// Row size, family size, timestamp and type.
const KEY_FIXED_BYTES: usize = 2 + 1 + TIMESTAMP_AND_TYPE_BYTES;
const TIMESTAMP_AND_TYPE_BYTES: usize = 9;

/// Reads cells off a block. The cells share its bytes.
pub(crate) struct CellBlock {
    block: Bytes,
    at: usize,
}

impl CellBlock {
    pub fn new(block: Bytes) -> Self {
        Self { block, at: 0 }
    }

    pub fn is_empty(&self) -> bool {
        self.at >= self.block.len()
    }

    /// How many cells a block of so many bytes can have: as many as there are of the shortest.
    pub fn cells_possible(block_bytes: usize) -> usize {
        block_bytes / (4 + SIZES_BYTES + KEY_FIXED_BYTES)
    }

    /// The next `count` cells.
    pub fn take(&mut self, count: usize) -> Result<Vec<Cell>, WireError> {
        // A count that lies reserves no more than the block could hold.
        let possible = Self::cells_possible(self.block.len() - self.at);
        if count > possible {
            return Err(WireError(format!("{count} cells announced, {possible} could be there")));
        }
        let mut cells = Vec::with_capacity(count);
        self.read(count, &mut cells)?;
        Ok(cells)
    }

    /// Adds the next `count` cells.
    #[inline]
    pub fn read(&mut self, count: usize, cells: &mut Vec<Cell>) -> Result<(), WireError> {
        for _ in 0..count {
            cells.push(self.next_cell()?);
        }
        Ok(())
    }

    /// Goes past the next `count` cells, which must be such that they can be read later.
    pub fn skip(&mut self, count: usize) -> Result<(), WireError> {
        for _ in 0..count {
            let place = self.next_place().ok_or_else(cut_off)?;
            place.cell_type()?;
            self.at = place.end;
        }
        Ok(())
    }

    /// Where the next cell begins.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The same block from another position on.
    pub fn at(&self, position: usize) -> Self {
        Self { block: self.block.clone(), at: position.min(self.block.len()) }
    }

    /// The next cell; an error also when there is none.
    #[inline]
    pub fn next_cell(&mut self) -> Result<Cell, WireError> {
        let place = self.next_place().ok_or_else(cut_off)?;
        let cell_type = place.cell_type()?;
        let cell = Cell::on_wire(self.block.slice(place.cell), place.ends, place.timestamp, cell_type);
        self.at = place.end;
        Ok(cell)
    }

    /// Where the parts of the next cell are; `None` when one of them would reach too far.
    #[inline]
    fn next_place(&self) -> Option<CellPlace> {
        let size_at = self.at;
        let cell = size_at + 4;
        let end = cell.checked_add(self.number_at(size_at)?)?;
        let key = cell + SIZES_BYTES;
        let key_end = key.checked_add(self.number_at(cell)?)?;
        let value_end = key_end.checked_add(self.number_at(cell + 4)?)?;
        if end > self.block.len() || value_end > end {
            return None;
        }
        let row = key + 2;
        let row_end = row + usize::from(u16::from_be_bytes(*self.block.get(key..)?.first_chunk()?));
        let family = row_end + 1;
        let family_end = family + usize::from(*self.block.get(row_end)?);
        let qualifier_end = key_end.checked_sub(TIMESTAMP_AND_TYPE_BYTES)?;
        if family_end > qualifier_end {
            return None;
        }
        let (timestamp, rest) = self.block.get(qualifier_end..)?.split_first_chunk()?;
        // No part is longer than the four bytes of its block's length can say.
        let from_row = |end: usize| (end - row) as u32;
        let ends =
            Ends { row: from_row(row_end), family: from_row(family_end), qualifier: from_row(qualifier_end) };
        Some(CellPlace {
            cell: row..value_end,
            ends,
            timestamp: i64::from_be_bytes(*timestamp),
            type_code: *rest.first()?,
            end,
        })
    }

    #[inline]
    fn number_at(&self, at: usize) -> Option<usize> {
        Some(u32::from_be_bytes(*self.block.get(at..)?.first_chunk()?) as usize)
    }
}

fn cut_off() -> WireError {
    WireError("a cell is cut off".to_owned())
}

/// Where the parts of a cell are in its block.
struct CellPlace {
    /// From the row to the end of the value.
    cell: Range<usize>,
    ends: Ends,
    timestamp: i64,
    type_code: u8,
    end: usize,
}

impl CellPlace {
    #[inline]
    fn cell_type(&self) -> Result<CellType, WireError> {
        let code = self.type_code;
        CellType::from_code(code).ok_or_else(|| WireError(format!("no cell has the type {code}")))
    }
}

/// Where a cell to be written goes.
pub(crate) struct Place<'a> {
    pub row: &'a [u8],
    pub family: &'a [u8],
    pub qualifier: &'a [u8],
    pub timestamp: i64,
    pub cell_type: CellType,
}

/// Adds a cell to a block. Rows and families that do not fit their length fields are refused before (see `request`).
pub(crate) fn put_cell(block: &mut BytesMut, place: &Place<'_>, value: &[u8]) {
    let key_bytes = KEY_FIXED_BYTES + place.row.len() + place.family.len() + place.qualifier.len();
    let size = SIZES_BYTES + key_bytes + value.len();
    block.reserve(4 + size);
    block.put_u32(size as u32);
    block.put_u32(key_bytes as u32);
    block.put_u32(value.len() as u32);
    block.put_u16(place.row.len() as u16);
    block.put_slice(place.row);
    block.put_u8(place.family.len() as u8);
    block.put_slice(place.family);
    block.put_slice(place.qualifier);
    block.put_i64(place.timestamp);
    block.put_u8(place.cell_type as u8);
    block.put_slice(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block() -> Bytes {
        let mut block = BytesMut::new();
        for (qualifier, cell_type) in [(&b"q"[..], CellType::Put), (b"", CellType::DeleteFamily)] {
            let place = Place { row: b"row", family: b"f", qualifier, timestamp: 7, cell_type };
            put_cell(&mut block, &place, b"value");
        }
        block.freeze()
    }

    #[test]
    fn cells_read_as_they_were_written() {
        let mut reader = CellBlock::new(block());
        let cells = reader.take(2).unwrap();
        assert_eq!((cells[0].row(), cells[0].qualifier(), cells[0].timestamp()), (&b"row"[..], &b"q"[..], 7));
        assert_eq!((cells[1].cell_type(), cells[1].value()), (CellType::DeleteFamily, &b"value"[..]));
        assert!(reader.is_empty());
    }

    #[test]
    fn every_cut_is_an_error() {
        let whole = block();
        for length in 0..whole.len() {
            assert!(CellBlock::new(whole.slice(..length)).take(2).is_err(), "{length}");
        }
    }

    #[test]
    fn a_count_that_lies_reserves_nothing() {
        assert!(CellBlock::new(block()).take(usize::MAX).is_err());
    }
}
