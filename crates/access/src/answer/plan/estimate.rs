//! How many rows a query meets on its way, from what was measured of the data: the assumptions of System R.

use std::collections::BTreeSet;
use std::ops::Bound;

use tablesmith_model::key::{Key, Part};
use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::workload::{self, RANGE_SHARE, ROWS_ASSUMED, Workload};
use tablesmith_sql::relational::{Column, Query};

use super::conditions::Conditions;

/// Different values of a column that nobody counted.
const DISTINCT_ASSUMED: f64 = 100.0;
/// A condition of which nobody knows more keeps this share of rows.
const LEFT_SHARE: f64 = 1.0 / 3.0;

/// What is known of the data.
pub struct Estimate<'e> {
    pub workload: &'e Workload,
    pub query: &'e Query,
    pub conditions: &'e Conditions,
}

impl Estimate<'_> {
    fn table(&self, source: usize) -> Option<&workload::Table> {
        self.query.sources.get(source).and_then(|source| self.workload.table(&source.table))
    }

    /// Rows of a source.
    fn rows(&self, source: usize) -> f64 {
        let rows = self.table(source).and_then(|table| table.rows).unwrap_or(ROWS_ASSUMED);
        rows.max(1) as f64
    }

    /// Different values of a column.
    pub fn distinct(&self, column: &Column) -> f64 {
        let rows = self.rows(column.source);
        let Some(table) = self.table(column.source) else { return rows };
        let counted = table.column(&column.name).and_then(|column| column.distinct);
        match counted {
            Some(distinct) => (distinct as f64).clamp(1.0, rows),
            None if table.key == [column.name.clone()] => rows,
            None => DISTINCT_ASSUMED.min(rows),
        }
    }

    /// The share of rows that meet a test of a column.
    pub fn share(&self, column: &Column, test: &Test) -> f64 {
        let known = self.table(column.source).and_then(|table| table.column(&column.name));
        let share = match test {
            Test::IsNull => known.and_then(|column| column.nulls).unwrap_or(LEFT_SHARE),
            Test::In(values) => match known.filter(|known| known.distinct.is_some()) {
                Some(known) => values.iter().map(|value| known.share_of(&value.to_string())).sum(),
                None => values.len() as f64 / self.distinct(column),
            },
            Test::Between(Bound::Unbounded, Bound::Unbounded) => {
                1.0 - known.and_then(|column| column.nulls).unwrap_or(0.0)
            }
            Test::Between(low, high) => {
                let (low, high) = (text(low), text(high));
                let within = known.and_then(|known| {
                    known.share_within(low.as_ref().map(String::as_str), high.as_ref().map(String::as_str))
                });
                within.unwrap_or(RANGE_SHARE)
            }
        };
        share.clamp(0.0, 1.0)
    }

    /// Rows that some sources have together, with or without the query's conditions on single columns.
    pub fn joined(&self, sources: &[usize], with_tests: bool) -> f64 {
        let mut rows: f64 = sources.iter().map(|source| self.rows(*source)).product();
        for class in &self.conditions.classes {
            let there = class.iter().filter(|column| sources.contains(&column.source));
            let mut distinct: Vec<f64> = there.map(|column| self.distinct(column)).collect();
            distinct.sort_by(f64::total_cmp);
            rows /= distinct.iter().skip(1).product::<f64>().max(1.0);
        }
        if with_tests {
            // What follows from an equality is no further condition.
            let mut seen: BTreeSet<usize> = BTreeSet::new();
            for (column, test) in self.conditions.tests.iter().filter(|(of, _)| sources.contains(&of.source))
            {
                let class = self.conditions.classes.iter().position(|class| class.contains(column));
                if class.is_none_or(|class| seen.insert(class)) {
                    rows *= self.share(column, test);
                }
            }
            let is_there =
                |of: &&Vec<usize>| !of.is_empty() && of.iter().all(|source| sources.contains(source));
            let is_join = |truth: &tablesmith_sql::relational::Truth| truth.joins().is_some();
            let left = self.conditions.left.iter().filter(|(truth, _)| !is_join(truth));
            rows *= LEFT_SHARE.powi(left.map(|(_, of)| of).filter(is_there).count() as i32);
        }
        rows
    }

    /// The share of a table's rows that a read goes through, because its key leads to them. `share_of` gives the share of
    /// rows that meet a condition.
    pub fn visited(key: &Key, conditions: &[Condition], share_of: &dyn Fn(&Condition) -> f64) -> f64 {
        let mut share = 1.0;
        let mut used: BTreeSet<&str> = BTreeSet::new();
        for part in &key.parts {
            if matches!(part, Part::Const(_)) {
                continue;
            }
            let listed = |field: &String| {
                conditions.iter().find(|one| one.column == *field && !matches!(one.test, Test::Between(..)))
            };
            let fields = part.fields();
            let is_known = !fields.is_empty() && fields.iter().all(|field| listed(field).is_some());
            if is_known {
                for field in fields.iter().filter(|field| used.insert(field)) {
                    share *= listed(field).map_or(1.0, share_of);
                }
                continue;
            }
            if part.prefixes().is_some() {
                continue;
            }
            if let (Part::Field(_) | Part::Desc(_) | Part::Pad { .. } | Part::Bucket { .. }, [field]) =
                (part, fields)
            {
                let bounded =
                    conditions.iter().filter(|one| one.column == *field && !used.contains(field.as_str()));
                share *= bounded.map(share_of).fold(1.0, f64::min);
            }
            break;
        }
        share
    }
}

fn text(bound: &Bound<tablesmith_model::value::Value>) -> Bound<String> {
    bound.as_ref().map(ToString::to_string)
}
