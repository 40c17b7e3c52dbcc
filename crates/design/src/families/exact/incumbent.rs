//! A good grouping to begin with: the better it is, the less a search has to look at.
//!
//! The better of hill climbing and some simple groupings; then elements move one by one until that helps no more.

use std::ops::RangeInclusive;

use crate::families::rivals::HillClimb;
use crate::families::{ColumnSet, Evaluator, Method};

/// Sets compared in evaluations, all in all, before a grouping is good enough to begin with: about a second.
const EFFORT: u64 = 200_000_000;

/// A grouping and its cost.
pub(super) type Grouping = (Vec<ColumnSet>, f64);

/// A good grouping of the elements into as many families as allowed.
pub(super) fn climb(
    elements: &[ColumnSet],
    allowed: &RangeInclusive<usize>,
    evaluator: &Evaluator<'_>,
) -> Grouping {
    let problem = evaluator.problem();
    let simple = [spread_out(elements, allowed), problem.one_family(), elements.to_vec()];
    let starts = HillClimb.run(evaluator, 0).families.into_iter().chain(simple);
    let allowed_starts = starts.filter(|start| problem.allows(start));
    let mut best: Grouping = (Vec::new(), f64::INFINITY);
    for start in allowed_starts {
        let cost = evaluator.cost(&start);
        if best.0.is_empty() || cost < best.1 {
            best = (start, cost);
        }
    }
    let work = problem.columns.len() + best.0.len() * (1 + problem.asks.len());
    let budget = EFFORT / work.max(1) as u64;
    Climb { allowed, evaluator, budget }.improved(elements, best)
}

/// As many families as may be: one element each, the rest together.
fn spread_out(elements: &[ColumnSet], allowed: &RangeInclusive<usize>) -> Vec<ColumnSet> {
    let (alone, rest) = elements.split_at(elements.len().min(*allowed.end()).saturating_sub(1));
    let mut families = alone.to_vec();
    families.push(rest.iter().fold(ColumnSet::new(), |all, element| all.union(element)));
    families
}

struct Climb<'a, 'e> {
    allowed: &'a RangeInclusive<usize>,
    evaluator: &'a Evaluator<'e>,
    /// Evaluations left.
    budget: u64,
}

impl Climb<'_, '_> {
    /// Moves elements until nothing helps.
    fn improved(&mut self, elements: &[ColumnSet], mut best: Grouping) -> Grouping {
        loop {
            let before = best.1;
            for element in elements {
                if self.budget == 0 || self.evaluator.is_time_up() {
                    return best;
                }
                if let Some(moved) = self.best_move(&best, element) {
                    best = moved;
                }
            }
            if best.1 >= before {
                return best;
            }
        }
    }

    /// The grouping with an element in another family, or one of its own, if that is better.
    fn best_move(&mut self, best: &Grouping, element: &ColumnSet) -> Option<Grouping> {
        let mut families = best.0.clone();
        let home = families.iter_mut().find(|family| element.is_subset(family))?;
        home.subtract(element);
        families.retain(|family| !family.is_empty());
        let first = if families.len() < *self.allowed.start() { families.len() } else { 0 };
        let end = families.len() + usize::from(families.len() < *self.allowed.end());
        let mut better: Option<Grouping> = None;
        for place in first..end {
            let mut moved = families.clone();
            match moved.get_mut(place) {
                Some(family) => family.unite(element),
                None => moved.push(element.clone()),
            }
            self.budget = self.budget.saturating_sub(1);
            let cost = self.evaluator.cost(&moved);
            if cost < better.as_ref().map_or(best.1, |(_, least)| *least) {
                better = Some((moved, cost));
            }
        }
        better
    }
}
