//! Walking through one family of a region, row after row, with a filter that may skip ahead.

use bytes::Bytes;
use tablesmith_model::Cell;
use tablesmith_store::filter::eval::{FilterRun, Hint, ReturnCode};

use super::stored::{Run, StoredCell};
use super::visible::{Next, ReadRules, RowView, Verdict};

/// A reader's place in a family. It works on a copy, so that writes after its start stay unseen.
#[derive(Debug)]
pub(super) struct FamilyWalk {
    rules: ReadRules,
    /// The rows to read, in the order of reading; none is empty.
    rows: Vec<Vec<StoredCell>>,
    reversed: bool,
    row: usize,
    cell: usize,
    /// The row in `view`.
    viewed: Option<Bytes>,
    view: RowView,
    /// Cells of the viewed row that came through, also those left out by the offset.
    passed: u32,
    pub(super) cells_seen: u64,
    pub(super) bytes_seen: u64,
}

/// Where to go on after a cell.
enum Move {
    On(Next),
    To(Option<Hint>),
}

impl FamilyWalk {
    /// Begins at the first row of a run, or at the last one.
    pub(super) fn new(run: &Run, rules: ReadRules, reversed: bool) -> Self {
        let mut rows = run.rows();
        if reversed {
            rows.reverse();
        }
        Self {
            rules,
            rows,
            reversed,
            row: 0,
            cell: 0,
            viewed: None,
            view: RowView::default(),
            passed: 0,
            cells_seen: 0,
            bytes_seen: 0,
        }
    }

    /// The row of the next cell.
    pub(super) fn next_row(&self) -> Option<&Bytes> {
        self.peek().map(|stored| &stored.cell.row)
    }

    /// Whether the next cell is one of `row`.
    pub(super) fn is_at(&self, row: &Bytes) -> bool {
        self.next_row() == Some(row)
    }

    /// Takes what is visible in the rest of the row it is at, until `taken` has `batch` cells.
    pub(super) fn read_row(
        &mut self,
        filter: &mut Option<FilterRun>,
        batch: Option<usize>,
        taken: &mut Vec<Cell>,
    ) {
        let Some(row) = self.next_row().cloned() else { return };
        self.view_row(&row);
        while let Some(stored) = self.peek().cloned() {
            // HBase asks the filter at the first cell after the row too, before it forgets the row.
            if filter.as_ref().is_some_and(FilterRun::all_remaining) {
                self.row = self.rows.len();
                return;
            }
            if stored.cell.row != row {
                return;
            }
            self.cells_seen += 1;
            self.bytes_seen += stored.cell.size_bytes();
            let (is_taken, go) = self.judge(&stored, filter);
            self.go(&stored.cell, go);
            if !is_taken {
                continue;
            }
            let cell = match filter {
                Some(filter) => filter.transform(stored.cell),
                None => stored.cell,
            };
            self.passed += 1;
            if self.passed <= self.rules.offset {
                continue;
            }
            taken.push(cell);
            if self.has_reached_limit() {
                return self.leave_row(&row);
            }
            if batch.is_some_and(|batch| taken.len() >= batch) {
                return;
            }
        }
    }

    /// The limit is looked at after a cell is taken: a limit of none lets one through.
    fn has_reached_limit(&self) -> bool {
        self.rules.limit.is_some_and(|limit| self.passed >= limit.saturating_add(self.rules.offset))
    }

    /// Goes past the rows before `row`, as far as they have not been read.
    pub(super) fn skip_to(&mut self, row: &Bytes) {
        while self.next_row().is_some_and(|next| if self.reversed { next > row } else { next < row }) {
            self.go_to_row(self.row + 1);
        }
    }

    /// Goes past `row` if it is there, unread.
    pub(super) fn leave_row(&mut self, row: &Bytes) {
        if self.is_at(row) {
            self.go_to_row(self.row + 1);
        }
    }

    /// What becomes of a cell, by the rules and then by the filter, and where to go on.
    fn judge(&mut self, stored: &StoredCell, filter: &mut Option<FilterRun>) -> (bool, Move) {
        let cell = &stored.cell;
        let next = match self.view.look_at(stored, &self.rules) {
            Verdict::Invisible(next) => return (false, Move::On(next)),
            Verdict::Visible(next) => next,
        };
        let Some(filter) = filter else { return (true, Move::On(next)) };
        let next = match filter.cell(cell) {
            ReturnCode::Skip => return (false, Move::On(next)),
            ReturnCode::NextColumn => {
                return (false, Move::On(next.max(self.view.leave_column(cell, &self.rules))));
            }
            ReturnCode::NextRow => return (false, Move::On(Next::Row)),
            ReturnCode::SeekHint => return (false, Move::To(filter.next_hint(cell))),
            ReturnCode::Include => next,
            ReturnCode::IncludeAndNextColumn => next.max(Next::Column),
            ReturnCode::IncludeAndNextRow => Next::Row,
        };
        let is_taken = self.view.take_version(cell, &self.rules);
        let next = if is_taken { next } else { next.max(Next::Column) };
        if next == Next::Column {
            self.view.leave_column(cell, &self.rules);
        }
        (is_taken, Move::On(next))
    }

    fn go(&mut self, from: &Cell, go: Move) {
        match go {
            Move::On(Next::Cell) => self.step(),
            // Family markers may stand among the cells of the column without a name: HBase never jumps out of it.
            Move::On(Next::Column) if from.qualifier.is_empty() => self.step(),
            Move::On(Next::Column) => {
                while self.peek().is_some_and(|stored| {
                    stored.cell.row == from.row && stored.cell.qualifier == from.qualifier
                }) {
                    self.step();
                }
            }
            Move::On(Next::Row) => self.leave_row(&from.row),
            Move::To(Some(hint)) if self.leads_on(&hint, from) => self.seek(&hint),
            Move::To(_) => self.step(),
        }
    }

    /// Whether a hint leads in the direction of reading.
    fn leads_on(&self, hint: &Hint, from: &Cell) -> bool {
        if self.reversed { hint.row < from.row } else { hint.cmp_cell(from).is_gt() }
    }

    /// Goes to the first cell that is not before the hint. No cell on the way is looked at: not even a marker.
    fn seek(&mut self, hint: &Hint) {
        self.skip_to(&hint.row);
        while self.is_at(&hint.row) && self.peek().is_some_and(|stored| hint.cmp_cell(&stored.cell).is_gt()) {
            self.step();
        }
    }

    fn peek(&self) -> Option<&StoredCell> {
        self.rows.get(self.row)?.get(self.cell)
    }

    fn step(&mut self) {
        self.cell += 1;
        if self.peek().is_none() {
            self.go_to_row(self.row + 1);
        }
    }

    fn go_to_row(&mut self, row: usize) {
        self.row = row;
        self.cell = 0;
    }

    fn view_row(&mut self, row: &Bytes) {
        if self.viewed.as_ref() != Some(row) {
            self.viewed = Some(row.clone());
            self.view = RowView::default();
            self.passed = 0;
        }
    }
}
