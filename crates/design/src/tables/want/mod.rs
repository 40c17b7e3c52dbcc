//! What one table of the store is wanted for: a query, or a step of one.
//!
//! ```text
//!  Ask ──ways──▶ ways to answer it, each a list of Wants one after the other:
//!                all its tables at once (a copy that is joined already), or step by step along the joins
//! ```

mod conditions;
mod ways;

pub use conditions::of_place;
pub use ways::{Way, ways};

use tablesmith_model::design::ColumnOf;

/// What one table of the store is wanted for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Want {
    /// The tables of the workload whose rows, joined, are wanted.
    pub tables: Vec<String>,
    /// The equalities that join them.
    pub equalities: Vec<(ColumnOf, ColumnOf)>,
    /// Columns whose values are known when it is asked.
    pub given: Vec<Given>,
    /// Columns of which a stretch is asked for.
    pub ranges: Vec<Stretch>,
    /// Whether there are conditions that no order of rows helps with.
    pub has_others: bool,
    /// The columns that must come back, those of conditions too.
    pub reads: Vec<ColumnOf>,
    /// The order that is asked for; true for large values first.
    pub order: Vec<(ColumnOf, bool)>,
    /// How many are wanted at most.
    pub limit: Option<f64>,
    /// What rows are grouped by.
    pub grouping: Vec<ColumnOf>,
    /// Whether only sums, counts and the like are wanted.
    pub sums: bool,
    /// How often it is asked in one call of the query: once for every row of the step before.
    pub times: f64,
}

/// A column whose value is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// The column.
    pub column: ColumnOf,
    /// How many values are asked for at once.
    pub values: f64,
    /// The share of rows that have one of them.
    pub share: f64,
}

/// A column of which a stretch is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// The column.
    pub column: ColumnOf,
    /// The share of rows within it.
    pub share: f64,
}

/// A condition that no order helps with keeps this share of the rows, as nothing is known of it.
const OTHER_SHARE: f64 = 1.0 / 3.0;

impl Want {
    /// The share of records that meet all conditions.
    pub fn share(&self) -> f64 {
        let given: f64 = self.given.iter().map(|given| given.share).product();
        let ranges: f64 = self.ranges.iter().map(|range| range.share).product();
        given * ranges * if self.has_others { OTHER_SHARE } else { 1.0 }
    }

    /// Whether it wants the rows of exactly these tables.
    pub fn is_of(&self, tables: &[String]) -> bool {
        self.tables.len() == tables.len() && self.tables.iter().all(|table| tables.contains(table))
    }

    /// Whether its equalities make two columns equal.
    pub fn are_equal(&self, one: &ColumnOf, two: &ColumnOf) -> bool {
        let mut same = vec![one.clone()];
        let mut next = 0;
        while let Some(column) = same.get(next).cloned() {
            for (left, right) in &self.equalities {
                for (from, to) in [(left, right), (right, left)] {
                    if *from == column && !same.contains(to) {
                        same.push(to.clone());
                    }
                }
            }
            next += 1;
        }
        same.contains(two)
    }
}
