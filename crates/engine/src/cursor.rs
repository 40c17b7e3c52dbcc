//! Walks the stored cells of one family: forwards, or row by row backwards. Inside a row the order is always forwards.

use std::collections::VecDeque;
use std::ops::Bound;

use fjall::{Keyspace, Readable, Snapshot};
use tablesmith_model::Cell;
use tablesmith_store::StoreError;

use crate::stored::{Shared, StoredCell, is_same_row};
use crate::{error, interned, key};

/// The stored keys that a cursor may visit, as key bytes.
#[derive(Clone, Debug)]
pub(crate) struct KeyRange {
    pub from: Vec<u8>,
    /// Not included; `None`: to the end.
    pub until: Option<Vec<u8>>,
}

/// How many cells a cursor steps over before it seeks instead: a seek costs about as much as this many steps.
const STEPS_BEFORE_SEEK: usize = 24;

/// Walks cells. What it looked at is counted.
pub(crate) struct Cursor {
    keyspace: Keyspace,
    snapshot: Snapshot,
    family: &'static [u8],
    range: KeyRange,
    reversed: bool,
    iter: fjall::Iter,
    /// The iterator has ended; to ask it again would cost as much as a cell.
    ended: bool,
    /// Whether the cursor stands at `cell`; else it must read on.
    stands: bool,
    /// The cell that was read last.
    cell: StoredCell,
    /// Backwards: the cells of the present row after the current one.
    rest_of_row: VecDeque<StoredCell>,
    /// Backwards: the last cell of the row before.
    stashed: Option<StoredCell>,
    /// What the cells have in common.
    shared: Shared,
    pub counted: Counted,
}

/// What a cursor did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counted {
    pub cells: u64,
    pub bytes: u64,
    pub seeks: u64,
}

impl std::fmt::Debug for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cursor")
            .field("family", &self.family)
            .field("range", &self.range)
            .finish_non_exhaustive()
    }
}

impl Cursor {
    pub fn new(
        keyspace: &Keyspace,
        snapshot: &Snapshot,
        family: &[u8],
        range: KeyRange,
        reversed: bool,
    ) -> Self {
        let iter = open(keyspace, snapshot, &range);
        Self {
            keyspace: keyspace.clone(),
            snapshot: snapshot.clone(),
            family: interned::family(family),
            range,
            reversed,
            iter,
            ended: false,
            stands: false,
            cell: StoredCell::default(),
            rest_of_row: VecDeque::new(),
            stashed: None,
            shared: Shared::default(),
            counted: Counted { seeks: 1, ..Counted::default() },
        }
    }

    pub fn family(&self) -> &'static [u8] {
        self.family
    }

    /// The cell the cursor stands at.
    #[inline]
    pub fn peek(&mut self) -> Result<Option<&StoredCell>, StoreError> {
        if !self.stands {
            self.stands = if self.reversed { self.next_backwards()? } else { self.read(false)? };
        }
        Ok(self.current())
    }

    /// The cell that was looked at last, if the cursor still stands there.
    #[inline]
    pub fn current(&self) -> Option<&StoredCell> {
        self.stands.then_some(&self.cell)
    }

    /// Hands the cell that was looked at last to the reader, and goes on to the next.
    #[inline]
    pub fn give(&mut self, out: &mut Vec<Cell>) {
        if self.stands {
            self.cell.give(self.family, &mut self.shared, out);
            self.stands = false;
        }
    }

    /// The cell that was looked at last, for the reader.
    pub fn copy_cell(&mut self) -> Option<Cell> {
        self.stands.then(|| self.cell.to_cell(self.family, &mut self.shared))
    }

    /// Goes on to the next cell.
    pub fn advance(&mut self) {
        self.stands = false;
    }

    /// Goes on to the first cell that is not before `target`. Backwards this stays inside the present row.
    pub fn seek(&mut self, target: &[u8]) -> Result<(), StoreError> {
        if self.reversed {
            while self.current().is_some_and(|cell| &cell.key[..] < target) {
                self.stands = self.next_of_row();
            }
            return Ok(());
        }
        for _ in 0..STEPS_BEFORE_SEEK {
            match self.peek()? {
                Some(cell) if &cell.key[..] < target => self.advance(),
                _ => return Ok(()),
            }
        }
        self.range.from = target.to_vec();
        self.reopen();
        Ok(())
    }

    /// Leaves the present row.
    pub fn leave_row(&mut self) -> Result<(), StoreError> {
        let Some(current) = self.current() else { return Ok(()) };
        if self.reversed {
            self.stands = false;
            self.rest_of_row.clear();
            return Ok(());
        }
        let behind = key::row_behind(current.row());
        self.seek(&behind)
    }

    /// Backwards: goes to a row, or if there is no such row to the one before it.
    pub fn seek_row_backwards(&mut self, row: &[u8]) {
        let behind = key::row_behind(row);
        if self.range.until.as_ref().is_none_or(|until| behind < *until) {
            self.range.until = Some(behind);
        }
        self.stashed = None;
        self.rest_of_row.clear();
        self.reopen();
    }

    fn reopen(&mut self) {
        self.stands = false;
        self.iter = open(&self.keyspace, &self.snapshot, &self.range);
        self.ended = false;
        self.counted.seeks += 1;
    }

    /// Backwards: goes to the next cell of the row, or to the first of the row before; false at the end.
    fn next_backwards(&mut self) -> Result<bool, StoreError> {
        if self.rest_of_row.is_empty() {
            self.read_row_backwards()?;
        }
        Ok(self.next_of_row())
    }

    fn read_row_backwards(&mut self) -> Result<(), StoreError> {
        let last = match self.stashed.take() {
            Some(stashed) => Some(stashed),
            None => self.read(true)?.then(|| std::mem::take(&mut self.cell)),
        };
        let Some(last) = last else { return Ok(()) };
        let row = last.row().clone();
        self.rest_of_row.push_front(last);
        while self.read(true)? {
            let before = std::mem::take(&mut self.cell);
            if !is_same_row(before.row(), &row) {
                self.stashed = Some(before);
                break;
            }
            self.rest_of_row.push_front(before);
        }
        Ok(())
    }

    fn next_of_row(&mut self) -> bool {
        match self.rest_of_row.pop_front() {
            Some(next) => self.cell = next,
            None => return false,
        }
        true
    }

    /// Reads the next stored cell; false at the end.
    fn read(&mut self, back: bool) -> Result<bool, StoreError> {
        if self.ended {
            return Ok(false);
        }
        let Some(guard) = (if back { self.iter.next_back() } else { self.iter.next() }) else {
            self.ended = true;
            return Ok(false);
        };
        let (key, value) =
            guard.into_inner().map_err(|error| error::from_read(&self.keyspace, self.family, error))?;
        self.counted.cells += 1;
        self.counted.bytes += (key.len() + value.len()) as u64;
        match self.cell.read(key.into(), value.into(), &mut self.shared) {
            Some(()) => Ok(true),
            None => Err(error::damaged_cell(self.family)),
        }
    }
}

fn open(keyspace: &Keyspace, snapshot: &Snapshot, range: &KeyRange) -> fjall::Iter {
    let from = Bound::Included(&range.from[..]);
    let until = match &range.until {
        // The storage below takes no backwards range. No key is just `from`, so this one is empty.
        Some(until) if *until <= range.from => from,
        Some(until) => Bound::Excluded(&until[..]),
        None => Bound::Unbounded,
    };
    snapshot.range::<&[u8], _>(keyspace, (from, until))
}
