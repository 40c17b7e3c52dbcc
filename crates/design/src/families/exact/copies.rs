//! A good grouping with copies to begin with.
//!
//! From the best grouping without copies, and from a family for each query, merged down to what is allowed: columns are
//! copied, taken out, moved, and families dropped until nothing helps.

use std::ops::RangeInclusive;

use super::incumbent::Grouping;
use crate::families::{ColumnSet, Evaluator};

/// Sets compared in evaluations, all in all.
const EFFORT: u64 = 100_000_000;

/// More families than this are not merged pair by pair.
const MOST_TO_MERGE: usize = 60;

/// The better of the given grouping and what copies make of it.
pub(super) fn climb(
    elements: &[ColumnSet],
    allowed: &RangeInclusive<usize>,
    evaluator: &Evaluator<'_>,
    start: Grouping,
) -> Grouping {
    let problem = evaluator.problem();
    let work = problem.columns.len() + allowed.end() * (1 + problem.asks.len());
    let budget = (EFFORT / work.max(1) as u64).max(1_000);
    let mut climb = Climb { elements, allowed, evaluator, budget };
    let by_query = climb.family_for_each_query();
    let mut best = climb.improved(start);
    if let Some(by_query) = by_query {
        let other = climb.improved(by_query);
        if other.1 < best.1 {
            best = other;
        }
    }
    best
}

struct Climb<'a, 'e> {
    elements: &'a [ColumnSet],
    allowed: &'a RangeInclusive<usize>,
    evaluator: &'a Evaluator<'e>,
    /// Evaluations left.
    budget: u64,
}

impl Climb<'_, '_> {
    fn is_over(&self) -> bool {
        self.budget == 0 || self.evaluator.is_time_up()
    }

    fn ask(&mut self, families: &[ColumnSet]) -> f64 {
        self.budget = self.budget.saturating_sub(1);
        self.evaluator.cost(families)
    }

    /// A family for what each query reads and one for what none reads, merged where there are too many.
    fn family_for_each_query(&mut self) -> Option<Grouping> {
        let problem = self.evaluator.problem();
        let mut rest = ColumnSet::first(problem.columns.len());
        let mut families: Vec<ColumnSet> = Vec::new();
        for ask in problem.reads() {
            rest.subtract(&ask.columns);
            if !ask.columns.is_empty() && !families.contains(&ask.columns) {
                families.push(ask.columns.clone());
            }
        }
        if !rest.is_empty() {
            families.push(rest);
        }
        if families.len() > MOST_TO_MERGE {
            return None;
        }
        while families.len() > *self.allowed.end() {
            families = self.best_merge(&families)?;
        }
        let cost = self.ask(&families);
        self.allowed.contains(&families.len()).then_some((families, cost))
    }

    fn best_merge(&mut self, families: &[ColumnSet]) -> Option<Vec<ColumnSet>> {
        let mut best: Option<(Vec<ColumnSet>, f64)> = None;
        for second in 1..families.len() {
            for first in 0..second {
                if self.is_over() {
                    return best.map(|(families, _)| families);
                }
                let mut merged = families.to_vec();
                let other = merged.swap_remove(second);
                merged.iter_mut().skip(first).take(1).for_each(|family| family.unite(&other));
                let cost = self.ask(&merged);
                if !has_twins(&merged) && best.as_ref().is_none_or(|(_, least)| cost < *least) {
                    best = Some((merged, cost));
                }
            }
        }
        best.map(|(families, _)| families)
    }

    /// Changes one thing at a time as long as that helps.
    fn improved(&mut self, mut best: Grouping) -> Grouping {
        loop {
            let before = best.1;
            for place in 0..best.0.len() {
                for element in self.elements {
                    if self.is_over() {
                        return best;
                    }
                    self.try_element(&mut best, place, element);
                }
                self.try_without(&mut best, place);
            }
            self.try_families_of_queries(&mut best);
            if best.1 >= before {
                return best;
            }
        }
    }

    /// An element goes into a family, as a copy or away from another one; or it leaves the family.
    fn try_element(&mut self, best: &mut Grouping, place: usize, element: &ColumnSet) {
        let Some(family) = best.0.get(place) else { return };
        let mut changed = best.0.clone();
        if element.is_subset(family) {
            changed.iter_mut().skip(place).take(1).for_each(|family| family.subtract(element));
            self.try_grouping(best, changed);
            return;
        }
        changed.iter_mut().skip(place).take(1).for_each(|family| family.unite(element));
        let homes: Vec<usize> =
            (0..changed.len()).filter(|home| *home != place && is_in(&changed, *home, element)).collect();
        for home in homes {
            let mut moved = changed.clone();
            moved.iter_mut().skip(home).take(1).for_each(|family| family.subtract(element));
            self.try_grouping(best, moved);
        }
        self.try_grouping(best, changed);
    }

    fn try_without(&mut self, best: &mut Grouping, place: usize) {
        if place < best.0.len() {
            let mut fewer = best.0.clone();
            fewer.remove(place);
            self.try_grouping(best, fewer);
        }
    }

    fn try_families_of_queries(&mut self, best: &mut Grouping) {
        for ask in self.evaluator.problem().reads() {
            if self.is_over() {
                return;
            }
            let mut more = best.0.clone();
            more.push(ask.columns.clone());
            self.try_grouping(best, more);
        }
    }

    /// Takes a grouping if it is allowed and better.
    fn try_grouping(&mut self, best: &mut Grouping, mut families: Vec<ColumnSet>) {
        families.retain(|family| !family.is_empty());
        if has_twins(&families) || !self.evaluator.problem().allows(&families) {
            return;
        }
        let cost = self.ask(&families);
        if cost < best.1 {
            *best = (families, cost);
        }
    }
}

fn is_in(families: &[ColumnSet], place: usize, element: &ColumnSet) -> bool {
    families.get(place).is_some_and(|family| element.is_subset(family))
}

fn has_twins(families: &[ColumnSet]) -> bool {
    let mut rest = families.iter();
    while let Some(family) = rest.next() {
        if rest.clone().any(|other| other == family) {
            return true;
        }
    }
    false
}
