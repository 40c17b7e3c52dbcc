//! Conditions of a query that single reads can take: tests of one column, and equalities that spread them.

use std::ops::Bound;

use tablesmith_model::plan::Test;
use tablesmith_model::value::{Value, ValueType};
use tablesmith_sql::executable::{Column, Comparison, Expr, Predicate, Query, convert};

/// What a query's filter says, taken apart.
#[derive(Debug, Default)]
pub struct Conditions {
    /// Tests of single columns; those that follow from equalities are among them.
    pub tests: Vec<(Column, Test)>,
    /// What tests do not say in full, with the sources that it is about.
    pub left: Vec<(Predicate, Vec<usize>)>,
    /// Columns that are equal, by class; every class has at least two.
    pub classes: Vec<Vec<Column>>,
    /// Whether no row can meet them.
    pub is_never: bool,
}

impl Conditions {
    /// Takes the filter of a query apart.
    pub fn of(query: &Query) -> Self {
        let mut conditions = Self::default();
        for truth in &query.filter {
            if let Predicate::Known(known) = truth {
                conditions.is_never |= *known != Some(true);
                continue;
            }
            if let Some((one, two)) = truth.joins() {
                conditions.equal(one, two);
            }
            match test(truth) {
                Some((column, test, true)) => conditions.tests.push((column, test)),
                Some((column, test, false)) => {
                    conditions.tests.push((column, test));
                    conditions.left.push((truth.clone(), truth.sources()));
                }
                None => conditions.left.push((truth.clone(), truth.sources())),
            }
        }
        conditions.spread();
        conditions
    }

    /// Puts two columns into one class.
    fn equal(&mut self, one: &Column, two: &Column) {
        let has = |class: &Vec<Column>| class.contains(one) || class.contains(two);
        let mut together = vec![one.clone(), two.clone()];
        let (joined, apart): (Vec<_>, Vec<_>) = std::mem::take(&mut self.classes).into_iter().partition(has);
        together.extend(joined.into_iter().flatten());
        together.sort();
        together.dedup();
        self.classes = apart;
        self.classes.push(together);
    }

    /// What is known of a column holds for all that are equal to it, where a value means the same in both.
    fn spread(&mut self) {
        let mut more = Vec::new();
        for (column, test) in &self.tests {
            let class = self.classes.iter().find(|class| class.contains(column));
            let others = class.into_iter().flatten();
            for other in others.filter(|other| *other != column && other.value_type == column.value_type) {
                more.push((other.clone(), test.clone()));
            }
        }
        self.tests.extend(more);
        let mut known: Vec<(Column, Test)> = Vec::new();
        for one in self.tests.drain(..) {
            if !known.contains(&one) {
                known.push(one);
            }
        }
        self.tests = known;
    }

    /// Whether two columns are equal in every row of the answer.
    pub fn are_equal(&self, one: &Column, two: &Column) -> bool {
        self.classes.iter().any(|class| class.contains(one) && class.contains(two))
    }

    /// Whether a column has only one value in the answer.
    pub fn is_pinned(&self, column: &Column) -> bool {
        let is_one = |test: &Test| matches!(test, Test::In(values) if values.len() <= 1);
        self.tests.iter().any(|(of, test)| of == column && is_one(test))
    }
}

/// A test of one column that every row meets which meets the condition, and whether the test says all of it.
fn test(truth: &Predicate) -> Option<(Column, Test, bool)> {
    match truth {
        Predicate::Compare(Expr::Column(column), comparison, Expr::Value(value)) => {
            comparison_test(column, *comparison, value).map(|test| (column.clone(), test, true))
        }
        Predicate::Compare(Expr::Value(value), comparison, Expr::Column(column)) => {
            comparison_test(column, comparison.turned(), value).map(|test| (column.clone(), test, true))
        }
        Predicate::In(Expr::Column(column), list) => {
            let mut values = Vec::new();
            for scalar in list {
                let Expr::Value(value) = scalar else { return None };
                // What is null or of no value of the column equals nothing.
                values.extend(convert(value, column.value_type).filter(|value| !value.is_null()));
            }
            Some((column.clone(), Test::In(values), true))
        }
        Predicate::Like(Expr::Column(column), pattern) => {
            pattern.test().map(|(test, is_all)| (column.clone(), test, is_all))
        }
        Predicate::IsNull(Expr::Column(column)) => Some((column.clone(), Test::IsNull, true)),
        Predicate::Not(inner) => match &**inner {
            Predicate::IsNull(Expr::Column(column)) => {
                Some((column.clone(), Test::Between(Bound::Unbounded, Bound::Unbounded), true))
            }
            _ => None,
        },
        _ => None,
    }
}

fn comparison_test(column: &Column, comparison: Comparison, value: &Value) -> Option<Test> {
    if value.is_null() {
        return Some(Test::In(Vec::new()));
    }
    let unbounded = || Bound::Unbounded;
    match (convert(value, column.value_type), comparison) {
        (_, Comparison::Ne) => None,
        (Some(value), Comparison::Eq) => Some(Test::equals(value)),
        (Some(value), Comparison::Lt) => Some(Test::Between(unbounded(), Bound::Excluded(value))),
        (Some(value), Comparison::Le) => Some(Test::Between(unbounded(), Bound::Included(value))),
        (Some(value), Comparison::Gt) => Some(Test::Between(Bound::Excluded(value), unbounded())),
        (Some(value), Comparison::Ge) => Some(Test::Between(Bound::Included(value), unbounded())),
        // A value that the column cannot hold.
        (None, Comparison::Eq) => Some(Test::In(Vec::new())),
        (None, comparison) if column.value_type == ValueType::Int => {
            let below = Value::Int(floor(value)?);
            Some(match comparison {
                Comparison::Lt | Comparison::Le => Test::Between(unbounded(), Bound::Included(below)),
                _ => Test::Between(Bound::Excluded(below), unbounded()),
            })
        }
        (None, _) => None,
    }
}

/// The greatest whole number below a number that is none; none where no such number has 64 bits.
fn floor(value: &Value) -> Option<i64> {
    match value {
        Value::Float(number) => {
            let floor = Value::Float(number.floor());
            match convert(&floor, ValueType::Int) {
                Some(Value::Int(floor)) => Some(floor),
                _ => None,
            }
        }
        Value::Decimal(number) => {
            let text = number.to_string();
            let (whole, _) = text.split_once('.').filter(|(_, fraction)| !fraction.contains('e'))?;
            let towards_zero: i64 = whole.parse().ok()?;
            if text.starts_with('-') { towards_zero.checked_sub(1) } else { Some(towards_zero) }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use tablesmith_model::value::Decimal;

    use super::*;

    fn column(source: usize, name: &str) -> Column {
        Column { source, name: name.into(), value_type: ValueType::Int }
    }

    fn compare(column: Column, comparison: Comparison, value: Value) -> Predicate {
        Predicate::Compare(Expr::Column(column), comparison, Expr::Value(value))
    }

    fn equal(one: Column, two: Column) -> Predicate {
        Predicate::Compare(Expr::Column(one), Comparison::Eq, Expr::Column(two))
    }

    #[test]
    fn what_is_known_of_a_column_holds_for_all_that_equal_it() {
        let filter = vec![
            equal(column(0, "a"), column(1, "b")),
            equal(column(2, "c"), column(1, "b")),
            compare(column(2, "c"), Comparison::Eq, Value::Int(5)),
        ];
        let conditions = Conditions::of(&Query { filter, ..Query::default() });
        assert!(conditions.are_equal(&column(0, "a"), &column(2, "c")));
        assert!(conditions.is_pinned(&column(0, "a")) && conditions.is_pinned(&column(1, "b")));
        assert_eq!((conditions.tests.len(), conditions.left.len()), (3, 2));
    }

    #[test]
    fn a_number_between_two_whole_ones_bounds_as_they_do() {
        let half = |text: &str| Value::Decimal(Decimal::parse(text).unwrap());
        for (value, floor) in [
            (half("1.5"), 1),
            (half("-1.5"), -2),
            (half("-0.5"), -1),
            (half("0.5"), 0),
            (Value::Float(-2.5), -3),
        ] {
            let bound = Bound::Included(Value::Int(floor));
            let less = Test::Between(Bound::Unbounded, bound.clone());
            assert_eq!(comparison_test(&column(0, "a"), Comparison::Lt, &value), Some(less), "{value}");
            let more = Test::Between(Bound::Excluded(Value::Int(floor)), Bound::Unbounded);
            assert_eq!(comparison_test(&column(0, "a"), Comparison::Ge, &value), Some(more), "{value}");
            let never = Test::In(Vec::new());
            assert_eq!(comparison_test(&column(0, "a"), Comparison::Eq, &value), Some(never));
        }
        assert_eq!(comparison_test(&column(0, "a"), Comparison::Lt, &Value::Float(1e300)), None);
    }

    #[test]
    fn nothing_compares_with_null() {
        let filter = vec![compare(column(0, "a"), Comparison::Lt, Value::Null)];
        let conditions = Conditions::of(&Query { filter, ..Query::default() });
        assert_eq!(conditions.tests, [(column(0, "a"), Test::In(Vec::new()))]);
        assert!(conditions.left.is_empty());
    }
}
