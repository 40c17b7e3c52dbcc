//! A cell, its kind, and the order in which cells stand in a table.

use std::cmp::Ordering;

use bytes::Bytes;

/// Milliseconds since 1970, or any other number that grows with each version. Never negative.
pub type Timestamp = i64;

/// What a writer sends who leaves the timestamp to the store.
pub const LATEST_TIMESTAMP: Timestamp = i64::MAX;

/// A value, or a marker that hides values. The numbers are HBase's codes; at one timestamp the higher code comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum CellKind {
    /// A value.
    Put = 4,
    /// Hides the version of one column at exactly this timestamp.
    Delete = 8,
    /// Hides the versions of all columns of a family at exactly this timestamp.
    DeleteFamilyVersion = 10,
    /// Hides the versions of one column at this timestamp and before.
    DeleteColumn = 12,
    /// Hides the versions of all columns of a family at this timestamp and before.
    DeleteFamily = 14,
}

impl CellKind {
    /// The code that HBase writes for this kind.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The kind of a code, if there is one.
    pub fn from_code(code: u8) -> Option<Self> {
        match code {
            4 => Some(Self::Put),
            8 => Some(Self::Delete),
            10 => Some(Self::DeleteFamilyVersion),
            12 => Some(Self::DeleteColumn),
            14 => Some(Self::DeleteFamily),
            _ => None,
        }
    }

    /// Whether this is one of the four delete markers.
    pub fn is_marker(self) -> bool {
        self != Self::Put
    }

    /// The name HBase prints.
    pub fn name(self) -> &'static str {
        match self {
            Self::Put => "Put",
            Self::Delete => "Delete",
            Self::DeleteFamilyVersion => "DeleteFamilyVersion",
            Self::DeleteColumn => "DeleteColumn",
            Self::DeleteFamily => "DeleteFamily",
        }
    }
}

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
    pub kind: CellKind,
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
            kind: CellKind::Put,
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
        let delete = Cell { kind: CellKind::Delete, value: Bytes::new(), ..put.clone() };
        let column = Cell { kind: CellKind::DeleteColumn, value: Bytes::new(), ..put.clone() };
        let newer = Cell::put("r", "f", "q", 6, "v");
        let mut cells = [put.clone(), delete.clone(), newer.clone(), column.clone()];
        cells.sort_by(Cell::key_cmp);
        assert_eq!(cells, [newer, column, delete, put]);
    }

    #[test]
    fn codes_round_trip() {
        for code in 0..=255 {
            if let Some(kind) = CellKind::from_code(code) {
                assert_eq!(kind.code(), code);
            }
        }
        assert_eq!(CellKind::from_code(5), None);
    }
}
