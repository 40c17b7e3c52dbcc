//! `SingleColumnValueFilter`: rows in which a column's value compares so.

use bytes::Bytes;
use tablesmith_model::Cell;

use super::comparator::Comparison;
use super::rule::Rule;
use super::{FilterError, ReturnCode};
use crate::filter::ColumnCondition;

/// Takes all cells on trust and decides on the row at its end, or as soon as the column is seen not to fit.
#[derive(Debug)]
pub(super) struct SingleColumnValue {
    family: Bytes,
    qualifier: Bytes,
    comparison: Comparison,
    filter_if_missing: bool,
    latest_version_only: bool,
    found: bool,
    matched: bool,
}

impl SingleColumnValue {
    pub(super) fn new(condition: &ColumnCondition) -> Result<Self, FilterError> {
        // HBase's own filter fails on this operator as soon as it meets the column.
        let comparison = Comparison::with_operator(condition.op, &condition.comparator)?;
        Ok(Self {
            family: condition.family.clone(),
            qualifier: condition.qualifier.clone(),
            comparison,
            filter_if_missing: condition.filter_if_missing,
            latest_version_only: condition.latest_version_only,
            found: false,
            matched: false,
        })
    }

    /// Whether this is the column that is tested.
    pub(super) fn is_column(&self, cell: &Cell) -> bool {
        cell.qualifier == self.qualifier && cell.family == self.family
    }
}

impl Rule for SingleColumnValue {
    fn reset(&mut self) {
        self.found = false;
        self.matched = false;
    }

    fn row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        if self.matched {
            return ReturnCode::Include;
        }
        if self.latest_version_only && self.found {
            return ReturnCode::NextRow;
        }
        if !self.is_column(cell) {
            return ReturnCode::Include;
        }
        self.found = true;
        self.matched = self.comparison.holds(&cell.value);
        if self.matched || !self.latest_version_only { ReturnCode::Include } else { ReturnCode::NextRow }
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn filter_row(&mut self) -> bool {
        if self.found { !self.matched } else { self.filter_if_missing }
    }

    /// A row without the column is left out only if so wished; then the column's family alone decides.
    fn is_family_essential(&self, family: &[u8]) -> bool {
        !self.filter_if_missing || family == self.family
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::testing::reader::{codes, rows};
    use crate::filter::{Comparator, CompareOp, Filter};

    fn filter(filter_if_missing: bool, latest_version_only: bool) -> Filter {
        Filter::SingleColumnValue(ColumnCondition {
            family: "f".into(),
            qualifier: "q".into(),
            op: CompareOp::Equal,
            comparator: Comparator::Binary("yes".into()),
            filter_if_missing,
            latest_version_only,
        })
    }

    fn cells() -> Vec<Cell> {
        vec![
            Cell::put("fits", "f", "q", 1, "yes"),
            Cell::put("fits not", "f", "q", 1, "no"),
            Cell::put("has been", "f", "q", 2, "no"),
            Cell::put("has been", "f", "q", 1, "yes"),
            Cell::put("missing", "f", "other", 1, "yes"),
        ]
    }

    #[test]
    fn flags_decide_on_missing_columns_and_old_versions() {
        assert_eq!(rows(&filter(false, true), &cells(), false), ["fits", "missing"]);
        assert_eq!(rows(&filter(true, true), &cells(), false), ["fits"]);
        assert_eq!(rows(&filter(true, false), &cells(), false), ["fits", "has been"]);
    }

    #[test]
    fn cells_before_the_column_are_taken_on_trust_and_after_it_left() {
        use ReturnCode::{Include, NextRow};
        let cells = [("a", "x"), ("q", "no"), ("z", "x")].map(|(q, v)| Cell::put("r", "f", q, 1, v));
        assert_eq!(codes(&filter(false, true), &cells), [Include, NextRow, NextRow]);
        assert_eq!(codes(&filter(false, false), &cells), [Include, Include, Include]);
    }

    #[test]
    fn only_the_columns_family_is_essential_if_missing_rows_go() {
        let is_essential = |filter_if_missing, family: &[u8]| {
            let Filter::SingleColumnValue(condition) = filter(filter_if_missing, true) else { panic!() };
            SingleColumnValue::new(&condition).unwrap().is_family_essential(family)
        };
        assert!(is_essential(true, b"f") && is_essential(false, b"g") && !is_essential(true, b"g"));
    }
}
