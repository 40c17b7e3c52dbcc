//! The optimum of costs that know copies: linear ones, as `bytes` and `store` are, and the paper's.
//!
//! 1. A good grouping by climbing, without and with copies.
//! 2. For each number of families that is allowed, branch and bound over where each element goes ([`search`]).
//!
//! With few columns each is an element, and the end of the search is a proof. Where a linear cost has many, columns that
//! the same asks use go together: without the rounding to blocks, and with the families that each ask loads given, each
//! of them costs the same in the same families, so that parting them gains nothing. The least cost without that rounding
//! is then a bound for all groupings.

mod linear;
mod paper;
mod search;

use std::ops::RangeInclusive;

use self::linear::LinearBounds;
use self::paper::PaperBounds;
use self::search::{Bounds, CoverSearch, FAMILIES_MOST};
use super::incumbent::{self, Grouping};
use super::reduce::Elements;
use super::{Answer, Sizes, copies};
use crate::families::cost::{Linear, Paper, Pricing};
use crate::families::{ColumnSet, Evaluator};

/// Solves a problem under a linear cost.
pub(super) fn solve_linear(
    linear: Linear,
    evaluator: &Evaluator<'_>,
    allowed: &RangeInclusive<usize>,
    sizes: Sizes,
) -> Answer {
    let problem = evaluator.problem();
    let columns = problem.columns.len();
    let elements = if columns <= sizes.columns_with_copies {
        Elements::each_column(columns)
    } else {
        Elements::used_alike(columns, problem.asks.iter()).broken_up(*allowed.start(), problem)
    };
    let (elements, mut is_like_last) = in_order(&elements, evaluator, &linear);
    // Of copies it matters, too, what each takes to be written.
    let written: Vec<f64> =
        elements.columns.iter().map(|element| linear::written(&linear, element)).collect();
    let written_alike = written.iter().zip(written.iter().skip(1)).map(|(a, b)| a == b);
    is_like_last.iter_mut().skip(1).zip(written_alike).for_each(|(is_like, alike)| *is_like &= alike);
    let bounds = LinearBounds::new(linear, problem, &elements);
    Solver { evaluator, allowed, sizes, elements, is_like_last }.solve(&bounds)
}

/// Solves a problem under the paper's cost.
pub(super) fn solve_paper(
    paper: Paper,
    evaluator: &Evaluator<'_>,
    allowed: &RangeInclusive<usize>,
    sizes: Sizes,
) -> Answer {
    let problem = evaluator.problem();
    let pricing = evaluator.model().pricing(problem);
    let columns = Elements::each_column(problem.columns.len());
    let (elements, mut is_like_last) = in_order(&columns, evaluator, &*pricing);
    if pricing.minds_loads() {
        // Of covers with equally many families the first by name is loaded: columns used alike are not quite alike.
        is_like_last.fill(false);
    }
    let bounds = PaperBounds::new(&paper, problem, &elements);
    Solver { evaluator, allowed, sizes, elements, is_like_last }.solve(&bounds)
}

/// The elements in the order in which they are placed, and whether each is interchangeable with the one before.
///
/// Query by query, those first that soonest have all they need, for their rate: then their cost is known.
fn in_order(elements: &Elements, evaluator: &Evaluator<'_>, pricing: &dyn Pricing) -> (Elements, Vec<bool>) {
    let asks = &evaluator.problem().asks;
    let mut left: Vec<(Vec<usize>, f64, &ColumnSet)> = Vec::new();
    for columns in &elements.columns {
        let users = asks.iter().enumerate().filter(|(_, ask)| ask.columns.intersects(columns));
        let weight = columns.iter().map(|column| pricing.weight(column)).sum();
        left.push((users.map(|(index, _)| index).collect(), weight, columns));
    }
    left.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.0.cmp(&b.0)).then(b.1.total_cmp(&a.1)));
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let gain = |index: usize| {
            let needs = left.iter().filter(|(users, ..)| users.contains(&index)).count();
            asks.get(index).filter(|_| needs > 0).map_or(f64::NEG_INFINITY, |ask| ask.rate / needs as f64)
        };
        let next = (0..asks.len()).max_by(|a, b| gain(*a).total_cmp(&gain(*b)));
        let next = next.filter(|index| gain(*index) > f64::NEG_INFINITY);
        let is_next = |users: &[usize]| next.is_none_or(|next| users.contains(&next));
        let (taken, rest) = left.into_iter().partition(|(users, ..)| is_next(users));
        let taken: Vec<_> = taken;
        ordered.extend(taken);
        left = rest;
    }
    let likes = ordered.iter().zip(ordered.iter().skip(1)).map(|(a, b)| a.0 == b.0 && a.1 == b.1);
    let is_like_last = [false].into_iter().chain(likes).collect();
    (Elements::new(ordered.into_iter().map(|(.., columns)| columns.clone()).collect()), is_like_last)
}

struct Solver<'a, 'e> {
    evaluator: &'a Evaluator<'e>,
    allowed: &'a RangeInclusive<usize>,
    sizes: Sizes,
    elements: Elements,
    is_like_last: Vec<bool>,
}

impl Solver<'_, '_> {
    fn solve(&self, bounds: &impl Bounds) -> Answer {
        let start = incumbent::climb(&self.elements.columns, self.allowed, self.evaluator);
        let best = copies::climb(&self.elements.columns, self.allowed, self.evaluator, start);
        let (best, bound) = self.search(bounds, best);
        let bound = bound.min(best.1);
        let notes = match bound < best.1 {
            true => {
                vec!["with copies allowed there are too many groupings to look at for a proof".to_owned()]
            }
            false => Vec::new(),
        };
        Answer {
            is_cut_short: bound < best.1 && self.evaluator.is_time_up(),
            bound: Some(bound),
            best,
            notes,
        }
    }

    /// Searches each number of families, and gives the best grouping and what nothing is below.
    fn search(&self, bounds: &impl Bounds, mut best: Grouping) -> (Grouping, f64) {
        // Putting a bundle together can empty a family: then fewer families count for the bound, too.
        let fewest = if self.elements.are_bundles { 1 } else { *self.allowed.start() };
        let (mut bound, mut bounded) = (f64::INFINITY, 0);
        for families in fewest..=*self.allowed.end() {
            let is_small =
                families <= FAMILIES_MOST && self.elements.len() <= self.sizes.elements_with_copies;
            if !is_small {
                bound = bound.min(bounds.at_least_with(families));
                continue;
            }
            let best_known = best.1;
            let mut search = CoverSearch {
                bounds,
                evaluator: self.evaluator,
                elements: self.elements.len(),
                is_like_last: &self.is_like_last,
                visit: |families: &[u32]| self.visit(families, &mut best),
                best_known,
                bounded: (bounded, bounded),
                least_visited: f64::INFINITY,
            };
            let found = search.run(families);
            bound = bound.min(found.open);
            bounded = search.bounded.0;
            if self.elements.are_bundles {
                bound = bound.min(found.least_visited);
            }
        }
        (best, bound)
    }

    fn visit(&self, families: &[u32], best: &mut Grouping) -> f64 {
        if self.allowed.contains(&families.len()) {
            let families: Vec<ColumnSet> =
                families.iter().map(|set| self.elements.columns_of(*set)).collect();
            let cost = self.evaluator.cost(&families);
            if cost < best.1 {
                *best = (families, cost);
            }
        }
        best.1
    }
}
