//! `SingleColumnValueExcludeFilter`: rows in which a column's value compares so, without that column.

use tablesmith_model::Cell;

use super::rule::Rule;
use super::single_column_value::SingleColumnValue;
use super::{FilterError, ReturnCode};
use crate::filter::ColumnCondition;

/// As [`SingleColumnValue`], and removes the column at the end of the row.
#[derive(Debug)]
pub(super) struct SingleColumnValueExclude(SingleColumnValue);

impl SingleColumnValueExclude {
    pub(super) fn new(condition: &ColumnCondition) -> Result<Self, FilterError> {
        SingleColumnValue::new(condition).map(Self)
    }
}

impl Rule for SingleColumnValueExclude {
    fn reset(&mut self) {
        self.0.reset();
    }

    fn row_key(&mut self, row: &[u8]) -> bool {
        self.0.row_key(row)
    }

    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        self.0.cell(cell)
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn row_cells(&mut self, cells: &mut Vec<Cell>) {
        cells.retain(|cell| !self.0.is_column(cell));
    }

    fn filter_row(&mut self) -> bool {
        self.0.filter_row()
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.0.is_family_essential(family)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::testing::reader::scan;
    use crate::filter::{Comparator, CompareOp, Filter};

    #[test]
    fn the_column_itself_goes() {
        let filter = Filter::SingleColumnValueExclude(ColumnCondition {
            family: "f".into(),
            qualifier: "q".into(),
            op: CompareOp::Equal,
            comparator: Comparator::Binary("yes".into()),
            filter_if_missing: true,
            latest_version_only: true,
        });
        let other = Cell::put("r", "f", "a", 1, "x");
        assert_eq!(scan(&filter, &[other.clone(), Cell::put("r", "f", "q", 1, "yes")], false), [other]);
        // Nothing is left of a row that has only this column, and then the row is not asked about.
        assert!(scan(&filter, &[Cell::put("r", "f", "q", 1, "no")], false).is_empty());
    }
}
