//! Units in an order, cut into families by lines between neighbours: what Navathe's method and O2P share.

use std::ops::Range;

use super::ColumnSet;

/// Units in an order, and the places where it is cut.
#[derive(Clone, Debug)]
pub struct SplitLines {
    units: Vec<ColumnSet>,
    order: Vec<usize>,
}

impl SplitLines {
    /// Units in an order.
    pub fn new(units: Vec<ColumnSet>, order: Vec<usize>) -> Self {
        Self { units, order }
    }

    /// How many units stand in the order.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The columns of the units that stand at these places.
    pub fn columns(&self, places: Range<usize>) -> ColumnSet {
        let mut columns = ColumnSet::new();
        let units = self.order.get(places).unwrap_or_default();
        units.iter().filter_map(|unit| self.units.get(*unit)).for_each(|unit| columns.unite(unit));
        columns
    }
}
