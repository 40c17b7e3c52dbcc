//! Access pattern: what one query, or one step of its plan, requires of the stored rows of one table or join.

use tablesmith_model::design::ColumnOf;

use crate::selectivity::RESIDUAL_SHARE;

/// What one query, or one step of its plan, requires of stored rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AccessPattern {
    /// The tables of the workload whose rows, joined, are read.
    pub tables: Vec<String>,
    /// The equalities that join them.
    pub joins: Vec<(ColumnOf, ColumnOf)>,
    /// Columns whose values are known when it is executed.
    pub equalities: Vec<EqualityPredicate>,
    /// Columns that are bounded.
    pub ranges: Vec<RangePredicate>,
    /// How many predicates there are that no key order helps with.
    pub residual: usize,
    /// The columns that must come back, those of predicates too.
    pub columns: Vec<ColumnOf>,
    /// The required order; true for descending.
    pub order: Vec<(ColumnOf, bool)>,
    /// How many rows are required at most.
    pub limit: Option<f64>,
    /// The columns that rows are grouped by.
    pub grouping: Vec<ColumnOf>,
    /// Whether only aggregates are required.
    pub aggregates: bool,
    /// How often it is executed in one execution of the query: once for every row of the step before.
    pub executions: f64,
    /// Whether it looks rows up for those of a step before.
    pub is_lookup: bool,
}

/// A column whose value is known: `=` or `IN`.
#[derive(Clone, Debug, PartialEq)]
pub struct EqualityPredicate {
    /// The column.
    pub column: ColumnOf,
    /// How many values are asked for at once.
    pub values: f64,
    /// The share of rows that have one of them.
    pub share: f64,
}

/// A column that is bounded: `<`, `BETWEEN`, `LIKE 'x%'` …
#[derive(Clone, Debug, PartialEq)]
pub struct RangePredicate {
    /// The column.
    pub column: ColumnOf,
    /// The share of rows within the bounds.
    pub share: f64,
}

impl AccessPattern {
    /// The share of records that meet all predicates.
    pub fn share(&self) -> f64 {
        let equalities: f64 = self.equalities.iter().map(|equality| equality.share).product();
        let ranges: f64 = self.ranges.iter().map(|range| range.share).product();
        equalities * ranges * self.residual_share()
    }

    /// The share of records that meet the predicates that no key order helps with.
    pub fn residual_share(&self) -> f64 {
        RESIDUAL_SHARE.powi(i32::try_from(self.residual).unwrap_or(i32::MAX))
    }

    /// Whether it reads the rows of exactly these tables.
    pub fn is_of(&self, tables: &[String]) -> bool {
        self.tables.len() == tables.len() && self.tables.iter().all(|table| tables.contains(table))
    }

    /// Whether its joins make two columns equal.
    pub fn are_equal(&self, one: &ColumnOf, two: &ColumnOf) -> bool {
        let mut same = vec![one.clone()];
        let mut next = 0;
        while let Some(column) = same.get(next).cloned() {
            for (left, right) in &self.joins {
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
