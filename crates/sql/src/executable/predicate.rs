//! Predicates, and whether they hold: true, false, or unknown where a null is compared.

use std::cmp::Ordering;

use tablesmith_model::value::Value;

use super::{Column, Pattern, compare};

/// A predicate on columns; where rows are at hand, on places in a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicate<C = Column> {
    /// Two values compare so.
    Compare(Expr<C>, Comparison, Expr<C>),
    /// The value equals one of these.
    In(Expr<C>, Vec<Expr<C>>),
    /// The text has this pattern.
    Like(Expr<C>, Pattern),
    /// There is no value.
    IsNull(Expr<C>),
    /// The opposite.
    Not(Box<Self>),
    /// All of these.
    And(Vec<Self>),
    /// One of these.
    Or(Vec<Self>),
    /// Known from the start; unknown when none.
    Known(Option<bool>),
}

/// What is compared, sorted by, or is an output column.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr<C = Column> {
    /// A column.
    Column(C),
    /// A value.
    Value(Value),
    /// An aggregate of [`super::Grouping::aggregates`], by its place; only of groups.
    Aggregate(usize),
}

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Eq,
    /// `<>`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl Comparison {
    /// Whether it holds of values that compare so.
    pub fn holds(self, ordering: Ordering) -> bool {
        match self {
            Self::Eq => ordering.is_eq(),
            Self::Ne => ordering.is_ne(),
            Self::Lt => ordering.is_lt(),
            Self::Le => ordering.is_le(),
            Self::Gt => ordering.is_gt(),
            Self::Ge => ordering.is_ge(),
        }
    }

    /// The same with both sides exchanged.
    pub fn turned(self) -> Self {
        match self {
            Self::Eq | Self::Ne => self,
            Self::Lt => Self::Gt,
            Self::Le => Self::Ge,
            Self::Gt => Self::Lt,
            Self::Ge => Self::Le,
        }
    }
}

impl<C> Predicate<C> {
    /// Whether it holds; `value` gives what a column or an aggregate has. Unknown is none.
    pub fn holds<'v>(&'v self, value: &impl Fn(&'v Expr<C>) -> &'v Value) -> Option<bool> {
        let of = |expr: &'v Expr<C>| match expr {
            Expr::Value(value) => value,
            other => value(other),
        };
        match self {
            Self::Compare(one, comparison, two) => {
                compare(of(one), of(two)).map(|ordering| comparison.holds(ordering))
            }
            Self::In(one, list) => {
                let equal = list.iter().map(|two| compare(of(one), of(two)).map(Ordering::is_eq));
                any(equal)
            }
            Self::Like(one, pattern) => match of(one) {
                Value::String(text) => Some(pattern.matches(text)),
                _ => None,
            },
            Self::IsNull(one) => Some(of(one).is_null()),
            Self::Not(predicate) => predicate.holds(value).map(|holds| !holds),
            Self::And(all) => {
                any(all.iter().map(|predicate| predicate.holds(value).map(|holds| !holds))).map(|no| !no)
            }
            Self::Or(some) => any(some.iter().map(|predicate| predicate.holds(value))),
            Self::Known(known) => *known,
        }
    }

    /// The same predicate on something else than columns and aggregates; none where one of them has no place.
    pub fn map<D>(&self, place: &impl Fn(&Expr<C>) -> Option<D>) -> Option<Predicate<D>> {
        let expr = |expr: &Expr<C>| match expr {
            Expr::Value(value) => Some(Expr::Value(value.clone())),
            other => place(other).map(Expr::Column),
        };
        let all = |predicates: &[Self]| {
            predicates.iter().map(|predicate| predicate.map(place)).collect::<Option<Vec<_>>>()
        };
        Some(match self {
            Self::Compare(one, comparison, two) => Predicate::Compare(expr(one)?, *comparison, expr(two)?),
            Self::In(one, list) => Predicate::In(expr(one)?, list.iter().map(expr).collect::<Option<_>>()?),
            Self::Like(one, pattern) => Predicate::Like(expr(one)?, pattern.clone()),
            Self::IsNull(one) => Predicate::IsNull(expr(one)?),
            Self::Not(predicate) => Predicate::Not(Box::new(predicate.map(place)?)),
            Self::And(predicates) => Predicate::And(all(predicates)?),
            Self::Or(predicates) => Predicate::Or(all(predicates)?),
            Self::Known(known) => Predicate::Known(*known),
        })
    }
}

impl Predicate {
    /// Calls with every column in it.
    pub fn columns<'t>(&'t self, take: &mut impl FnMut(&'t Column)) {
        let mut expr = |expr: &'t Expr| {
            if let Expr::Column(column) = expr {
                take(column);
            }
        };
        match self {
            Self::Compare(one, _, two) => [one, two].into_iter().for_each(expr),
            Self::In(one, list) => std::iter::once(one).chain(list).for_each(expr),
            Self::Like(one, _) | Self::IsNull(one) => expr(one),
            Self::Not(predicate) => predicate.columns(take),
            Self::And(all) | Self::Or(all) => all.iter().for_each(|predicate| predicate.columns(take)),
            Self::Known(_) => {}
        }
    }

    /// The sources whose columns are in it, sorted, none twice.
    pub fn sources(&self) -> Vec<usize> {
        let mut sources = Vec::new();
        self.columns(&mut |column| sources.push(column.source));
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    /// The predicates that all must hold for this to hold, none of which is an `AND`.
    pub fn conjuncts(self, into: &mut Vec<Self>) {
        match self {
            Self::And(all) => all.into_iter().for_each(|predicate| predicate.conjuncts(into)),
            other => into.push(other),
        }
    }

    /// The two columns of different sources that must be equal, when it says nothing else.
    pub fn joins(&self) -> Option<(&Column, &Column)> {
        match self {
            Self::Compare(Expr::Column(one), Comparison::Eq, Expr::Column(two))
                if one.source != two.source =>
            {
                Some((one, two))
            }
            _ => None,
        }
    }
}

/// True when one is, false when all are, else unknown.
fn any(predicates: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all_known = true;
    for predicate in predicates {
        match predicate {
            Some(true) => return Some(true),
            Some(false) => {}
            None => all_known = false,
        }
    }
    all_known.then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(value: Value) -> Expr {
        Expr::Value(value)
    }

    fn holds(predicate: &Predicate<Column>) -> Option<bool> {
        predicate.holds(&|_| panic!("there are no columns here"))
    }

    #[test]
    fn three_truths_are_put_together_as_sql_does() {
        let all = [Some(true), Some(false), None];
        for one in all {
            for two in all {
                let both = vec![Predicate::Known(one), Predicate::Known(two)];
                let and = match (one, two) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                };
                let or = match (one, two) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                };
                assert_eq!(holds(&Predicate::And(both.clone())), and, "{one:?} and {two:?}");
                assert_eq!(holds(&Predicate::Or(both)), or, "{one:?} or {two:?}");
            }
            assert_eq!(
                holds(&Predicate::Not(Box::new(Predicate::Known(one)))),
                one.map(|predicate| !predicate)
            );
        }
    }

    #[test]
    fn a_null_in_a_list_makes_no_unknown() {
        let list = vec![value(Value::Int(1)), value(Value::Null)];
        assert_eq!(holds(&Predicate::In(value(Value::Int(1)), list.clone())), Some(true));
        assert_eq!(holds(&Predicate::In(value(Value::Int(2)), list.clone())), None);
        assert_eq!(holds(&Predicate::In(value(Value::Null), list)), None);
        assert_eq!(holds(&Predicate::In(value(Value::Int(2)), Vec::new())), Some(false));
    }

    #[test]
    fn nulls_compare_as_unknown() {
        let null = || value(Value::Null);
        for comparison in [Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Ge] {
            assert_eq!(holds(&Predicate::Compare(null(), comparison, value(Value::Int(1)))), None);
        }
        assert_eq!(holds(&Predicate::IsNull(null())), Some(true));
        assert_eq!(holds(&Predicate::Like(null(), Pattern::parse("%", None).unwrap())), None);
    }
}
