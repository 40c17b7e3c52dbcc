//! How many rows of two tables belong together.

use schemars::JsonSchema;

use super::Workload;
use crate::design::ColumnOf;

/// How many pairs of rows have the same value in two columns. Averages do not say it: those whom many follow may also write
/// the most.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Join {
    /// One column, as "table.column".
    pub one: ColumnOf,
    /// The other, of another table.
    pub other: ColumnOf,
    /// The pairs of rows.
    pub rows: u64,
}

impl Workload {
    /// The pairs of rows that have the same value in two columns, where that was measured or declared.
    pub fn joined_rows(&self, one: &ColumnOf, other: &ColumnOf) -> Option<u64> {
        let sides = |join: &&Join| {
            (&join.one, &join.other) == (one, other) || (&join.one, &join.other) == (other, one)
        };
        self.joins.iter().find(sides).map(|join| join.rows)
    }
}
