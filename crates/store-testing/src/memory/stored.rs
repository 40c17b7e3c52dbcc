//! Cells as they lie in a family, and sorted runs of them: the memstore is one, and so is each file.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use bytes::Bytes;
use tablesmith_model::{Cell, CellType, TimeRange, Timestamp};

/// A cell with the time that its writer gave it to live.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredCell {
    pub(super) cell: Cell,
    pub(super) ttl_ms: Option<i64>,
}

impl StoredCell {
    /// Whether the cell's own time is over.
    pub(super) fn has_outlived_itself(&self, now_ms: Timestamp) -> bool {
        // The sum wraps round as HBase's does, so that a cell from the far future with a TTL is over at once.
        self.ttl_ms.is_some_and(|ttl_ms| self.cell.timestamp.wrapping_add(ttl_ms) < now_ms)
    }
}

/// A place in a family. The order of places is the order of cells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    row: Bytes,
    qualifier: Bytes,
    timestamp: Reverse<Timestamp>,
    kind: Reverse<CellType>,
}

impl Place {
    fn of(cell: &Cell) -> Self {
        Self {
            row: cell.row.clone(),
            qualifier: cell.qualifier.clone(),
            timestamp: Reverse(cell.timestamp),
            kind: Reverse(cell.kind),
        }
    }
}

/// Cells of one family in order. In each place is what was written there last: older writes to the same place do not
/// count at all.
#[derive(Clone, Debug, Default)]
pub(super) struct Run(BTreeMap<Place, StoredCell>);

impl Run {
    /// Writes a cell.
    pub(super) fn insert(&mut self, stored: StoredCell) {
        self.0.insert(Place::of(&stored.cell), stored);
    }

    /// What lies in the place of a cell.
    pub(super) fn find(&self, cell: &Cell) -> Option<&StoredCell> {
        self.0.get(&Place::of(cell))
    }

    /// One run of several; the later ones of them are the newer ones.
    pub(super) fn merge<'a>(runs: impl IntoIterator<Item = &'a Self>) -> Self {
        runs.into_iter().flat_map(|run| run.cells().cloned()).collect()
    }

    /// The cells, in order.
    pub(super) fn cells(&self) -> impl Iterator<Item = &StoredCell> {
        self.0.values()
    }

    /// The cells, one list for each row.
    pub(super) fn rows(&self) -> Vec<Vec<StoredCell>> {
        let mut rows: Vec<Vec<StoredCell>> = Vec::new();
        for stored in self.cells() {
            match rows.last_mut() {
                Some(row) if row.first().is_some_and(|first| first.cell.row == stored.cell.row) => {
                    row.push(stored.clone());
                }
                _ => rows.push(vec![stored.clone()]),
            }
        }
        rows
    }

    /// The cells of those rows that are wanted.
    pub(super) fn of_rows(&self, is_wanted: impl Fn(&[u8]) -> bool) -> Self {
        self.cells().filter(|stored| is_wanted(&stored.cell.row)).cloned().collect()
    }

    /// Whether nothing is in it.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The bytes of its cells.
    pub(super) fn bytes(&self) -> u64 {
        self.cells().map(|stored| stored.cell.size_bytes()).sum()
    }

    /// The newest timestamp in it.
    pub(super) fn newest(&self) -> Option<Timestamp> {
        self.cells().map(|stored| stored.cell.timestamp).max()
    }

    /// The oldest timestamp of a value in it.
    pub(super) fn oldest_put(&self) -> Option<Timestamp> {
        self.cells().filter(|stored| !stored.cell.kind.is_marker()).map(|stored| stored.cell.timestamp).min()
    }

    /// Whether a read of this time has to look into the run at all. A run that it leaves out does not even show the
    /// keys of its rows to a filter.
    pub(super) fn may_matter(&self, time_range: TimeRange, unexpired_from: Timestamp) -> bool {
        // A marker that reaches back to the beginning makes the run as old as that.
        let reaches_back_to = |cell: &Cell| match cell.kind {
            CellType::DeleteColumn | CellType::DeleteFamily => 0,
            _ => cell.timestamp,
        };
        let oldest = self.cells().map(|stored| reaches_back_to(&stored.cell)).min();
        let (Some(oldest), Some(newest)) = (oldest, self.newest()) else { return false };
        !time_range.is_after(oldest) && newest >= time_range.from_ms() && newest >= unexpired_from
    }
}

impl FromIterator<StoredCell> for Run {
    fn from_iter<T: IntoIterator<Item = StoredCell>>(cells: T) -> Self {
        let mut run = Self::default();
        for stored in cells {
            run.insert(stored);
        }
        run
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(row: &'static str, timestamp: Timestamp, value: &'static str) -> StoredCell {
        StoredCell { cell: Cell::put(row, "f", "q", timestamp, value), ttl_ms: None }
    }

    #[test]
    fn the_last_write_to_a_place_is_the_one_that_counts() {
        let older: Run = [put("r", 5, "first"), put("r", 5, "second")].into_iter().collect();
        let newer: Run = [put("r", 5, "third")].into_iter().collect();
        let merged = Run::merge([&older, &newer]);
        let values: Vec<_> = merged.cells().map(|stored| stored.cell.value.clone()).collect();
        assert_eq!(values, ["third"]);
    }

    #[test]
    fn rows_are_lists_in_key_order() {
        let run: Run = [put("b", 1, "x"), put("a", 1, "x"), put("a", 2, "y")].into_iter().collect();
        let rows: Vec<Vec<_>> =
            run.rows().iter().map(|row| row.iter().map(|stored| stored.cell.timestamp).collect()).collect();
        assert_eq!(rows, [vec![2, 1], vec![1]]);
    }

    #[test]
    fn a_run_matters_when_its_time_meets_that_of_the_read() {
        let run: Run = [put("r", 10, "x"), put("r", 20, "y")].into_iter().collect();
        let meets = |from, until| run.may_matter(TimeRange::new(from, until).unwrap(), 0);
        assert!(meets(0, 11) && meets(20, 30) && meets(15, 16));
        assert!(!meets(0, 10) && !meets(21, 30));
        assert!(!run.may_matter(TimeRange::ALL, 21) && run.may_matter(TimeRange::ALL, 20));
        assert!(!Run::default().may_matter(TimeRange::ALL, 0));
    }

    #[test]
    fn a_marker_that_reaches_back_makes_its_run_matter_to_old_reads() {
        let mut marker = put("r", 20, "");
        marker.cell.kind = CellType::DeleteColumn;
        let run: Run = [marker.clone()].into_iter().collect();
        assert!(run.may_matter(TimeRange::new(0, 5).unwrap(), 0));
        marker.cell.kind = CellType::Delete;
        let run: Run = [marker].into_iter().collect();
        assert!(!run.may_matter(TimeRange::new(0, 5).unwrap(), 0));
    }

    #[test]
    fn a_cell_outlives_itself_one_millisecond_after_its_ttl() {
        let stored = StoredCell { ttl_ms: Some(10), ..put("r", 100, "v") };
        assert!(!stored.has_outlived_itself(110) && stored.has_outlived_itself(111));
    }
}
