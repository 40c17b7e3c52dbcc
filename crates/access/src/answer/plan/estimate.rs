//! How many rows a query meets on its way, from the statistics of the workload.

use std::collections::BTreeMap;

use tablesmith_model::design::ColumnOf;
use tablesmith_model::plan::{Condition, Test};
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
        let mut shares: BTreeMap<&Column, f64> = BTreeMap::new();
        for (column, test) in self.conditions.tests.iter().filter(|(of, _)| sources.contains(&of.source)) {
            let class = self.conditions.classes.iter().position(|class| class.contains(column));
            if class.is_none_or(|class| *seen.entry(class).or_insert(column) == column) {
                let share = self.share(column, test);
                shares.entry(column).and_modify(|have| *have = both(*have, share)).or_insert(share);
            }
        }
        shares.values().product::<f64>()
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
        for Condition { column: field, test } in &wanted.conditions {
            let Some(of) = column(field) else { continue };
            let share = selectivity::of_test(&statistics::column(self.workload, &of), test);
            match test {
                Test::In(values) => {
                    let values = values.len() as f64;
                    pattern.equalities.push(EqualityPredicate { column: of, values, share });
                }
                Test::IsNull => pattern.equalities.push(EqualityPredicate { column: of, values: 1.0, share }),
                Test::Between(..) => match pattern.ranges.iter_mut().find(|range| range.column == of) {
                    Some(range) => range.share = both(range.share, share),
                    None => pattern.ranges.push(RangePredicate { column: of, share }),
                },
            }
        }
        pattern
    }
}

/// The share of rows that meet two tests of one column: exact for a lower and an upper bound, which exclude different rows.
fn both(one: f64, two: f64) -> f64 {
    (one + two - 1.0).max(0.0)
}
