//! The tables of experiments: how many families, how wide, how large.

use bytes::Bytes;
use tablesmith_model::cost::CELL_OVERHEAD_BYTES;
use tablesmith_model::{FamilyDescriptor, NameError, TableDescriptor, TableName};
use tablesmith_store::Put;

/// The namespace of the tables, which belongs to calibration alone.
pub const NAMESPACE: &str = "tablesmith_calibration";

/// Bytes of a row key: a letter and the row's number.
const KEY_BYTES: usize = 16;
/// Bytes of a family's name and of a column's.
const FAMILY_BYTES: usize = 1;
const QUALIFIER_BYTES: usize = 8;

/// A table in which all rows are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Its name, and what it is called in words.
    pub name: &'static str,
    pub families: usize,
    /// Cells of a row in each family.
    pub width: usize,
    pub value_bytes: usize,
    pub rows: u64,
    pub regions: u64,
    /// Whether it is filled before experiments begin; else they only write to it.
    pub is_filled: bool,
}

impl Shape {
    /// Bytes of a cell, as stored.
    pub fn cell_bytes(&self) -> f64 {
        (KEY_BYTES + FAMILY_BYTES + QUALIFIER_BYTES + self.value_bytes) as f64 + CELL_OVERHEAD_BYTES
    }

    /// The table's name in the store.
    pub fn table(&self) -> Result<TableName, NameError> {
        TableName::new(NAMESPACE, self.name)
    }

    /// The table's description. Its blocks are not to be cached: what is measured is reading them.
    pub fn descriptor(&self) -> Result<TableDescriptor, NameError> {
        let family =
            |index| FamilyDescriptor { block_cache: false, ..FamilyDescriptor::new(family_name(index)) };
        Ok(TableDescriptor::new(self.table()?, (0..self.families).map(family)))
    }

    /// Where the table is cut.
    pub fn splits(&self) -> Vec<Bytes> {
        (1..self.regions).map(|region| key(self.border(region))).collect()
    }

    /// The first row of a region.
    pub fn border(&self, region: u64) -> u64 {
        region * self.rows / self.regions.max(1)
    }

    /// A row with so many cells in so many families.
    pub fn put(&self, row: u64, families: usize, width: usize) -> Put {
        let mut put = Put::new(key(row));
        for family in 0..families {
            for column in 0..width {
                let value = value(row, family * self.width + column, self.value_bytes);
                put = put.add(family_name(family), qualifier(column), value);
            }
        }
        put
    }
}

/// The key of a row.
pub fn key(row: u64) -> Bytes {
    format!("r{row:0width$}", width = KEY_BYTES - 1).into()
}

/// The name of a family.
pub fn family_name(index: usize) -> Bytes {
    Bytes::from(vec![b'a' + (index % 26) as u8])
}

/// The name of a column.
pub fn qualifier(index: usize) -> Bytes {
    format!("c{index:0width$}", width = QUALIFIER_BYTES - 1).into()
}

/// Some bytes, different for each cell, that a compression makes nothing of.
fn value(row: u64, column: usize, bytes: usize) -> Bytes {
    let mut random = fastrand::Rng::with_seed(row.wrapping_mul(1_000_003).wrapping_add(column as u64));
    let mut value = vec![0; bytes];
    random.fill(&mut value);
    value.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::Cell;

    #[test]
    fn a_cell_has_the_bytes_that_are_counted() {
        let shape = Shape {
            name: "t",
            families: 2,
            width: 3,
            value_bytes: 50,
            rows: 10,
            regions: 2,
            is_filled: true,
        };
        let put = shape.put(7, 2, 3);
        assert_eq!(put.cells.len(), 6);
        for (family, qualifier, _, value) in put.cells {
            let cell = Cell::put(put.row.clone(), family, qualifier, 0, value);
            // Timestamp and kind are in both.
            assert_eq!(cell.size_bytes() as f64 - 9.0 + CELL_OVERHEAD_BYTES, shape.cell_bytes());
        }
        assert_eq!(shape.splits(), [key(5)]);
        assert!(shape.descriptor().is_ok());
    }
}
