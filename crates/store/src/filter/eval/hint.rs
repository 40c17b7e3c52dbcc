//! A place in the key order to which a filter lets the reader jump.

use std::cmp::Ordering;

use bytes::Bytes;
use tablesmith_model::{Cell, Timestamp};

/// The place just before all cells of this row, family, qualifier and timestamp, whatever their kind.
///
/// An empty family stands before all families of the row, an empty qualifier before all columns of the family, the
/// greatest timestamp before all versions of the column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The row.
    pub row: Bytes,
    /// The family; empty: before all of them.
    pub family: Bytes,
    /// The column; empty: before all of them.
    pub qualifier: Bytes,
    /// The version; `i64::MAX`: before all of them, `i64::MIN`: after all of them.
    pub timestamp: Timestamp,
}

impl Hint {
    /// The place before all cells of a row.
    pub fn row(row: impl Into<Bytes>) -> Self {
        Self { row: row.into(), family: Bytes::new(), qualifier: Bytes::new(), timestamp: Timestamp::MAX }
    }

    /// The place before all versions of a column in the row and family of `cell`.
    pub fn column_of(cell: &Cell, qualifier: Bytes) -> Self {
        Self { row: cell.row.clone(), family: cell.family.clone(), qualifier, timestamp: Timestamp::MAX }
    }

    /// `Less` when the place lies before the cell, also right before it (same row, column and timestamp); `Greater`
    /// when it lies after the cell.
    pub fn cmp_cell(&self, cell: &Cell) -> Ordering {
        self.row
            .cmp(&cell.row)
            .then_with(|| self.family.cmp(&cell.family))
            .then_with(|| self.qualifier.cmp(&cell.qualifier))
            .then_with(|| cell.timestamp.cmp(&self.timestamp))
            .then(Ordering::Less)
    }

    /// The order of two places.
    pub fn cmp_hint(&self, other: &Self) -> Ordering {
        self.row
            .cmp(&other.row)
            .then_with(|| self.family.cmp(&other.family))
            .then_with(|| self.qualifier.cmp(&other.qualifier))
            .then_with(|| other.timestamp.cmp(&self.timestamp))
    }
}

#[cfg(test)]
mod tests {
    use tablesmith_model::CellType;

    use super::*;

    #[test]
    fn a_hint_lies_before_all_kinds_of_its_own_key() {
        let cell = Cell::put("r", "f", "q", 5, "v");
        let marker = Cell { kind: CellType::DeleteFamily, ..cell.clone() };
        let at = Hint { timestamp: 5, ..Hint::column_of(&cell, "q".into()) };
        assert_eq!([at.cmp_cell(&cell), at.cmp_cell(&marker)], [Ordering::Less; 2]);
        let older = Hint { timestamp: 4, ..at.clone() };
        assert_eq!(older.cmp_cell(&cell), Ordering::Greater);
        assert_eq!(at.cmp_hint(&older), Ordering::Less);
    }

    #[test]
    fn a_row_hint_lies_before_all_families() {
        let cell = Cell::put("r", "a", "", 5, "v");
        assert_eq!(Hint::row("r").cmp_cell(&cell), Ordering::Less);
        assert_eq!(Hint::row("r2").cmp_cell(&cell), Ordering::Greater);
        let end = Hint { timestamp: Timestamp::MIN, ..Hint::column_of(&cell, Bytes::new()) };
        assert_eq!(end.cmp_cell(&Cell::put("r", "a", "", 0, "")), Ordering::Greater);
        assert_eq!(end.cmp_cell(&Cell::put("r", "a", "\0", 9, "")), Ordering::Less);
    }
}
