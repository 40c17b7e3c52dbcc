//! What a delete marker hides.

use tablesmith_model::{Cell, CellType};

/// The markers of one row and family that a reader has come across. A marker always comes before what it hides.
#[derive(Clone, Debug, Default)]
pub(super) struct Markers(Vec<Cell>);

/// How much a marker hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hidden {
    /// This version of the column.
    Version,
    /// This version of the column and all older ones.
    VersionAndOlder,
}

impl Markers {
    /// Remembers a marker.
    pub(super) fn add(&mut self, marker: &Cell) {
        self.0.push(marker.clone());
    }

    /// Whether a value is hidden. The order of the questions matters to purges: they leave the column after a value
    /// that is hidden with all older ones, and so lose the markers that follow there.
    pub(super) fn hide(&self, value: &Cell) -> Option<Hidden> {
        let of_column = |marker: &Cell| marker.qualifier == value.qualifier;
        let has = |kind: CellType, fits: &dyn Fn(&Cell) -> bool| {
            self.0.iter().any(|marker| marker.kind == kind && fits(marker))
        };
        if has(CellType::DeleteFamily, &|marker| marker.timestamp >= value.timestamp) {
            Some(Hidden::VersionAndOlder)
        } else if has(CellType::DeleteFamilyVersion, &|marker| marker.timestamp == value.timestamp) {
            Some(Hidden::Version)
        } else if has(CellType::DeleteColumn, &|marker| {
            of_column(marker) && marker.timestamp >= value.timestamp
        }) {
            Some(Hidden::VersionAndOlder)
        } else if has(CellType::Delete, &|marker| of_column(marker) && marker.timestamp == value.timestamp) {
            Some(Hidden::Version)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::Timestamp;

    fn cell(qualifier: &'static str, timestamp: Timestamp, kind: CellType) -> Cell {
        Cell { kind, ..Cell::put("r", "f", qualifier, timestamp, "") }
    }

    fn hides(marker: &Cell, qualifier: &'static str, timestamp: Timestamp) -> Option<Hidden> {
        let mut markers = Markers::default();
        markers.add(marker);
        markers.hide(&cell(qualifier, timestamp, CellType::Put))
    }

    #[test]
    fn a_version_marker_hides_one_version_of_one_column() {
        let marker = cell("q", 5, CellType::Delete);
        assert_eq!(hides(&marker, "q", 5), Some(Hidden::Version));
        assert_eq!((hides(&marker, "q", 4), hides(&marker, "p", 5)), (None, None));
    }

    #[test]
    fn a_column_marker_hides_up_to_its_time() {
        let marker = cell("q", 5, CellType::DeleteColumn);
        assert_eq!(hides(&marker, "q", 5), Some(Hidden::VersionAndOlder));
        assert_eq!(hides(&marker, "q", 1), Some(Hidden::VersionAndOlder));
        assert_eq!((hides(&marker, "q", 6), hides(&marker, "p", 1)), (None, None));
    }

    #[test]
    fn family_markers_hide_in_every_column() {
        let upto = cell("", 5, CellType::DeleteFamily);
        assert_eq!(hides(&upto, "q", 5), Some(Hidden::VersionAndOlder));
        assert_eq!(hides(&upto, "q", 6), None);
        let exact = cell("", 5, CellType::DeleteFamilyVersion);
        assert_eq!(hides(&exact, "q", 5), Some(Hidden::Version));
        assert_eq!(hides(&exact, "q", 4), None);
    }
}
