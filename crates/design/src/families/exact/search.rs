//! Branch and bound over whole families.
//!
//! A node is some families and the elements that are left. It branches into every family that holds the highest element
//! left: each grouping comes up once. What is placed costs at least [`Pricing::placed`] whatever follows, what is left at
//! least [`Completion::least`]; a node whose sum reaches the best known cost holds nothing better.
#![expect(clippy::indexing_slicing, reason = "sets of elements index tables that have a place for every set")]

use std::ops::RangeInclusive;

use super::additive::Completion;
use crate::families::Evaluator;

/// Costs are sums of rounded numbers: a difference of less than this part is none.
const TOLERANCE: f64 = 1e-10;

/// Nodes between two looks at the clock.
const NODES_A_LOOK: u64 = 1 << 8;

/// Whether a bound leaves no room for something better than the best known.
pub(super) fn is_hopeless(bound: f64, best_known: f64) -> bool {
    bound >= best_known * (1.0 - TOLERANCE)
}

/// Lower bounds that a search lives on.
pub(super) trait Pricing {
    /// What a search keeps of the families placed so far.
    type Placed: Default;

    /// At least what each set of elements costs as a family, whatever the other families are.
    fn families(&self) -> &[f64];

    /// What is placed, with one more family.
    fn place(&self, state: &Self::Placed, placed: &[u32], family: u32) -> Self::Placed;

    /// At least what the placed families cost, whatever the others are.
    fn placed(&self, state: &Self::Placed) -> f64;
}

/// What a search does with the groupings that it finds.
pub(super) trait Visitor {
    /// The best known cost: what costs as much is of no interest.
    fn best_known(&self) -> f64;

    /// A grouping whose bound is below the best known cost. False: the search has to end.
    fn visit(&mut self, families: &[u32]) -> bool;
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    /// Every grouping with a bound below the best known cost was visited.
    Complete,
    /// It was stopped. What was not visited costs at least this.
    Stopped(f64),
}

impl End {
    /// Nothing costs less, if this is the best that was found.
    pub(super) fn bound(self, best: f64) -> f64 {
        match self {
            Self::Complete => best,
            Self::Stopped(bound) => bound.min(best),
        }
    }
}

/// A search for the cheapest groupings.
pub(super) struct Search<'a, 'e, P: Pricing, V> {
    pub(super) pricing: &'a P,
    pub(super) completion: &'a Completion,
    pub(super) elements: usize,
    pub(super) families: RangeInclusive<usize>,
    pub(super) evaluator: &'a Evaluator<'e>,
    pub(super) visitor: &'a mut V,
    pub(super) nodes: u64,
}

impl<P: Pricing, V: Visitor> Search<'_, '_, P, V> {
    /// Searches. The most promising first families come first, so that the bound grows as time goes by.
    pub(super) fn run(mut self) -> End {
        if self.elements == 0 {
            return End::Complete;
        }
        let all = u32::MAX >> (32 - self.elements.min(32));
        let nothing = P::Placed::default();
        for (bound, family) in self.branches(all, 0, 0.0) {
            if is_hopeless(bound, self.visitor.best_known()) {
                break;
            }
            if self.place(family, all, &nothing, &mut Vec::new()).is_none() {
                return End::Stopped(bound);
            }
        }
        self.evaluator.count(self.nodes % NODES_A_LOOK);
        End::Complete
    }

    /// The families with the highest element left that may be part of something better, after their bounds.
    fn branches(&self, left: u32, used: usize, placed_cost: f64) -> Vec<(f64, u32)> {
        let highest = 1 << (31 - left.leading_zeros());
        let others = left ^ highest;
        let prices = self.pricing.families();
        let best_known = self.visitor.best_known();
        let mut branches = Vec::new();
        let mut with = others;
        loop {
            let family = with | highest;
            let least_left = self.completion.least(others ^ with, used + 1);
            let bound = placed_cost + prices[family as usize] + least_left;
            if !is_hopeless(bound, best_known) {
                branches.push((bound, family));
            }
            if with == 0 {
                break;
            }
            with = (with - 1) & others;
        }
        branches.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        branches
    }

    /// Goes on with one more family; `None` when the search has to end.
    fn place(&mut self, family: u32, left: u32, state: &P::Placed, placed: &mut Vec<u32>) -> Option<()> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_A_LOOK) {
            self.evaluator.count(NODES_A_LOOK);
            if self.evaluator.is_time_up() {
                return None;
            }
        }
        let state = self.pricing.place(state, placed, family);
        placed.push(family);
        let done = self.go_on(left & !family, &state, placed);
        placed.pop();
        done
    }

    fn go_on(&mut self, left: u32, state: &P::Placed, placed: &mut Vec<u32>) -> Option<()> {
        let cost = self.pricing.placed(state);
        if is_hopeless(cost + self.completion.least(left, placed.len()), self.visitor.best_known()) {
            return Some(());
        }
        if left == 0 {
            let counts = self.families.contains(&placed.len());
            return (!counts || self.visitor.visit(placed)).then_some(());
        }
        for (bound, family) in self.branches(left, placed.len(), cost) {
            if is_hopeless(bound, self.visitor.best_known()) {
                break;
            }
            self.place(family, left, state, placed)?;
        }
        Some(())
    }
}
