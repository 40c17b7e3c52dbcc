//! The decider of flushes and compactions: which cells stay.

use bytes::Bytes;
use tablesmith_model::{FamilyDescriptor, KeepDeletedCells, Timestamp};

use super::columns::{Columns, Keep};
use super::deletes::{Deletes, Hidden};
use super::read::oldest_unexpired;
use super::{Seen, Step};

/// What happens to markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PurgeMode {
    /// They stay: a file that is not part of this may hold what they hide.
    KeepMarkers,
    /// They go with what they hide; those that must stay are not older than the oldest put.
    DropMarkers {
        /// The oldest put among the cells looked at.
        earliest_put: Timestamp,
    },
}

/// Decides for one family. Cells arrive in cell order.
#[derive(Debug)]
pub(crate) struct PurgeMatcher {
    mode: PurgeMode,
    row: Option<Bytes>,
    /// Everything older in this column goes, markers included: the reader has been told to leave it.
    left_column: Option<Vec<u8>>,
    columns: Columns,
    deletes: Deletes,
    keep_deleted: KeepDeletedCells,
    oldest_unexpired: Timestamp,
    now_ms: Timestamp,
}

impl PurgeMatcher {
    pub fn new(family: &FamilyDescriptor, mode: PurgeMode, now_ms: Timestamp) -> Self {
        let oldest_unexpired = oldest_unexpired(family, now_ms);
        let keep =
            Keep { max_versions: family.versions, min_versions: family.min_versions, oldest_unexpired };
        Self {
            mode,
            row: None,
            left_column: None,
            columns: Columns::all(keep),
            deletes: Deletes::default(),
            keep_deleted: family.keep_deleted_cells,
            oldest_unexpired,
            now_ms,
        }
    }

    /// Whether a cell stays.
    pub fn keeps(&mut self, row: &Bytes, cell: Seen<'_>) -> bool {
        if self.row.as_ref() != Some(row) {
            self.row = Some(row.clone());
            self.left_column = None;
            self.columns.reset();
            self.deletes.reset();
        }
        if self.left_column.as_deref() == Some(cell.qualifier) {
            return false;
        }
        let step = self.step(cell);
        // Family markers stand among the cells of the empty column, so that one is never left early.
        if step == Step::NextColumn && !cell.qualifier.is_empty() {
            self.left_column = Some(cell.qualifier.to_vec());
        }
        step == Step::Include
    }

    fn step(&mut self, cell: Seen<'_>) -> Step {
        if self.columns.keep().is_past(cell.timestamp) {
            return Step::NextColumn;
        }
        if cell.is_ttl_over(self.now_ms) {
            self.columns.pass_over(cell);
            return Step::Skip;
        }
        if cell.kind.is_marker() {
            if let Some(step) = self.marker_step(cell) {
                return step;
            }
        } else if !self.deletes.is_empty() {
            match self.deletes.hides(cell) {
                Hidden::RestOfColumn => return Step::NextColumn,
                Hidden::Version => return Step::Skip,
                Hidden::No => {}
            }
        }
        self.columns.check_versions(cell)
    }

    /// What happens to a marker; `None` when its version decides.
    fn marker_step(&mut self, marker: Seen<'_>) -> Option<Step> {
        let alive = marker.timestamp >= self.oldest_unexpired;
        let hides_for_good = match self.keep_deleted {
            KeepDeletedCells::False => true,
            KeepDeletedCells::True => false,
            KeepDeletedCells::Ttl => !alive,
        };
        if hides_for_good {
            self.deletes.add(marker);
        }
        match self.mode {
            PurgeMode::KeepMarkers => Some(Step::Include),
            PurgeMode::DropMarkers { .. } if hides_for_good => Some(Step::Skip),
            PurgeMode::DropMarkers { earliest_put } if marker.timestamp < earliest_put => {
                Some(Step::NextColumn)
            }
            PurgeMode::DropMarkers { .. } => None,
        }
    }
}
