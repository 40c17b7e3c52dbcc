//! Walks the stored cells of one family: forwards, or row by row backwards. Inside a row the order is always forwards.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Bound;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use fjall::{Keyspace, Readable, Snapshot};
use tablesmith_store::StoreError;

use crate::stored::{RowOfCells, StoredCell};
use crate::{error, key};

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
    family: Bytes,
    range: KeyRange,
    reversed: bool,
    iter: fjall::Iter,
    /// The iterator has ended; to ask it again would cost as much as a cell.
    ended: bool,
    /// Where the cursor stands.
    current: Option<StoredCell>,
    /// Backwards: the cells of the present row after the current one.
    rest_of_row: VecDeque<StoredCell>,
    /// Backwards: the last cell of the row before.
    stashed: Option<StoredCell>,
    /// The row decoded last: most cells have the row of the cell before.
    last_row: RowOfCells,
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
            family: Bytes::from_static(interned(family)),
            range,
            reversed,
            iter,
            ended: false,
            current: None,
            rest_of_row: VecDeque::new(),
            stashed: None,
            last_row: RowOfCells::default(),
            counted: Counted { seeks: 1, ..Counted::default() },
        }
    }

    pub fn family(&self) -> &Bytes {
        &self.family
    }

    /// The cell the cursor stands at.
    pub fn peek(&mut self) -> Result<Option<&StoredCell>, StoreError> {
        if self.current.is_none() {
            self.current = if self.reversed { self.next_backwards()? } else { self.next_stored(false)? };
        }
        Ok(self.current.as_ref())
    }

    /// Takes the cell the cursor stands at and goes on to the next.
    pub fn take(&mut self) -> Option<StoredCell> {
        self.current.take()
    }

    /// Goes on to the next cell.
    pub fn advance(&mut self) {
        self.current = None;
    }

    /// Goes on to the first cell that is not before `target`. Backwards this stays inside the present row.
    pub fn seek(&mut self, target: &[u8]) -> Result<(), StoreError> {
        if self.reversed {
            while self.current.as_ref().is_some_and(|cell| &cell.key[..] < target) {
                self.current = self.rest_of_row.pop_front();
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
        let Some(current) = &self.current else { return Ok(()) };
        if self.reversed {
            self.current = None;
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
        self.current = None;
        self.iter = open(&self.keyspace, &self.snapshot, &self.range);
        self.ended = false;
        self.counted.seeks += 1;
    }

    fn next_backwards(&mut self) -> Result<Option<StoredCell>, StoreError> {
        if let Some(next) = self.rest_of_row.pop_front() {
            return Ok(Some(next));
        }
        let last = match self.stashed.take() {
            Some(stashed) => Some(stashed),
            None => self.next_stored(true)?,
        };
        let Some(last) = last else { return Ok(None) };
        let row = last.row().clone();
        self.rest_of_row.push_front(last);
        while let Some(before) = self.next_stored(true)? {
            if *before.row() != row {
                self.stashed = Some(before);
                break;
            }
            self.rest_of_row.push_front(before);
        }
        Ok(self.rest_of_row.pop_front())
    }

    fn next_stored(&mut self, back: bool) -> Result<Option<StoredCell>, StoreError> {
        let Some(guard) = (if back { self.iter.next_back() } else { self.iter.next() }) else {
            return Ok(None);
        };
        let (key, value) = guard.into_inner().map_err(error::from_fjall)?;
        let (key, value) = (Bytes::from(key), Bytes::from(value));
        self.counted.cells += 1;
        self.counted.bytes += (key.len() + value.len()) as u64;
        let stored = StoredCell::decode(key, value, &mut self.last_row);
        stored.map(Some).ok_or_else(|| error::damaged_cell(&self.family))
    }
}

/// A family's name for as long as the process runs. Every cell that is read carries it, and a static one has no count of
/// owners that the threads of a scan would fight for. There are few such names, and short ones.
fn interned(family: &[u8]) -> &'static [u8] {
    static NAMES: Mutex<BTreeSet<&'static [u8]>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    match names.get(family) {
        Some(name) => name,
        None => {
            let name: &'static [u8] = Box::leak(family.to_vec().into_boxed_slice());
            names.insert(name);
            name
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
