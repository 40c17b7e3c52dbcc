//! What a flush or a compaction keeps of the cells it works on.

use bytes::Bytes;
use tablesmith_model::{Cell, FamilyDescriptor, KeepDeletedCells, Timestamp};

use super::markers::{Hidden, Markers};
use super::stored::{Run, StoredCell};
use super::visible::unexpired_from;

/// Whether markers have done their work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// A flush, or a compaction of some files: older cells may lie elsewhere, so markers stay.
    Some,
    /// A compaction of all files: markers go with what they hide.
    All,
}

/// The cells of a run that stay.
pub(super) fn purge(run: &Run, family: &FamilyDescriptor, scope: Scope, now_ms: Timestamp) -> Run {
    let rules = Rules {
        family,
        scope,
        now_ms,
        unexpired_from: unexpired_from(family, now_ms),
        oldest_put: run.oldest_put().unwrap_or(Timestamp::MAX),
    };
    run.rows().iter().flat_map(|row| purge_row(row, &rules)).collect()
}

struct Rules<'a> {
    family: &'a FamilyDescriptor,
    scope: Scope,
    now_ms: Timestamp,
    unexpired_from: Timestamp,
    /// The oldest value in all the files.
    oldest_put: Timestamp,
}

/// What becomes of a cell.
enum Fate {
    Stays,
    Goes,
    /// It goes, and so does all that follows in its column: older values, and also markers.
    GoesWithRestOfColumn,
}

fn purge_row(row: &[StoredCell], rules: &Rules<'_>) -> Vec<StoredCell> {
    let mut kept = Vec::new();
    let mut state = RowState::default();
    let mut lost_column: Option<&Bytes> = None;
    for stored in row {
        let qualifier = &stored.cell.qualifier;
        if lost_column == Some(qualifier) {
            continue;
        }
        match state.fate(stored, rules) {
            Fate::Stays => kept.push(stored.clone()),
            Fate::Goes => {}
            // The column without a name also has the family markers: its cells are always looked at one by one.
            Fate::GoesWithRestOfColumn => lost_column = Some(qualifier).filter(|name| !name.is_empty()),
        }
    }
    kept
}

/// What is known of a row from the cells before.
#[derive(Default)]
struct RowState {
    markers: Markers,
    column: Option<Bytes>,
    versions: u32,
}

impl RowState {
    fn fate(&mut self, stored: &StoredCell, rules: &Rules<'_>) -> Fate {
        let cell = &stored.cell;
        if rules.family.min_versions == 0 && rules.is_expired(cell) {
            return Fate::GoesWithRestOfColumn;
        }
        if stored.has_outlived_itself(rules.now_ms) {
            return Fate::Goes;
        }
        if cell.kind.is_marker() {
            return self.fate_of_marker(cell, rules);
        }
        match self.markers.hide(cell) {
            Some(Hidden::Version) => Fate::Goes,
            Some(Hidden::VersionAndOlder) => Fate::GoesWithRestOfColumn,
            None => self.fate_by_version(cell, rules),
        }
    }

    fn fate_of_marker(&mut self, marker: &Cell, rules: &Rules<'_>) -> Fate {
        let keeps_what_it_hides = rules.keeps_what_is_hidden_by(marker);
        if !keeps_what_it_hides {
            self.markers.add(marker);
        }
        match rules.scope {
            Scope::Some => Fate::Stays,
            Scope::All if !keeps_what_it_hides => Fate::Goes,
            Scope::All if marker.timestamp < rules.oldest_put => Fate::GoesWithRestOfColumn,
            Scope::All => self.fate_by_version(marker, rules),
        }
    }

    /// Values count as versions, markers go along with those before them.
    fn fate_by_version(&mut self, cell: &Cell, rules: &Rules<'_>) -> Fate {
        if self.column.as_ref() != Some(&cell.qualifier) {
            self.column = Some(cell.qualifier.clone());
            self.versions = 0;
        }
        self.versions += u32::from(!cell.kind.is_marker());
        let outlasts_ttl = !rules.is_expired(cell) || self.versions <= rules.family.min_versions;
        if self.versions <= rules.family.versions && outlasts_ttl {
            Fate::Stays
        } else {
            Fate::GoesWithRestOfColumn
        }
    }
}

impl Rules<'_> {
    fn is_expired(&self, cell: &Cell) -> bool {
        cell.timestamp < self.unexpired_from
    }

    fn keeps_what_is_hidden_by(&self, marker: &Cell) -> bool {
        match self.family.keep_deleted_cells {
            KeepDeletedCells::False => false,
            KeepDeletedCells::True => true,
            KeepDeletedCells::Ttl => !self.is_expired(marker),
        }
    }
}
