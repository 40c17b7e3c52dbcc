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
