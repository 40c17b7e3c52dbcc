//! Reads one family of one region: moves a cursor as the matcher decides.

use std::cmp::Ordering;

use bytes::Bytes;
use fjall::Snapshot;
use tablesmith_model::{Cell, Timestamp};
use tablesmith_store::filter::eval::{FilterRun, Hint};
use tablesmith_store::{ReadOptions, StoreError};

use crate::cursor::{Counted, Cursor, KeyRange};
use crate::family::FamilyStore;
use crate::key;
use crate::matcher::{ReadMatcher, Step};
use crate::output::Output;
use crate::stored::{StoredCell, is_same_row};

/// A scan of one family.
#[derive(Debug)]
pub(crate) struct FamilyScan {
    family: &'static [u8],
    cursor: Cursor,
    matcher: ReadMatcher,
    reversed: bool,
    /// Cells of a row that are left out at its beginning.
    offset: u64,
    /// Cells of a row that are taken after those.
    limit: Option<u64>,
    row_count: u64,
    closed: bool,
}

/// How many more cells fit into the present result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room(Option<u32>);

impl Room {
    pub fn cells(cells: Option<u32>) -> Self {
        Self(cells)
    }

    fn take(&mut self) {
        if let Some(left) = &mut self.0 {
            *left = left.saturating_sub(1);
        }
    }

    pub fn is_used_up(self) -> bool {
        self.0 == Some(0)
    }
}

impl FamilyScan {
    pub fn new(
        store: &FamilyStore,
        snapshot: &Snapshot,
        range: KeyRange,
        read: &ReadOptions,
        (reversed, raw): (bool, bool),
        now_ms: Timestamp,
    ) -> Result<Self, StoreError> {
        let cursor = Cursor::new(&store.keyspace, snapshot, &store.descriptor.name, range, reversed);
        Ok(Self {
            family: cursor.family(),
            cursor,
            matcher: ReadMatcher::new(&store.descriptor, read, raw, now_ms)?,
            reversed,
            offset: read.row_offset_per_family.into(),
            limit: read.max_results_per_family.map(u64::from),
            row_count: 0,
            closed: false,
        })
    }

    pub fn counted(&self) -> Counted {
        self.cursor.counted
    }

    /// The row that the scan stands at; also one of which nothing will be visible.
    pub fn peek_row(&mut self) -> Result<Option<&Bytes>, StoreError> {
        if self.closed {
            return Ok(None);
        }
        Ok(self.cursor.peek()?.map(StoredCell::row))
    }

    /// The row that was looked at last, if the scan still stands there.
    pub fn row(&self) -> Option<&Bytes> {
        if self.closed { None } else { self.cursor.current().map(StoredCell::row) }
    }

    /// Takes the cells of the present row, as far as they fit.
    pub fn next(
        &mut self,
        out: &mut impl Output,
        mut filter: Option<&mut FilterRun>,
        room: &mut Room,
    ) -> Result<(), StoreError> {
        if !self.matcher.in_row()
            && let Some(stored) = self.cursor.peek()?
        {
            self.matcher.begin_row(stored.row());
            self.row_count = 0;
        }
        while !self.closed {
            if self.cursor.peek()?.is_none() {
                return Ok(());
            }
            // A filter wants to see the whole cell.
            let whole = if filter.is_some() { self.cursor.copy_cell() } else { None };
            let Some(stored) = self.cursor.current() else { return Ok(()) };
            let filter_with_cell = match (filter.as_deref_mut(), &whole) {
                (Some(filter), Some(whole)) => Some((filter, whole)),
                _ => None,
            };
            let step = self.matcher.step(stored.row(), stored.into(), filter_with_cell);
            match step {
                Step::Include | Step::IncludeAndNextColumn | Step::IncludeAndNextRow => {
                    let filtered = match (filter.as_deref_mut(), whole) {
                        (Some(filter), Some(whole)) => Some(filter.transform(whole)),
                        _ => None,
                    };
                    self.include(step, filtered, out, room)?;
                    if room.is_used_up() {
                        return Ok(());
                    }
                    if !out.wants_more() {
                        return self.leave_row();
                    }
                }
                Step::Skip => self.cursor.advance(),
                Step::NextColumn => self.next_column()?,
                Step::NextRow => self.next_row()?,
                Step::Hint => self.follow_hint(filter.as_deref_mut().zip(whole))?,
                Step::RowDone => {
                    self.matcher.leave_row();
                    return Ok(());
                }
                Step::ScanDone => self.closed = true,
            }
        }
        Ok(())
    }

    /// Takes the present cell, which the filter may have changed, and goes on.
    fn include(
        &mut self,
        step: Step,
        filtered: Option<Cell>,
        out: &mut impl Output,
        room: &mut Room,
    ) -> Result<(), StoreError> {
        self.row_count += 1;
        let limit_reached = self.limit.is_some_and(|limit| self.row_count >= limit + self.offset);
        let moves_on = step == Step::Include && !limit_reached;
        if self.row_count > self.offset {
            room.take();
            match filtered {
                Some(filtered) => out.take_filtered(filtered),
                None if moves_on => out.take(&mut self.cursor),
                None => out.copy(&mut self.cursor),
            }
        }
        if moves_on {
            self.cursor.advance();
        }
        match step {
            _ if moves_on => Ok(()),
            Step::IncludeAndNextColumn if !limit_reached => self.next_column(),
            _ => self.next_row(),
        }
    }

    /// Leaves the present column. The empty one may hold family markers, so it is gone through cell by cell.
    fn next_column(&mut self) -> Result<(), StoreError> {
        let Some(stored) = self.cursor.peek()? else { return Ok(()) };
        if stored.qualifier().is_empty() {
            self.cursor.advance();
            return Ok(());
        }
        let target = match self.matcher.next_wanted() {
            Some(wanted) => key::column_start(stored.row_start(), wanted),
            None => key::column_behind(stored.row_start(), stored.qualifier()),
        };
        self.cursor.seek(&target)
    }

    fn next_row(&mut self) -> Result<(), StoreError> {
        self.matcher.leave_row();
        self.cursor.leave_row()
    }

    fn follow_hint(&mut self, filter: Option<(&mut FilterRun, Cell)>) -> Result<(), StoreError> {
        let Some((filter, cell)) = filter else { return Ok(()) };
        match filter.next_hint(&cell) {
            Some(hint) if !self.reversed && hint.cmp_cell(&cell) == Ordering::Greater => {
                let target = self.hint_key(&hint);
                self.cursor.seek(&target)
            }
            Some(hint) if self.reversed && hint.row < cell.row => {
                self.cursor.seek_row_backwards(&hint.row);
                Ok(())
            }
            _ => {
                self.cursor.advance();
                Ok(())
            }
        }
    }

    fn hint_key(&self, hint: &Hint) -> Vec<u8> {
        let row_start = key::row_start(&hint.row);
        match hint.family[..].cmp(self.family) {
            Ordering::Less => row_start,
            Ordering::Equal if hint.timestamp == Timestamp::MAX => {
                key::column_start(&row_start, &hint.qualifier)
            }
            Ordering::Equal => key::version_start(&row_start, &hint.qualifier, hint.timestamp),
            Ordering::Greater => key::row_behind(&hint.row),
        }
    }

    /// Leaves the row that the matcher is in; the cursor may be there no more.
    fn leave_row(&mut self) -> Result<(), StoreError> {
        let Some(row) = self.matcher.row().cloned() else { return Ok(()) };
        if self.cursor.peek()?.is_some_and(|cell| is_same_row(cell.row(), &row)) {
            return self.next_row();
        }
        self.matcher.leave_row();
        Ok(())
    }

    /// Leaves a row without looking at the rest of it.
    pub fn drop_row(&mut self) -> Result<(), StoreError> {
        self.next_row()
    }

    /// Goes on to `row` or, if it has no cells of this family, to what comes after it.
    pub fn seek_row(&mut self, row: &Bytes) -> Result<(), StoreError> {
        self.matcher.leave_row();
        if self.closed {
            return Ok(());
        }
        self.cursor.seek(&key::row_start(row))
    }
}
