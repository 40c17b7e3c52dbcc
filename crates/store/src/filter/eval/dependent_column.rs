//! `DependentColumnFilter`: cells whose timestamp is that of another column in the row.

use std::collections::BTreeSet;

use bytes::Bytes;
use tablesmith_model::{Cell, Timestamp};

use super::comparator::Comparison;
use super::rule::Rule;
use super::{FilterError, ReturnCode};
use crate::filter::{Comparator, CompareOp};

/// Collects the timestamps of the other column, and keeps cells of these times at the end of the row.
#[derive(Debug)]
pub(super) struct DependentColumn {
    family: Bytes,
    qualifier: Bytes,
    drop_dependent: bool,
    comparison: Option<Comparison>,
    times: BTreeSet<Timestamp>,
}

impl DependentColumn {
    pub(super) fn new(
        family: &Bytes,
        qualifier: &Bytes,
        drop_dependent: bool,
        value: Option<&(CompareOp, Comparator)>,
    ) -> Result<Self, FilterError> {
        Ok(Self {
            family: family.clone(),
            qualifier: qualifier.clone(),
            drop_dependent,
            comparison: value.map(|(op, comparator)| Comparison::new(*op, comparator)).transpose()?,
            times: BTreeSet::new(),
        })
    }
}

impl Rule for DependentColumn {
    fn reset(&mut self) {
        self.times.clear();
    }

    fn row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        if cell.qualifier != self.qualifier || cell.family != self.family {
            return ReturnCode::Include;
        }
        if self.comparison.as_ref().is_some_and(|comparison| !comparison.holds(&cell.value)) {
            return ReturnCode::Skip;
        }
        self.times.insert(cell.timestamp);
        if self.drop_dependent { ReturnCode::Skip } else { ReturnCode::Include }
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn row_cells(&mut self, cells: &mut Vec<Cell>) {
        cells.retain(|cell| self.times.contains(&cell.timestamp));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;
    use crate::filter::testing::reader::scan;

    fn kept(drop_dependent: bool, value: Option<&'static str>) -> Vec<String> {
        let filter = Filter::DependentColumn {
            family: "f".into(),
            qualifier: "q".into(),
            drop_dependent,
            value: value.map(|value| (CompareOp::Equal, Comparator::Binary(value.into()))),
        };
        let cells = [("a", 3), ("a", 2), ("a", 1), ("q", 3), ("q", 1)];
        let cells = cells.map(|(q, t)| Cell::put("r", "f", q, t, t.to_string()));
        let name = |cell: &Cell| format!("{}{}", String::from_utf8_lossy(&cell.qualifier), cell.timestamp);
        scan(&filter, &cells, false).iter().map(name).collect()
    }

    #[test]
    fn cells_of_the_same_time_stay() {
        assert_eq!(kept(false, None), ["a3", "a1", "q3", "q1"]);
        assert_eq!(kept(true, None), ["a3", "a1"]);
        assert_eq!(kept(false, Some("1")), ["a1", "q1"]);
    }
}
