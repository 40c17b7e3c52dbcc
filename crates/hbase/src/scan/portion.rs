//! The reply to a scan call, taken apart row by row.
//!
//! A portion is checked when it comes and read when its rows are wanted: tens of thousands of rows in their small pieces
//! would not fit into a processor's cache, some at a time do.

use bytes::Bytes;

use super::counts::Counts;
use crate::cell::Row;
use crate::pb;
use crate::rpc::{CallError, Reply};
use crate::wire::cell_block::CellBlock;
use crate::wire::decode::decode;
use crate::wire::{ReplyError, WireError};

/// Rows and pieces of rows, all with cells.
pub(crate) struct Portion {
    cells: CellBlock,
    /// For each row its number of cells, and whether more of them may follow.
    rows: Vec<(u32, bool)>,
    next: usize,
    /// Where the cells of the last row begin, and of the one before it.
    last: [usize; 2],
}

/// Checks the rows of a reply; returns them with what else the reply says.
pub(crate) fn read(reply: Reply) -> Result<(pb::ScanResponse, Portion), CallError> {
    let Reply { message, cells, origin, entries_max } = reply;
    take_apart(&message, cells, entries_max).map_err(|error| origin.refuse(error))
}

fn take_apart(
    message: &[u8],
    cells: Bytes,
    entries_max: usize,
) -> Result<(pb::ScanResponse, Portion), ReplyError> {
    /// Rows without cells mean nothing, and servers have no reason to send many.
    const EMPTY_ROWS_MAX: usize = 10_000;
    let rows_max = CellBlock::cells_possible(cells.len()) + EMPTY_ROWS_MAX;
    let counts = Counts::read(message, rows_max)?;
    let response: pb::ScanResponse = decode(counts.rest.into(), entries_max)?;
    if !response.results.is_empty() {
        return Err(WireError("a scan's rows came outside of the cell block".to_owned()).into());
    }
    let flags = counts.partial.into_iter().chain(std::iter::repeat(false));
    Ok((response, Portion::new(cells, counts.cells.into_iter().zip(flags))?))
}

impl Portion {
    fn new(cells: Bytes, rows: impl Iterator<Item = (u32, bool)>) -> Result<Self, WireError> {
        let cells = CellBlock::new(cells);
        let rows: Vec<(u32, bool)> = rows.filter(|(count, _)| *count > 0).collect();
        let mut walk = cells.at(0);
        let mut last = [0; 2];
        for (count, _) in &rows {
            last = [walk.position(), last[0]];
            walk.skip(*count as usize)?;
        }
        if !walk.is_empty() {
            return Err(WireError("a scan's reply has more cells than it says".to_owned()));
        }
        Ok(Self { cells, rows, next: 0, last })
    }

    /// How many rows and pieces are left.
    pub fn len(&self) -> usize {
        self.rows.len().saturating_sub(self.next)
    }

    /// The key of the last row that is left.
    pub fn last_key(&self) -> Result<Option<Bytes>, WireError> {
        if self.len() == 0 {
            return Ok(None);
        }
        Ok(Some(self.cells.at(self.last[0]).next_cell()?.shared_row()))
    }

    /// Whether all rows are whole, except perhaps the last one.
    pub fn is_whole_up_to_last(&self) -> bool {
        let before_last = self.rows.len().saturating_sub(1);
        !self.rows.iter().take(before_last).any(|(_, partial)| *partial)
    }

    /// The next row or piece, and whether it is only a piece.
    #[inline]
    pub fn next_row(&mut self) -> Result<Option<(Row, bool)>, WireError> {
        let Some((count, partial)) = self.rows.get(self.next) else { return Ok(None) };
        self.next += 1;
        Ok(Some((Row { cells: self.cells.take(*count as usize)? }, *partial)))
    }

    /// Adds rows until there are `limit` of them, or no more here. Rows go straight to their place: to hand on each one
    /// by itself takes as long as to read it.
    pub fn read_up_to(&mut self, limit: usize, rows: &mut Vec<Row>) -> Result<(), WireError> {
        let wanted = limit.saturating_sub(rows.len());
        for (count, _) in self.rows.iter().skip(self.next).take(wanted) {
            let mut cells = Vec::with_capacity(*count as usize);
            self.cells.read(*count as usize, &mut cells)?;
            rows.push(Row { cells });
        }
        self.next = self.rows.len().min(self.next + wanted);
        Ok(())
    }

    /// Takes the last row off, if it is only a piece.
    pub fn take_last_piece(&mut self) -> Result<Option<Row>, WireError> {
        if self.len() == 0 || !self.rows.last().is_some_and(|(_, partial)| *partial) {
            return Ok(None);
        }
        let Some((count, _)) = self.rows.pop() else { return Ok(None) };
        let piece = Row { cells: self.cells.at(self.last[0]).take(count as usize)? };
        self.last = [self.last[1], 0];
        Ok(Some(piece))
    }

    /// All rows and pieces that are left.
    pub fn into_rows(mut self) -> Result<Vec<Row>, WireError> {
        let mut rows = Vec::with_capacity(self.len());
        self.read_up_to(self.len(), &mut rows)?;
        Ok(rows)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use bytes::BytesMut;

    use super::*;
    use crate::wire::cell_block::{Place, put_cell};
    use crate::{Cell, CellType};

    pub fn cell(row: &str, qualifier: &str) -> Cell {
        Cell::of_parts((row.as_bytes(), b"f", qualifier.as_bytes()), 1, CellType::Put, b"")
    }

    /// `a:12` is a whole row with the columns 1 and 2, `a:12…` a piece of one.
    pub fn portion(texts: &[&str]) -> Portion {
        let (mut block, mut rows) = (BytesMut::new(), Vec::new());
        for text in texts {
            let (row, qualifiers) = text.split_once(':').unwrap();
            let whole = qualifiers.trim_end_matches('…');
            for qualifier in whole.bytes() {
                let (row, qualifier) = (row.as_bytes(), &[qualifier][..]);
                let place = Place { row, family: b"f", qualifier, timestamp: 1, cell_type: CellType::Put };
                put_cell(&mut block, &place, b"");
            }
            rows.push((whole.len() as u32, whole != qualifiers));
        }
        Portion::new(block.freeze(), rows.into_iter()).unwrap()
    }

    #[test]
    fn a_portion_knows_its_rows_before_they_are_read() {
        let mut rows = portion(&["a:12", "b:", "c:1", "d:1…"]);
        assert_eq!((rows.len(), rows.last_key().unwrap()), (3, Some("d".into())));
        assert!(rows.is_whole_up_to_last() && !portion(&["a:1…", "b:1"]).is_whole_up_to_last());
        assert_eq!(rows.take_last_piece().unwrap().unwrap().key(), b"d");
        assert!(rows.take_last_piece().unwrap().is_none());
        assert_eq!((rows.len(), rows.last_key().unwrap()), (2, Some("c".into())));
        let keys: Vec<Bytes> = rows.into_rows().unwrap().into_iter().map(|row| row.shared_key()).collect();
        assert_eq!(keys, ["a", "c"]);
        assert_eq!(portion(&[]).last_key().unwrap(), None);
    }

    #[test]
    fn counts_that_do_not_fit_the_cells_are_refused() {
        let mut block = BytesMut::new();
        let place =
            Place { row: b"r", family: b"f", qualifier: b"q", timestamp: 1, cell_type: CellType::Put };
        put_cell(&mut block, &place, b"v");
        let with = |rows: Vec<(u32, bool)>| Portion::new(block.clone().freeze(), rows.into_iter());
        assert!(with(vec![(1, false)]).is_ok());
        for wrong in [vec![(2, false)], vec![(u32::MAX, false)], vec![]] {
            assert!(with(wrong).is_err());
        }
    }
}
