//! The proven optimum.
//!
//! Where no proof is within reach, the best grouping that was found, and a bound that nothing can be below.

mod additive;
mod copies;
mod cover;
mod disk;
mod incumbent;
mod reduce;
mod search;
mod table;

use std::any::Any;

use self::incumbent::Grouping;
use crate::families::cost::{Disk, Paper};
use crate::families::{Evaluator, Method, Outcome};

/// The proven optimum: dynamic programming for bounds, branch and bound for what is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exact {
    sizes: Sizes,
}

/// What is small enough for a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sizes {
    /// Up to so many columns each is an element.
    columns: usize,
    /// Up to so many elements, be they columns or bundles of them, are searched.
    elements: usize,
    /// The same two where columns may be in several families.
    columns_with_copies: usize,
    elements_with_copies: usize,
}

impl Default for Sizes {
    /// The tables of a search have 2^20 places at the most; each number of families takes 3^19 / 2 steps to fill one.
    fn default() -> Self {
        Self { columns: 16, elements: 20, columns_with_copies: 24, elements_with_copies: 24 }
    }
}

/// What a solver found.
struct Answer {
    best: Grouping,
    /// Nothing costs less. The cost of the best: proven.
    bound: Option<f64>,
    /// Whether time ran out before the proof.
    is_cut_short: bool,
    notes: Vec<String>,
}

impl Method for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn origin(&self) -> &'static str {
        "the proven optimum: branch and bound with bounds from dynamic programming"
    }

    fn run(&self, evaluator: &Evaluator<'_>, _seed: u64) -> Outcome {
        let problem = evaluator.problem();
        let columns = problem.columns.len();
        let allowed = problem.limit.fewest(columns)..=problem.limit.most(columns);
        if allowed.is_empty() {
            let note = "no families are allowed; allow at least one".to_owned();
            return Outcome { notes: vec![note], ..Outcome::default() };
        }
        let model: &dyn Any = evaluator.model();
        let answer = if columns == 0 {
            let cost = evaluator.cost(&[]);
            Answer { best: (Vec::new(), cost), bound: Some(cost), is_cut_short: false, notes: Vec::new() }
        } else if let Some(disk) = model.downcast_ref::<Disk>() {
            disk::solve(*disk, evaluator, &allowed, self.sizes)
        } else if let Some(linear) = evaluator.model().linear(problem) {
            cover::solve_linear(linear, evaluator, &allowed, self.sizes)
        } else if let Some(paper) = model.downcast_ref::<Paper>() {
            cover::solve_paper(*paper, evaluator, &allowed, self.sizes)
        } else {
            return Outcome::default();
        };
        Outcome {
            families: Some(answer.best.0),
            bound: answer.bound,
            out_of_time: answer.is_cut_short,
            notes: answer.notes,
            convergence: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
