//! `ColumnValueFilter`: one column alone, if its value compares so.

use bytes::Bytes;
use tablesmith_model::Cell;

use super::comparator::Comparison;
use super::rule::Rule;
use super::{FilterError, ReturnCode};
use crate::filter::{Comparator, CompareOp};

/// Goes from column to column until it is there, then to the next row.
#[derive(Debug)]
pub(super) struct ColumnValue {
    family: Bytes,
    qualifier: Bytes,
    comparison: Comparison,
    found: bool,
}

impl ColumnValue {
    pub(super) fn new(
        family: &Bytes,
        qualifier: &Bytes,
        op: CompareOp,
        comparator: &Comparator,
    ) -> Result<Self, FilterError> {
        let comparison = Comparison::new(op, comparator)?;
        Ok(Self { family: family.clone(), qualifier: qualifier.clone(), comparison, found: false })
    }
}

impl Rule for ColumnValue {
    fn reset(&mut self) {
        self.found = false;
    }

    fn row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        if cell.qualifier != self.qualifier || cell.family != self.family {
            return if self.found { ReturnCode::NextRow } else { ReturnCode::NextColumn };
        }
        self.found = true;
        if self.comparison.holds(&cell.value) { ReturnCode::Include } else { ReturnCode::Skip }
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        family == self.family
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;
    use crate::filter::testing::reader::codes;

    #[test]
    fn only_the_column_passes() {
        let filter = Filter::ColumnValue {
            family: "f".into(),
            qualifier: "q".into(),
            op: CompareOp::Equal,
            comparator: Comparator::Binary("yes".into()),
        };
        use ReturnCode::{Include, NextColumn, NextRow, Skip};
        let cells = [("a", 1, "yes"), ("q", 2, "no"), ("q", 1, "yes"), ("z", 1, "yes")];
        let cells = cells.map(|(q, t, v)| Cell::put("r", "f", q, t, v));
        assert_eq!(codes(&filter, &cells), [NextColumn, Skip, Include, NextRow]);
    }
}
