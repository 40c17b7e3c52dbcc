//! What a search moves about: elements, each a set of columns that stay together.
//!
//! The fewer elements, the smaller the search. Columns that exactly the same asks use make one element, a bundle.

use std::collections::BTreeMap;

use crate::families::{Ask, ColumnSet, Problem};

/// The columns of a table as elements.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    /// The columns of each element.
    pub(super) columns: Vec<ColumnSet>,
    /// Whether some element has more than one column.
    pub(super) are_bundles: bool,
}

impl Elements {
    /// Elements with these columns.
    pub(super) fn new(columns: Vec<ColumnSet>) -> Self {
        Self { are_bundles: columns.iter().any(|element| element.len() > 1), columns }
    }

    /// Every column is an element.
    pub(super) fn each_column(columns: usize) -> Self {
        Self::new((0..columns).map(|column| ColumnSet::from_iter([column])).collect())
    }

    /// Columns that the same asks use are one element.
    pub(super) fn used_alike<'a>(columns: usize, asks: impl Iterator<Item = &'a Ask>) -> Self {
        let mut used_by = vec![Vec::new(); columns];
        for (index, ask) in asks.enumerate() {
            for column in ask.columns.iter() {
                if let Some(users) = used_by.get_mut(column) {
                    users.push(index);
                }
            }
        }
        let mut bundles: BTreeMap<Vec<usize>, ColumnSet> = BTreeMap::new();
        for (column, users) in used_by.into_iter().enumerate() {
            bundles.entry(users).or_default().insert(column);
        }
        let mut bundles: Vec<ColumnSet> = bundles.into_values().collect();
        bundles.sort_by_key(|bundle| bundle.iter().next());
        Self::new(bundles)
    }

    /// Breaks up bundles until there are so many elements; first those that are read least.
    pub(super) fn broken_up(mut self, elements: usize, problem: &Problem) -> Self {
        let rate = |columns: &ColumnSet| -> f64 {
            problem.reads().filter(|ask| ask.columns.intersects(columns)).map(|ask| ask.rate).sum()
        };
        let rates: Vec<f64> = self.columns.iter().map(rate).collect();
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        let rate_of = |index: &usize| rates.get(*index).copied().unwrap_or_default();
        order.sort_by(|a, b| rate_of(a).total_cmp(&rate_of(b)));
        for index in order {
            while self.columns.len() < elements {
                let Some(bundle) = self.columns.get_mut(index).filter(|bundle| bundle.len() > 1) else {
                    break;
                };
                let Some(column) = bundle.iter().next() else { break };
                bundle.remove(column);
                self.columns.push(ColumnSet::from_iter([column]));
            }
        }
        Self::new(self.columns)
    }

    /// The elements with the smallest weight first; of equals, in the order that they have.
    pub(super) fn sorted_by(&self, weights: &[f64]) -> Self {
        let mut weighed: Vec<_> = weights.iter().zip(&self.columns).collect();
        weighed.sort_by(|a, b| a.0.total_cmp(b.0));
        Self::new(weighed.into_iter().map(|(_, columns)| columns.clone()).collect())
    }

    /// The last elements.
    pub(super) fn last(&self, count: usize) -> Self {
        Self::new(self.columns.iter().skip(self.len().saturating_sub(count)).cloned().collect())
    }

    /// How many.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// The elements that have a column of the set, as bits.
    pub(super) fn touched_by(&self, set: &ColumnSet) -> u32 {
        let touched = |(_, columns): &(usize, &ColumnSet)| columns.intersects(set);
        self.columns.iter().take(32).enumerate().filter(touched).fold(0, |bits, (index, _)| bits | 1 << index)
    }

    /// The columns of a set of elements.
    pub(super) fn columns_of(&self, bits: u32) -> ColumnSet {
        let mut columns = ColumnSet::new();
        let chosen = self.columns.iter().take(32).enumerate().filter(|(index, _)| bits >> index & 1 == 1);
        chosen.for_each(|(_, set)| columns.unite(set));
        columns
    }
}
