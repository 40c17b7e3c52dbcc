//! Conditions, and whether they hold: true, false, or unknown where a null is compared.

use std::cmp::Ordering;

use tablesmith_model::value::Value;

use super::{Column, Pattern, compare};

/// A condition on columns; where rows are at hand, on places in a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Truth<C = Column> {
    /// Two values compare so.
    Compare(Scalar<C>, Comparison, Scalar<C>),
    /// The value equals one of these.
    In(Scalar<C>, Vec<Scalar<C>>),
    /// The text has this pattern.
    Like(Scalar<C>, Pattern),
    /// There is no value.
    IsNull(Scalar<C>),
    /// The opposite.
    Not(Box<Self>),
    /// All of these.
    And(Vec<Self>),
    /// One of these.
    Or(Vec<Self>),
    /// Known from the start; unknown when none.
    Known(Option<bool>),
}

/// What is compared.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar<C = Column> {
    /// A column.
    Column(C),
    /// A value.
    Value(Value),
    /// An aggregate of the query's grouping, by its place; only where groups are compared.
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

impl<C> Truth<C> {
    /// Whether it holds; `value` gives what a column or an aggregate has. Unknown is none.
    pub fn holds<'v>(&'v self, value: &impl Fn(&'v Scalar<C>) -> &'v Value) -> Option<bool> {
        let of = |scalar: &'v Scalar<C>| match scalar {
            Scalar::Value(value) => value,
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
            Self::Not(truth) => truth.holds(value).map(|holds| !holds),
            Self::And(all) => {
                any(all.iter().map(|truth| truth.holds(value).map(|holds| !holds))).map(|no| !no)
            }
            Self::Or(some) => any(some.iter().map(|truth| truth.holds(value))),
            Self::Known(known) => *known,
        }
    }

    /// The same condition on something else than columns and aggregates; none where one of them has no place.
    pub fn map<D>(&self, place: &impl Fn(&Scalar<C>) -> Option<D>) -> Option<Truth<D>> {
        let scalar = |scalar: &Scalar<C>| match scalar {
            Scalar::Value(value) => Some(Scalar::Value(value.clone())),
            other => place(other).map(Scalar::Column),
        };
        let all = |truths: &[Self]| truths.iter().map(|truth| truth.map(place)).collect::<Option<Vec<_>>>();
        Some(match self {
            Self::Compare(one, comparison, two) => Truth::Compare(scalar(one)?, *comparison, scalar(two)?),
            Self::In(one, list) => Truth::In(scalar(one)?, list.iter().map(scalar).collect::<Option<_>>()?),
            Self::Like(one, pattern) => Truth::Like(scalar(one)?, pattern.clone()),
            Self::IsNull(one) => Truth::IsNull(scalar(one)?),
            Self::Not(truth) => Truth::Not(Box::new(truth.map(place)?)),
            Self::And(truths) => Truth::And(all(truths)?),
            Self::Or(truths) => Truth::Or(all(truths)?),
            Self::Known(known) => Truth::Known(*known),
        })
    }
}

impl Truth {
    /// Calls with every column in it.
    pub fn columns<'t>(&'t self, take: &mut impl FnMut(&'t Column)) {
        let mut scalar = |scalar: &'t Scalar| {
            if let Scalar::Column(column) = scalar {
                take(column);
            }
        };
        match self {
            Self::Compare(one, _, two) => [one, two].into_iter().for_each(scalar),
            Self::In(one, list) => std::iter::once(one).chain(list).for_each(scalar),
            Self::Like(one, _) | Self::IsNull(one) => scalar(one),
            Self::Not(truth) => truth.columns(take),
            Self::And(all) | Self::Or(all) => all.iter().for_each(|truth| truth.columns(take)),
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

    /// The conditions that all must hold for this to hold, none of which is an `AND`.
    pub fn conjuncts(self, into: &mut Vec<Self>) {
        match self {
            Self::And(all) => all.into_iter().for_each(|truth| truth.conjuncts(into)),
            other => into.push(other),
        }
    }

    /// The two columns of different sources that must be equal, when it says nothing else.
    pub fn joins(&self) -> Option<(&Column, &Column)> {
        match self {
            Self::Compare(Scalar::Column(one), Comparison::Eq, Scalar::Column(two))
                if one.source != two.source =>
            {
                Some((one, two))
            }
            _ => None,
        }
    }
}

/// True when one is, false when all are, else unknown.
fn any(truths: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all_known = true;
    for truth in truths {
        match truth {
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

    fn value(value: Value) -> Scalar {
        Scalar::Value(value)
    }

    fn holds(truth: &Truth<Column>) -> Option<bool> {
        truth.holds(&|_| panic!("there are no columns here"))
    }

    #[test]
    fn three_truths_are_put_together_as_sql_does() {
        let all = [Some(true), Some(false), None];
        for one in all {
            for two in all {
                let both = vec![Truth::Known(one), Truth::Known(two)];
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
                assert_eq!(holds(&Truth::And(both.clone())), and, "{one:?} and {two:?}");
                assert_eq!(holds(&Truth::Or(both)), or, "{one:?} or {two:?}");
            }
            assert_eq!(holds(&Truth::Not(Box::new(Truth::Known(one)))), one.map(|truth| !truth));
        }
    }

    #[test]
    fn a_null_in_a_list_makes_no_unknown() {
        let list = vec![value(Value::Int(1)), value(Value::Null)];
        assert_eq!(holds(&Truth::In(value(Value::Int(1)), list.clone())), Some(true));
        assert_eq!(holds(&Truth::In(value(Value::Int(2)), list.clone())), None);
        assert_eq!(holds(&Truth::In(value(Value::Null), list)), None);
        assert_eq!(holds(&Truth::In(value(Value::Int(2)), Vec::new())), Some(false));
    }

    #[test]
    fn nulls_compare_as_unknown() {
        let null = || value(Value::Null);
        for comparison in [Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Ge] {
            assert_eq!(holds(&Truth::Compare(null(), comparison, value(Value::Int(1)))), None);
        }
        assert_eq!(holds(&Truth::IsNull(null())), Some(true));
        assert_eq!(holds(&Truth::Like(null(), Pattern::parse("%", None).unwrap())), None);
    }
}
