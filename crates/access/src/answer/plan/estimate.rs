//! How many rows a query meets on its way, from the statistics of the workload.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Bound;

use tablesmith_model::design::ColumnOf;
use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::value::Value;
use tablesmith_model::workload::Workload;
use tablesmith_plan::selectivity::{self, RESIDUAL_SHARE};
use tablesmith_plan::{AccessPattern, EqualityPredicate, RangePredicate, statistics};
use tablesmith_sql::executable::{Column, Predicate, Query};

use super::conditions::Conditions;
use super::parts::Part;
use crate::layout::Layout;
use crate::records::Wanted;

/// What is known of the data.
pub struct Estimate<'e> {
    pub workload: &'e Workload,
    pub query: &'e Query,
    pub conditions: &'e Conditions,
}

impl Estimate<'_> {
    fn column(&self, column: &Column) -> ColumnOf {
        let table = self.query.sources.get(column.source).map(|source| source.table.as_str());
        ColumnOf::new(table.unwrap_or_default(), &column.name)
    }

    /// Rows of a source.
    fn rows(&self, source: usize) -> f64 {
        let table = self.query.sources.get(source).and_then(|source| self.workload.table(&source.table));
        table.map_or(1.0, statistics::rows)
    }

    /// Distinct values of a column.
    pub fn distinct(&self, column: &Column) -> f64 {
        statistics::distinct(self.workload, &self.column(column))
    }

    /// The share of rows that meet a test of a column.
    pub fn share(&self, column: &Column, test: &Test) -> f64 {
        selectivity::of_test(&statistics::column(self.workload, &self.column(column)), test)
    }

    /// Rows that some sources have together, with or without the query's conditions on single columns.
    pub fn joined(&self, sources: &[usize], with_tests: bool) -> f64 {
        let mut rows: f64 = sources.iter().map(|source| self.rows(*source)).product();
        for class in &self.conditions.classes {
            let mut columns: Vec<&Column> =
                class.iter().filter(|column| sources.contains(&column.source)).collect();
            columns.sort_by(|one, two| self.distinct(one).total_cmp(&self.distinct(two)));
            rows *= columns.windows(2).map(|pair| self.join_share(pair)).product::<f64>();
        }
        if with_tests { rows * self.share_of_tests(sources) } else { rows }
    }

    /// The share of all pairs of rows that agree in two columns.
    fn join_share(&self, pair: &[&Column]) -> f64 {
        let [one, two] = pair else { return 1.0 };
        let pairs = statistics::pairs(self.workload, &self.column(one), &self.column(two));
        (pairs / (self.rows(one.source) * self.rows(two.source))).min(1.0)
    }

    /// The share of joined rows that meets the query's conditions on some sources.
    fn share_of_tests(&self, sources: &[usize]) -> f64 {
        // What follows from an equality is no further condition.
        let mut seen: BTreeMap<usize, &Column> = BTreeMap::new();
        let mut tests: BTreeMap<&Column, Vec<Test>> = BTreeMap::new();
        for (column, test) in self.conditions.tests.iter().filter(|(of, _)| sources.contains(&of.source)) {
            let class = self.conditions.classes.iter().position(|class| class.contains(column));
            if class.is_none_or(|class| *seen.entry(class).or_insert(column) == column) {
                add(tests.entry(column).or_default(), test);
            }
        }
        let share = |(column, tests): (&&Column, &Vec<Test>)| {
            tests.iter().map(|test| self.share(column, test)).product::<f64>()
        };
        tests.iter().map(share).product::<f64>()
            * RESIDUAL_SHARE.powi(i32::try_from(self.residual(sources)).unwrap_or(i32::MAX))
    }

    /// How many conditions on these sources are no tests of one column.
    pub fn residual(&self, sources: &[usize]) -> usize {
        let is_here = |of: &Vec<usize>| !of.is_empty() && of.iter().all(|source| sources.contains(source));
        let is_join = |truth: &Predicate| truth.joins().is_some();
        self.conditions.left.iter().filter(|(truth, of)| !is_join(truth) && is_here(of)).count()
    }

    /// What a read of a part requires of the rows of its layout, as the cost model sees it.
    pub fn pattern(&self, layout: &Layout, part: &Part, wanted: &Wanted, executions: f64) -> AccessPattern {
        let record = layout.record();
        let column = |field: &String| record.column(field);
        let mut pattern = AccessPattern {
            tables: record.tables.clone(),
            joins: record.joins.iter().map(|join| (join.have.clone(), join.other.clone())).collect(),
            columns: wanted.fields.iter().filter_map(column).collect(),
            order: wanted
                .order
                .iter()
                .filter_map(|(field, descends)| Some((column(field)?, *descends)))
                .collect(),
            limit: wanted.limit.map(|limit| limit as f64),
            residual: self.residual(&part.sources),
            executions,
            ..AccessPattern::default()
        };
        let mut tests: BTreeMap<ColumnOf, Vec<Test>> = BTreeMap::new();
        for Condition { column: field, test } in &wanted.conditions {
            if let Some(of) = column(field) {
                add(tests.entry(of).or_default(), test);
            }
        }
        for (of, test) in
            tests.into_iter().flat_map(|(of, tests)| tests.into_iter().map(move |one| (of.clone(), one)))
        {
            let share = selectivity::of_test(&statistics::column(self.workload, &of), &test);
            match test {
                Test::In(values) => {
                    let values = values.len() as f64;
                    pattern.equalities.push(EqualityPredicate { column: of, values, share });
                }
                Test::IsNull => pattern.equalities.push(EqualityPredicate { column: of, values: 1.0, share }),
                Test::Between(..) => pattern.ranges.push(RangePredicate { column: of, share }),
            }
        }
        pattern
    }
}

/// Adds a test of a column to others of it: ranges become the one range that all of them leave.
fn add(tests: &mut Vec<Test>, test: &Test) {
    let range = tests.iter_mut().find_map(|have| match have {
        Test::Between(low, high) => Some((low, high)),
        Test::In(_) | Test::IsNull => None,
    });
    match (range, test) {
        (Some((low, high)), Test::Between(from, to)) => {
            if is_within(from, low, Ordering::Greater) {
                *low = from.clone();
            }
            if is_within(to, high, Ordering::Less) {
                *high = to.clone();
            }
        }
        (_, test) => tests.push(test.clone()),
    }
}

/// Whether a bound leaves fewer values than another one; lower bounds do when they are greater, upper ones when less.
fn is_within(bound: &Bound<Value>, other: &Bound<Value>, side: Ordering) -> bool {
    match (bound, other) {
        (Bound::Unbounded, _) => false,
        (_, Bound::Unbounded) => true,
        (Bound::Excluded(one), Bound::Included(two)) => one.cmp(two) == side || one == two,
        (Bound::Included(one) | Bound::Excluded(one), Bound::Included(two) | Bound::Excluded(two)) => {
            one.cmp(two) == side
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_one_column_become_the_range_that_all_leave() {
        let from = |low| Test::Between(Bound::Included(Value::Int(low)), Bound::Unbounded);
        let to = |high| Test::Between(Bound::Unbounded, Bound::Excluded(Value::Int(high)));
        let mut tests = Vec::new();
        let listed = Test::In(vec![Value::Int(7)]);
        for test in [&from(3), &listed, &to(9), &from(5), &to(20)] {
            add(&mut tests, test);
        }
        let range = Test::Between(Bound::Included(Value::Int(5)), Bound::Excluded(Value::Int(9)));
        assert_eq!(tests, [range, listed]);
    }
}
