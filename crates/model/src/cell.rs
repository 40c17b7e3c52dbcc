//! A cell, and the order in which cells stand in a table.

use std::cmp::Ordering;

use bytes::Bytes;

pub use hbase_types::{CellType, LATEST_TIMESTAMP, Timestamp};

/// One cell of one row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The row's key.
    pub row: Bytes,
    /// The column family.
    pub family: Bytes,
    /// The column's name inside the family; may be empty.
    pub qualifier: Bytes,
    /// The version.
    pub timestamp: Timestamp,
    /// Value or marker.
    pub kind: CellType,
    /// The value; empty for markers.
    pub value: Bytes,
}

impl Cell {
    /// A value cell.
    pub fn put(
        row: impl Into<Bytes>,
        family: impl Into<Bytes>,
        qualifier: impl Into<Bytes>,
        timestamp: Timestamp,
        value: impl Into<Bytes>,
    ) -> Self {
        Self {
            row: row.into(),
            family: family.into(),
            qualifier: qualifier.into(),
            timestamp,
            kind: CellType::Put,
            value: value.into(),
        }
    }

    /// Row, family, qualifier, then newest first, then the more general kind first.
    pub fn key_cmp(&self, other: &Self) -> Ordering {
        self.row
            .cmp(&other.row)
            .then_with(|| self.family.cmp(&other.family))
            .then_with(|| self.qualifier.cmp(&other.qualifier))
            .then_with(|| other.timestamp.cmp(&self.timestamp))
            .then_with(|| other.kind.cmp(&self.kind))
    }

    /// Bytes of data this cell carries: row, family, qualifier, timestamp and kind, value.
    pub fn size_bytes(&self) -> u64 {
        const TIMESTAMP_AND_KIND_BYTES: usize = 9;
        (self.row.len()
            + self.family.len()
            + self.qualifier.len()
            + TIMESTAMP_AND_KIND_BYTES
            + self.value.len()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_come_before_the_put_of_the_same_timestamp() {
        let put = Cell::put("r", "f", "q", 5, "v");
        let delete = Cell { kind: CellType::Delete, value: Bytes::new(), ..put.clone() };
        let column = Cell { kind: CellType::DeleteColumn, value: Bytes::new(), ..put.clone() };
        let newer = Cell::put("r", "f", "q", 6, "v");
        let mut cells = [put.clone(), delete.clone(), newer.clone(), column.clone()];
        cells.sort_by(Cell::key_cmp);
        assert_eq!(cells, [newer, column, delete, put]);
    }
}
