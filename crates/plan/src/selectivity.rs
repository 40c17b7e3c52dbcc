//! Selectivity: the share of a table's rows that meet a predicate on one column.

use std::collections::BTreeSet;
use std::ops::Bound;

use tablesmith_model::plan::Test;
use tablesmith_model::workload::{Column, RANGE_SHARE};
use tablesmith_sql::{Operator, Predicate, Value};

/// A predicate that nothing is known of keeps this share of rows (Selinger et al., 1979, take a third for ranges).
pub const RESIDUAL_SHARE: f64 = 1.0 / 3.0;

/// The share of rows that meet a test whose values are known.
pub fn of_test(column: &Column, test: &Test) -> f64 {
    let share = match test {
        Test::IsNull => column.nulls.unwrap_or(RESIDUAL_SHARE),
        Test::In(values) => values.iter().map(|value| column.share_of(&value.to_string())).sum(),
        Test::Between(Bound::Unbounded, Bound::Unbounded) => 1.0 - column.nulls.unwrap_or(0.0),
        Test::Between(low, high) => {
            let text =
                |bound: &Bound<tablesmith_model::value::Value>| bound.as_ref().map(ToString::to_string);
            let (low, high) = (text(low), text(high));
            column
                .share_within(low.as_ref().map(String::as_str), high.as_ref().map(String::as_str))
                .unwrap_or(RANGE_SHARE)
        }
    };
    share.clamp(0.0, 1.0)
}

/// The share of rows that have one of the values that conditions on a column ask for; `None` when they ask for none.
pub fn of_values(column: &Column, predicates: &[&Predicate]) -> Option<f64> {
    let asked =
        predicates.iter().find(|predicate| matches!(predicate.operator, Operator::Eq | Operator::In(_)))?;
    let literals: BTreeSet<&str> = asked.values().filter_map(Value::literal).collect();
    let count = match asked.operator {
        Operator::In(count) => count.max(1),
        _ => 1,
    };
    let unknown = count - asked.values().filter(|value| value.literal().is_some()).count().min(count);
    let known: f64 = literals.iter().map(|literal| column.share_of(literal)).sum();
    Some((known + unknown as f64 * column.share_of_any()).min(1.0))
}

/// The share of rows within the range that conditions on a column ask for, 1 without one.
pub fn of_range(column: &Column, predicates: &[&Predicate]) -> f64 {
    let mut range = Range { low: Bound::Unbounded, high: Bound::Unbounded, unknown: false };
    let mut is_asked = false;
    for predicate in predicates {
        let value = predicate.value.literal();
        match predicate.operator {
            Operator::Gt => range.from(value.map(|value| Bound::Excluded(value.to_owned()))),
            Operator::Ge => range.from(value.map(|value| Bound::Included(value.to_owned()))),
            Operator::Lt => range.to(value.map(|value| Bound::Excluded(value.to_owned()))),
            Operator::Le => range.to(value.map(|value| Bound::Included(value.to_owned()))),
            Operator::Between => {
                let high = predicate.more.first().and_then(Value::literal);
                range.from(value.map(|value| Bound::Included(value.to_owned())));
                range.to(high.map(|value| Bound::Included(value.to_owned())));
            }
            Operator::Like => match value.map(prefix) {
                // What may begin with anything narrows nothing.
                Some("") => continue,
                Some(prefix) => {
                    range.from(Some(Bound::Included(prefix.to_owned())));
                    range.to(Some(Bound::Excluded(format!("{prefix}{}", char::MAX))));
                }
                None => range.unknown = true,
            },
            Operator::Eq | Operator::In(_) | Operator::IsNull | Operator::Other => continue,
        }
        is_asked = true;
    }
    if is_asked { range.share(column) } else { 1.0 }
}

/// A range as several conditions say it.
struct Range {
    low: Bound<String>,
    high: Bound<String>,
    /// Some end is not known.
    unknown: bool,
}

impl Range {
    /// A lower end; the last one counts.
    fn from(&mut self, end: Option<Bound<String>>) {
        match end {
            Some(end) => self.low = end,
            None => self.unknown = true,
        }
    }

    fn to(&mut self, end: Option<Bound<String>>) {
        match end {
            Some(end) => self.high = end,
            None => self.unknown = true,
        }
    }

    fn share(&self, column: &Column) -> f64 {
        let (low, high) = (self.low.as_ref().map(String::as_str), self.high.as_ref().map(String::as_str));
        match (low, high) {
            (Bound::Unbounded, Bound::Unbounded) => RANGE_SHARE,
            (low, high) => match column.share_within(low, high) {
                Some(share) if self.unknown => share * RANGE_SHARE,
                Some(share) => share,
                None => RANGE_SHARE,
            },
        }
    }
}

/// What a pattern begins with.
fn prefix(pattern: &str) -> &str {
    pattern.split(['%', '_', '\\']).next().unwrap_or_default()
}
