//! Which markers have been passed in a row of a family, and what they hide.
//!
//! Cells arrive in cell order, so a marker is always seen before what it hides.

use std::collections::BTreeSet;

use tablesmith_model::{CellType, Timestamp};

use super::Seen;

/// How a cell is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hidden {
    No,
    /// With everything older in its column: the reader can go on to the next column.
    RestOfColumn,
    /// Only this version.
    Version,
}

#[derive(Debug, Default)]
pub(super) struct Deletes {
    /// Everything up to this time is hidden.
    family_until: Option<Timestamp>,
    /// Versions of all columns that are hidden.
    family_versions: BTreeSet<Timestamp>,
    /// The last column or version marker that counts.
    column: Option<(Vec<u8>, CellType, Timestamp)>,
}

impl Deletes {
    /// For the next row.
    pub fn reset(&mut self) {
        self.family_until = None;
        self.family_versions.clear();
        self.column = None;
    }

    pub fn is_empty(&self) -> bool {
        self.family_until.is_none() && self.family_versions.is_empty() && self.column.is_none()
    }

    /// Takes note of a marker.
    pub fn add(&mut self, marker: Seen<'_>) {
        if self.family_until.is_some_and(|until| marker.timestamp <= until) {
            return;
        }
        match marker.kind {
            CellType::DeleteFamily => self.family_until = Some(marker.timestamp),
            CellType::DeleteFamilyVersion => {
                self.family_versions.insert(marker.timestamp);
            }
            kind => {
                let more_general_one_stands = self
                    .column
                    .as_ref()
                    .is_some_and(|(column, have, _)| kind < *have && *column == marker.qualifier);
                if !more_general_one_stands {
                    self.column = Some((marker.qualifier.to_vec(), kind, marker.timestamp));
                }
            }
        }
    }

    /// Whether a put is hidden.
    pub fn hides(&mut self, cell: Seen<'_>) -> Hidden {
        if self.family_until.is_some_and(|until| cell.timestamp <= until) {
            return Hidden::RestOfColumn;
        }
        if self.family_versions.contains(&cell.timestamp) {
            return Hidden::Version;
        }
        match &self.column {
            Some((column, kind, timestamp)) if *column == cell.qualifier => {
                if *kind == CellType::DeleteColumn {
                    return Hidden::RestOfColumn;
                }
                if *timestamp == cell.timestamp {
                    return Hidden::Version;
                }
                self.column = None;
            }
            Some(_) => self.column = None,
            None => {}
        }
        Hidden::No
    }
}
