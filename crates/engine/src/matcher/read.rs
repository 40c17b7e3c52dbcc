//! The decider of gets and scans.

use bytes::Bytes;
use tablesmith_model::{Cell, FamilyDescriptor, KeepDeletedCells, TimeRange, Timestamp};
use tablesmith_store::filter::eval::{FilterRun, ReturnCode};
use tablesmith_store::{ReadOptions, StoreError};

use super::columns::{Columns, Keep};
use super::deletes::{Deletes, Hidden};
use super::{Seen, Step};
use crate::stored::is_same_row;

/// Decides for one family of one scan.
#[derive(Debug)]
pub(crate) struct ReadMatcher {
    row: Option<Bytes>,
    columns: Columns,
    deletes: Deletes,
    raw: bool,
    /// KEEP_DELETED_CELLS: markers newer than the time range hide nothing in it.
    sees_past_markers: bool,
    time_range: TimeRange,
    now_ms: Timestamp,
    /// Versions of a column that the read wants, counted after the filter.
    versions_after_filter: u32,
    filtered_column: Option<Vec<u8>>,
    filtered_count: u32,
}

impl ReadMatcher {
    /// A matcher for `family`, or why the read makes no sense there.
    pub fn new(
        family: &FamilyDescriptor,
        read: &ReadOptions,
        raw: bool,
        now_ms: Timestamp,
    ) -> Result<Self, StoreError> {
        let wanted = read.columns.of_family(&family.name).filter(|wanted| !wanted.is_empty());
        if raw && wanted.is_some() {
            return Err(StoreError::DoNotRetry("a raw scan takes families, not single columns".to_owned()));
        }
        let kept_versions = if raw { u32::MAX } else { family.versions };
        let versions_after_filter = read.versions.min(kept_versions);
        let keep = Keep {
            max_versions: if read.filter.is_some() { kept_versions } else { versions_after_filter },
            min_versions: family.min_versions,
            oldest_unexpired: if raw { 0 } else { oldest_unexpired(family, now_ms) },
        };
        let columns = match wanted {
            Some(wanted) => Columns::named(keep, wanted.iter().cloned()),
            None => Columns::all(keep),
        };
        Ok(Self {
            row: None,
            columns,
            deletes: Deletes::default(),
            raw,
            sees_past_markers: family.keep_deleted_cells != KeepDeletedCells::False,
            time_range: read.time_range_of(&family.name),
            now_ms,
            versions_after_filter,
            filtered_column: None,
            filtered_count: 0,
        })
    }

    /// Whether a row is begun and not yet left.
    pub fn in_row(&self) -> bool {
        self.row.is_some()
    }

    /// The row that is begun and not yet left.
    pub fn row(&self) -> Option<&Bytes> {
        self.row.as_ref()
    }

    /// Begins the row of `cell`.
    pub fn begin_row(&mut self, row: &Bytes) {
        self.row = Some(row.clone());
        self.columns.reset();
        self.deletes.reset();
        self.filtered_column = None;
    }

    /// Leaves the row.
    pub fn leave_row(&mut self) {
        self.row = None;
    }

    /// The next column that is wanted, where that is known.
    pub fn next_wanted(&self) -> Option<&Bytes> {
        self.columns.next_wanted()
    }

    /// What to do with a cell.
    ///
    /// The filter comes with the cell as it would be handed out.
    #[inline]
    pub fn step(&mut self, row: &Bytes, cell: Seen<'_>, filter: Option<(&mut FilterRun, &Cell)>) -> Step {
        if filter.as_ref().is_some_and(|(filter, _)| filter.all_remaining()) {
            return Step::ScanDone;
        }
        if !self.row.as_ref().is_some_and(|present| is_same_row(present, row)) {
            return Step::RowDone;
        }
        if self.columns.is_done() {
            return Step::NextRow;
        }
        if self.columns.keep().is_past(cell.timestamp) {
            return self.columns.leave_column(cell);
        }
        if cell.is_ttl_over(self.now_ms) {
            self.columns.pass_over(cell);
            return Step::Skip;
        }
        if !self.raw {
            if cell.kind.is_marker() {
                self.note_marker(cell);
                return Step::Skip;
            }
            if !self.deletes.is_empty() {
                match self.deletes.hides(cell) {
                    Hidden::RestOfColumn => return self.columns.leave_column(cell),
                    Hidden::Version => return Step::Skip,
                    Hidden::No => {}
                }
            }
        }
        self.match_column(cell, filter)
    }

    fn note_marker(&mut self, marker: Seen<'_>) {
        let counts = if self.sees_past_markers {
            self.time_range.contains(marker.timestamp)
        } else {
            marker.timestamp >= self.time_range.from_ms()
        };
        if counts {
            self.deletes.add(marker);
        }
    }

    fn match_column(&mut self, cell: Seen<'_>, filter: Option<(&mut FilterRun, &Cell)>) -> Step {
        if self.time_range.is_after(cell.timestamp) {
            return Step::Skip;
        }
        if !self.time_range.contains(cell.timestamp) {
            return self.columns.leave_column(cell);
        }
        match self.columns.check_column(cell) {
            Step::Include => {}
            elsewhere => return elsewhere,
        }
        let step = self.columns.check_versions(cell);
        match (step, filter) {
            (Step::Skip | Step::NextColumn, _) | (_, None) => step,
            (step, Some((filter, whole))) => self.merge(cell, step, filter.cell(whole)),
        }
    }

    /// Brings together what the columns and what the filter say of a cell that both know.
    fn merge(&mut self, cell: Seen<'_>, step: Step, filtered: ReturnCode) -> Step {
        let step = match (filtered, step) {
            (ReturnCode::Skip, Step::IncludeAndNextColumn) => return Step::NextColumn,
            (ReturnCode::Skip | ReturnCode::NextColumn, Step::IncludeAndNextRow) => return Step::NextRow,
            (ReturnCode::Skip, _) => return Step::Skip,
            (ReturnCode::NextColumn, _) => return self.columns.leave_column(cell),
            (ReturnCode::NextRow, _) => return Step::NextRow,
            (ReturnCode::SeekHint, _) => return Step::Hint,
            (ReturnCode::Include, step) => step,
            (ReturnCode::IncludeAndNextColumn, Step::Include) => Step::IncludeAndNextColumn,
            (ReturnCode::IncludeAndNextColumn, step) => step,
            (ReturnCode::IncludeAndNextRow, _) => Step::IncludeAndNextRow,
        };
        if self.filtered_column.as_deref() != Some(cell.qualifier) {
            self.filtered_column = Some(cell.qualifier.to_vec());
            self.filtered_count = 0;
        }
        self.filtered_count += 1;
        let step = if self.filtered_count <= self.versions_after_filter {
            step
        } else if step == Step::IncludeAndNextRow {
            Step::NextRow
        } else {
            Step::NextColumn
        };
        if matches!(step, Step::IncludeAndNextColumn | Step::NextColumn) {
            self.columns.done_with_column(cell);
        }
        step
    }
}

/// The oldest timestamp that a family's TTL leaves alive.
pub(super) fn oldest_unexpired(family: &FamilyDescriptor, now_ms: Timestamp) -> Timestamp {
    family.ttl_ms().map_or(Timestamp::MIN, |ttl_ms| now_ms.saturating_sub(ttl_ms))
}
