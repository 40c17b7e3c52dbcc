//! Which set of candidates: the one that answers every demand at least total cost, proven.
//!
//! ```text
//!  Problem ──dominance──▶ without candidates that others beat ──components──▶ parts without a candidate in common
//!     each: greedy ──▶ a first set ──narrow: bound (Lagrange), drop what is hopeless──▶ few candidates and choices
//!           ──search: bound, probe, branch by two rules in turn──▶ the optimum, or the best and a bound
//! ```
//!
//! It is the uncapacitated facility location problem with three additions: a demand may need several candidates at once
//! (a join in steps), a demand may stand only when certain candidates are kept (what keeping a copy has to read), and of
//! some candidates at most one may be kept (one row is all that is atomic).

mod bound;
mod components;
mod dominance;
mod greedy;
mod problem;
mod search;
#[cfg(test)]
mod tests;

pub use problem::{Alternative, Choice, Demand, Problem, Served, Slot};

use std::time::Instant;

/// A set of candidates, and how sure it is that no other costs less.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// Whether each candidate is kept.
    pub kept: Vec<bool>,
    /// What the set costs.
    pub cost: f64,
    /// No set costs less than this.
    pub bound: f64,
    /// Sets that were looked at with a bound.
    pub nodes: u64,
}

/// Costs this close, as a share, are the same: sums in another order differ in their last digits.
const SAME: f64 = 1e-9;

impl Selection {
    /// Whether it is proven that no set costs less.
    pub fn is_proven(&self) -> bool {
        self.cost - self.bound <= SAME * self.cost.abs().max(1.0)
    }

    /// By how much, as a share of the cost, another set could be cheaper.
    pub fn gap(&self) -> f64 {
        if self.is_proven() { 0.0 } else { (self.cost - self.bound) / self.cost.abs().max(f64::MIN_POSITIVE) }
    }
}

/// The set of candidates of least cost; `None` when no set serves every demand.
pub fn select(problem: &Problem, deadline: Option<Instant>) -> Option<Selection> {
    let beaten = dominance::beaten(problem);
    let left = components::without(problem, &|candidate| problem::is(&beaten, candidate));
    let mut all = Selection { kept: vec![false; problem.keeping.len()], cost: 0.0, bound: 0.0, nodes: 0 };
    for component in components::of(&left.problem) {
        let found = search::solve(&component.problem, deadline)?;
        for (candidate, is_kept) in component.candidates.iter().zip(&found.kept) {
            let place = left.candidates.get(*candidate).and_then(|old| all.kept.get_mut(*old));
            place.into_iter().for_each(|place| *place = *is_kept);
        }
        all.cost += found.cost;
        all.bound += found.bound;
        all.nodes += found.nodes;
    }
    Some(all)
}
