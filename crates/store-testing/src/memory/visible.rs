//! What a read sees of one family of one row: the rules, applied to one cell after the other.

use std::collections::BTreeSet;

use bytes::Bytes;
use tablesmith_model::{Cell, FamilyDescriptor, KeepDeletedCells, TimeRange, Timestamp};
use tablesmith_store::ReadOptions;

use super::markers::{Hidden, Markers};
use super::stored::StoredCell;

/// What a read of one family goes by: a part is the family's, a part the reader's.
#[derive(Clone, Debug)]
pub(super) struct ReadRules {
    /// Show markers and what they hide.
    raw: bool,
    /// The columns wanted; none named means all.
    columns: BTreeSet<Bytes>,
    pub(super) time_range: TimeRange,
    now_ms: Timestamp,
    /// Cells before this are expired.
    unexpired_from: Timestamp,
    /// So many versions outlast the TTL.
    min_versions: u32,
    /// Markers newer than the time range do not hide what is in it.
    sees_past_markers: bool,
    /// Versions that a filter gets to see.
    versions: u32,
    /// Versions that may come through the filter.
    versions_after_filter: u32,
    /// At most so many cells of a row.
    pub(super) limit: Option<u32>,
    /// After leaving out so many.
    pub(super) offset: u32,
}

impl ReadRules {
    /// The rules for reading a family at a time.
    pub(super) fn new(family: &FamilyDescriptor, read: &ReadOptions, raw: bool, now_ms: Timestamp) -> Self {
        let asked_for = if raw { read.versions } else { read.versions.min(family.versions) };
        let versions = match (read.filter.is_some(), raw) {
            (false, _) => asked_for,
            (true, false) => family.versions,
            (true, true) => u32::MAX,
        };
        Self {
            raw,
            columns: read.columns.of_family(&family.name).cloned().unwrap_or_default(),
            time_range: read.time_range_of(&family.name),
            now_ms,
            unexpired_from: if raw { 0 } else { unexpired_from(family, now_ms) },
            min_versions: family.min_versions,
            sees_past_markers: family.keep_deleted_cells != KeepDeletedCells::False,
            versions,
            versions_after_filter: asked_for,
            limit: read.max_results_per_family,
            offset: read.row_offset_per_family,
        }
    }

    /// From when on a run of cells must have one to be looked at; see [`super::stored::Run::may_matter`].
    pub(super) fn run_unexpired_from(&self) -> Timestamp {
        if self.min_versions == 0 { self.unexpired_from } else { Timestamp::MIN }
    }

    fn is_expired(&self, cell: &Cell) -> bool {
        cell.timestamp < self.unexpired_from
    }
}

/// The first timestamp that a family's TTL has not ended.
pub(super) fn unexpired_from(family: &FamilyDescriptor, now_ms: Timestamp) -> Timestamp {
    family.ttl_ms().map_or(Timestamp::MIN, |ttl_ms| now_ms.saturating_sub(ttl_ms))
}

/// Where a reader goes on after a cell. A later variant goes further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Next {
    /// At the next cell.
    Cell,
    /// After this column.
    Column,
    /// At the next row.
    Row,
}

/// What the rules say of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The reader does not see it.
    Invisible(Next),
    /// The reader sees it, as far as the filter agrees.
    Visible(Next),
}

/// Looks at the cells of one family of one row, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct RowView {
    markers: Markers,
    /// The column whose versions are counted.
    column: Option<Bytes>,
    versions: u32,
    versions_taken: u32,
    /// Of the columns named by the reader, those up to here are done with.
    done_up_to: Option<Bytes>,
}

impl RowView {
    /// What becomes of the next cell, before the filter is asked.
    pub(super) fn look_at(&mut self, stored: &StoredCell, rules: &ReadRules) -> Verdict {
        let cell = &stored.cell;
        if !self.wants_more(rules) {
            return Verdict::Invisible(Next::Row);
        }
        if rules.min_versions == 0 && rules.is_expired(cell) {
            return Verdict::Invisible(self.leave_column(cell, rules));
        }
        if stored.has_outlived_itself(rules.now_ms) {
            return Verdict::Invisible(Next::Cell);
        }
        if !rules.raw {
            if cell.kind.is_marker() {
                if counts_for(cell, rules) {
                    self.markers.add(cell);
                }
                return Verdict::Invisible(Next::Cell);
            }
            match self.markers.hide(cell) {
                Some(Hidden::Version) => return Verdict::Invisible(Next::Cell),
                Some(Hidden::VersionAndOlder) => {
                    return Verdict::Invisible(self.leave_column(cell, rules));
                }
                None => {}
            }
        }
        if rules.time_range.is_after(cell.timestamp) {
            return Verdict::Invisible(Next::Cell);
        }
        if cell.timestamp < rules.time_range.from_ms() {
            return Verdict::Invisible(self.leave_column(cell, rules));
        }
        self.count_version(cell, rules)
    }

    /// Counts the versions that the family keeps (or, without a filter, those that the reader wants).
    fn count_version(&mut self, cell: &Cell, rules: &ReadRules) -> Verdict {
        self.enter_column(cell);
        if rules.columns.is_empty() {
            self.versions += u32::from(!cell.kind.is_marker());
            let outlasts_ttl = !rules.is_expired(cell) || self.versions <= rules.min_versions;
            if self.versions <= rules.versions && outlasts_ttl {
                Verdict::Visible(Next::Cell)
            } else {
                Verdict::Invisible(Next::Column)
            }
        } else if self.wants(cell, rules) {
            self.versions += 1;
            // Where columns are named HBase notices the end of the TTL one version later than elsewhere.
            let is_last_by_ttl = rules.is_expired(cell) && self.versions >= rules.min_versions;
            if self.versions >= rules.versions || is_last_by_ttl {
                Verdict::Visible(self.leave_column(cell, rules))
            } else {
                Verdict::Visible(Next::Cell)
            }
        } else if rules.columns.iter().any(|column| column > &cell.qualifier && self.is_open(column)) {
            Verdict::Invisible(Next::Cell)
        } else {
            Verdict::Invisible(Next::Row)
        }
    }

    /// Counts a version that came through the filter. `false`: the reader does not want so many.
    pub(super) fn take_version(&mut self, cell: &Cell, rules: &ReadRules) -> bool {
        self.enter_column(cell);
        self.versions_taken += 1;
        self.versions_taken <= rules.versions_after_filter
    }

    /// Is done with the column of this cell.
    pub(super) fn leave_column(&mut self, cell: &Cell, rules: &ReadRules) -> Next {
        self.done_up_to = self.done_up_to.take().max(Some(cell.qualifier.clone()));
        if self.wants_more(rules) { Next::Column } else { Next::Row }
    }

    fn enter_column(&mut self, cell: &Cell) {
        if self.column.as_ref() != Some(&cell.qualifier) {
            self.column = Some(cell.qualifier.clone());
            self.versions = 0;
            self.versions_taken = 0;
        }
    }

    fn wants(&self, cell: &Cell, rules: &ReadRules) -> bool {
        rules.columns.contains(&cell.qualifier) && self.is_open(&cell.qualifier)
    }

    fn wants_more(&self, rules: &ReadRules) -> bool {
        rules.columns.is_empty() || rules.columns.iter().any(|column| self.is_open(column))
    }

    fn is_open(&self, column: &Bytes) -> bool {
        self.done_up_to.as_ref().is_none_or(|done| column > done)
    }
}

/// Whether a marker hides anything from a reader of this time range.
fn counts_for(marker: &Cell, rules: &ReadRules) -> bool {
    let is_newer = rules.time_range.is_after(marker.timestamp);
    marker.timestamp >= rules.time_range.from_ms() && !(is_newer && rules.sees_past_markers)
}
