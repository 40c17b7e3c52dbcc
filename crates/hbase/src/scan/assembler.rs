//! Puts rows together from the pieces that servers send, and knows where to go on after a failure. No I/O.

use std::cmp::Ordering;

use bytes::Bytes;

use super::portion::Portion;
use super::rows::Rows;
use crate::cell::{Cell, Row};
use crate::config::how_to_raise;
use crate::wire::{ReplyError, WireError};

/// How far the rows that were handed out reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reached {
    /// Nothing was handed out.
    Nothing,
    /// This row, with all its cells.
    Row(Bytes),
    /// A part of a row, up to this cell (only when rows come in batches of cells).
    Cell(Cell),
}

pub(super) struct Assembler {
    batch: Option<usize>,
    /// What the cells that wait may take.
    row_bytes_max: usize,
    /// Cells of a row that is not complete, or not a whole batch.
    waiting: Vec<Cell>,
    /// How much memory they take.
    waiting_bytes: usize,
    /// The key of that row, which may have none of its cells left.
    waiting_key: Bytes,
    /// More cells of that row may come. True also when all its cells up to now were handed out.
    unfinished: bool,
    reached: Reached,
    rows_complete: u64,
    /// After a new start in the middle of a row: cells up to here were handed out before.
    handed_out: Option<Cell>,
}

impl Assembler {
    pub fn new(batch: Option<u32>, row_bytes_max: usize) -> Self {
        Self {
            batch: batch.filter(|cells| *cells > 0).map(|cells| cells as usize),
            row_bytes_max,
            waiting: Vec::new(),
            waiting_bytes: 0,
            waiting_key: Bytes::new(),
            unfinished: false,
            reached: Reached::Nothing,
            rows_complete: 0,
            handed_out: None,
        }
    }

    /// Rows handed out with all their cells.
    pub fn rows_complete(&self) -> u64 {
        self.rows_complete
    }

    pub fn reached(&self) -> &Reached {
        &self.reached
    }

    /// Takes the rows and pieces of a reply; returns what can be handed out.
    pub fn add(&mut self, portion: Portion) -> Result<Rows, ReplyError> {
        let rows = self.put_together(portion)?;
        if self.waiting_bytes > self.row_bytes_max {
            return Err(ReplyError::TooLarge(self.too_large()));
        }
        Ok(rows)
    }

    fn put_together(&mut self, mut portion: Portion) -> Result<Rows, WireError> {
        let mut rows = Vec::new();
        // The usual case: only at the ends of a portion can there be something to put together. Whole rows between
        // need not even be read yet.
        if self.batch.is_none() && self.handed_out.is_none() && portion.is_whole_up_to_last() {
            if self.unfinished
                && let Some((row, partial)) = portion.next_row()?
            {
                self.take_row(row, partial, &mut rows);
            }
            let piece = portion.take_last_piece()?;
            self.rows_complete += portion.len() as u64;
            if let Some(last) = portion.last_key()? {
                self.reached = Reached::Row(last);
            }
            if let Some(mut piece) = piece {
                self.waiting_key = piece.shared_key();
                piece.cells.iter_mut().for_each(Cell::detach);
                self.waiting_bytes = memory_bytes(&piece.cells);
                (self.waiting, self.unfinished) = (piece.cells, true);
            }
            return Ok(Rows::new(rows, Some(portion)));
        }
        while let Some((row, partial)) = portion.next_row()? {
            self.take_row(row, partial, &mut rows);
        }
        Ok(Rows::new(rows, None))
    }

    fn take_row(&mut self, row: Row, partial: bool, rows: &mut Vec<Row>) {
        if self.unfinished && self.waiting_key != row.key() {
            self.end_row(rows);
        }
        self.unfinished = partial;
        self.take_cells(row, rows);
        if !self.unfinished {
            self.end_row(rows);
        }
    }

    /// The region has no more cells: a row that waits for more is complete.
    pub fn end_region(&mut self) -> Vec<Row> {
        let mut rows = Vec::new();
        if self.unfinished {
            self.end_row(&mut rows);
        }
        rows
    }

    /// The scanner was lost: what was not handed out is read again.
    pub fn begin_again(&mut self) {
        self.waiting.clear();
        self.waiting_bytes = 0;
        self.unfinished = false;
        self.handed_out = match &self.reached {
            Reached::Cell(cell) => Some(cell.clone()),
            Reached::Nothing | Reached::Row(_) => None,
        };
    }

    fn take_cells(&mut self, mut row: Row, rows: &mut Vec<Row>) {
        self.waiting_key = row.shared_key();
        if let Some(last) = &self.handed_out
            && last.row() == row.key()
        {
            row.cells.retain(|cell| cell.cmp_in_row(last) == Ordering::Greater);
        }
        if self.unfinished {
            row.cells.iter_mut().for_each(Cell::detach);
        }
        self.waiting_bytes += memory_bytes(&row.cells);
        if self.waiting.is_empty() {
            self.waiting = row.cells;
        } else {
            self.waiting.append(&mut row.cells);
        }
        let Some(batch) = self.batch else { return };
        if self.waiting.len() < batch {
            return;
        }
        while self.waiting.len() > batch {
            let rest = self.waiting.split_off(batch);
            let cells = std::mem::replace(&mut self.waiting, rest);
            self.hand_out_part(cells, rows);
        }
        if self.waiting.len() == batch {
            let cells = std::mem::take(&mut self.waiting);
            self.hand_out_part(cells, rows);
        }
        self.waiting_bytes = memory_bytes(&self.waiting);
    }

    fn hand_out_part(&mut self, cells: Vec<Cell>, rows: &mut Vec<Row>) {
        if let Some(last) = cells.last() {
            self.reached = Reached::Cell(last.clone());
        }
        rows.push(Row { cells });
    }

    fn end_row(&mut self, rows: &mut Vec<Row>) {
        let cells = std::mem::take(&mut self.waiting);
        self.waiting_bytes = 0;
        self.unfinished = false;
        self.handed_out = None;
        self.rows_complete += 1;
        self.reached = Reached::Row(std::mem::take(&mut self.waiting_key));
        if !cells.is_empty() {
            rows.push(Row { cells });
        }
    }
}

impl Assembler {
    fn too_large(&self) -> String {
        const KEY_BYTES_SHOWN: usize = 100;
        let shown = self.waiting_key.slice(..self.waiting_key.len().min(KEY_BYTES_SHOWN));
        format!(
            "row \"{}\" takes more than {} bytes of memory; read it in batches of cells (BATCH in the shell), or {}",
            shown.escape_ascii(),
            self.row_bytes_max,
            how_to_raise("row_bytes_max", self.row_bytes_max)
        )
    }
}

fn memory_bytes(cells: &[Cell]) -> usize {
    cells.iter().map(Cell::memory_bytes).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::portion::tests::{cell, portion};

    fn add(assembler: &mut Assembler, texts: &[&str]) -> Vec<String> {
        let mut rows = assembler.add(portion(texts)).unwrap();
        let mut read = Vec::new();
        while let Some(row) = rows.next_row().unwrap() {
            read.push(row);
        }
        text(&read)
    }

    fn text(rows: &[Row]) -> Vec<String> {
        let qualifiers = |row: &Row| {
            row.cells
                .iter()
                .map(|cell| String::from_utf8_lossy(cell.qualifier()).into_owned())
                .collect::<String>()
        };
        rows.iter().map(|row| format!("{}:{}", String::from_utf8_lossy(row.key()), qualifiers(row))).collect()
    }

    #[test]
    fn pieces_become_whole_rows() {
        let mut assembler = Assembler::new(None, usize::MAX);
        assert_eq!(add(&mut assembler, &["a:12", "b:1…"]), ["a:12"]);
        assert_eq!(assembler.reached(), &Reached::Row("a".into()));
        assert_eq!(add(&mut assembler, &["b:2…"]), Vec::<String>::new());
        assert_eq!(add(&mut assembler, &["b:3", "c:1…"]), ["b:123"]);
        assert_eq!(text(&assembler.end_region()), ["c:1"]);
        assert_eq!(assembler.rows_complete(), 3);
    }

    /// What is counted is what is held: a small cell does not keep the buffer that a large reply was read into.
    #[test]
    fn pieces_that_wait_do_not_share_memory_with_their_replies() {
        let mut assembler = Assembler::new(None, usize::MAX);
        let replies =
            [["a:12", "b:12…"], ["b:34…", "b:56…"]].map(|texts| assembler.add(portion(&texts)).unwrap());
        assert_eq!(assembler.waiting.len(), 6);
        assert!(assembler.waiting.iter().all(Cell::is_alone));
        drop(replies);
    }

    #[test]
    fn a_new_row_ends_the_one_before() {
        let mut assembler = Assembler::new(None, usize::MAX);
        assert_eq!(add(&mut assembler, &["a:1…", "b:1"]), ["a:1", "b:1"]);
    }

    #[test]
    fn a_row_cut_by_a_failure_is_read_again() {
        let mut assembler = Assembler::new(None, usize::MAX);
        add(&mut assembler, &["a:1", "b:1…"]);
        assembler.begin_again();
        assert_eq!(assembler.reached(), &Reached::Row("a".into()));
        assert_eq!(add(&mut assembler, &["b:12"]), ["b:12"]);
    }

    #[test]
    fn batches_have_their_size_whatever_the_pieces() {
        let mut assembler = Assembler::new(Some(2), usize::MAX);
        let rows = add(&mut assembler, &["a:1…", "a:23…", "a:45"]);
        assert_eq!(rows, ["a:12", "a:34", "a:5"]);
        assert_eq!((assembler.rows_complete(), assembler.reached()), (1, &Reached::Row("a".into())));
    }

    #[test]
    fn a_row_in_endless_pieces_is_refused_and_its_batches_are_not() {
        let piece_bytes = cell("a", "1").memory_bytes();
        let pieces = |batch| {
            let mut assembler = Assembler::new(batch, 10 * piece_bytes);
            (0..50).take_while(|_| assembler.add(portion(&["a:1…"])).is_ok()).count()
        };
        assert_eq!(pieces(None), 10);
        assert_eq!(pieces(Some(4)), 50);
        let mut assembler = Assembler::new(None, piece_bytes);
        assembler.add(portion(&["b:1…"])).unwrap();
        assembler.begin_again();
        // What was cleared does not count, nor does a row that is complete.
        assert_eq!(add(&mut assembler, &["b:12", "c:1…"]), ["b:12"]);
        let Err(ReplyError::TooLarge(why)) = assembler.add(portion(&["c:2…"])) else { panic!("accepted") };
        assert!(why.contains("\"c\"") && why.contains("row_bytes_max"), "{why}");
    }

    #[test]
    fn a_failure_inside_a_batched_row_repeats_no_cell() {
        let mut assembler = Assembler::new(Some(2), usize::MAX);
        assert_eq!(add(&mut assembler, &["a:123…"]), ["a:12"]);
        assert_eq!(assembler.reached(), &Reached::Cell(cell("a", "2")));
        assembler.begin_again();
        assert_eq!(add(&mut assembler, &["a:12…", "a:34…"]), ["a:34"]);
        assert_eq!(add(&mut assembler, &["b:1"]), ["b:1"]);
        assert_eq!(assembler.rows_complete(), 2);
    }
}
