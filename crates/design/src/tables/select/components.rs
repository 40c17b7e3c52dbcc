//! Parts of a problem that have no candidate in common: each is solved alone, and the sum is the optimum.

use std::collections::BTreeMap;

use super::{Choice, Demand, Problem};

/// A part of a problem, its candidates numbered anew.
pub(super) struct Component {
    pub problem: Problem,
    /// The numbers that the candidates have in the whole problem.
    pub candidates: Vec<usize>,
}

/// The problem without the candidates that are out, those that are left numbered anew.
pub(super) fn without(problem: &Problem, is_out: &dyn Fn(usize) -> bool) -> Component {
    let candidates: Vec<usize> = (0..problem.keeping.len()).filter(|old| !is_out(*old)).collect();
    let new: BTreeMap<usize, usize> = candidates.iter().enumerate().map(|(new, old)| (*old, new)).collect();
    let keeping = candidates.iter().filter_map(|old| problem.keeping.get(*old).copied()).collect();
    // What stands only with candidates that are out never stands.
    let stands =
        |demand: &&Demand| demand.when.is_empty() || demand.when.iter().any(|old| new.contains_key(old));
    let demands = problem.demands.iter().filter(stands).map(|demand| renumbered(demand, &new)).collect();
    let conflicts = problem.conflicts.iter().map(|conflict| numbers(conflict, &new)).collect();
    Component { problem: Problem { keeping, demands, conflicts }, candidates }
}

/// The parts of a problem. A demand without candidates is a part of its own.
pub(super) fn of(problem: &Problem) -> Vec<Component> {
    let mut groups = Groups::new(problem.keeping.len());
    let members: Vec<Vec<usize>> = problem.demands.iter().map(members).collect();
    for together in members.iter().chain(&problem.conflicts) {
        together.iter().zip(together.iter().skip(1)).for_each(|(one, two)| groups.unite(*one, *two));
    }
    let mut by_group: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    (0..problem.keeping.len())
        .for_each(|candidate| by_group.entry(Some(groups.find(candidate))).or_default().push(candidate));
    if members.iter().any(Vec::is_empty) {
        by_group.entry(None).or_default();
    }
    let component = |(group, candidates): (Option<usize>, Vec<usize>)| {
        let new: BTreeMap<usize, usize> =
            candidates.iter().enumerate().map(|(new, old)| (*old, new)).collect();
        let is_here = |together: &Vec<usize>| match (together.first(), group) {
            (Some(first), Some(_)) => new.contains_key(first),
            (None, None) => true,
            _ => false,
        };
        let own = problem.demands.iter().zip(&members).filter(|(_, members)| is_here(members));
        let demands = own.map(|(demand, _)| renumbered(demand, &new)).collect();
        let conflicts = problem.conflicts.iter().filter(|conflict| is_here(conflict));
        let conflicts = conflicts.map(|conflict| numbers(conflict, &new)).collect();
        let keeping = candidates.iter().filter_map(|old| problem.keeping.get(*old).copied()).collect();
        Component { problem: Problem { keeping, demands, conflicts }, candidates }
    };
    by_group.into_iter().map(component).collect()
}

fn members(demand: &Demand) -> Vec<usize> {
    let slots = demand.alternatives.iter().flat_map(|way| &way.slots);
    let choices = slots.flat_map(|slot| slot.choices.iter().map(|choice| choice.candidate));
    demand.when.iter().copied().chain(choices).collect()
}

fn numbers(old: &[usize], new: &BTreeMap<usize, usize>) -> Vec<usize> {
    old.iter().filter_map(|candidate| new.get(candidate).copied()).collect()
}

fn renumbered(demand: &Demand, new: &BTreeMap<usize, usize>) -> Demand {
    let mut demand = demand.clone();
    demand.when = numbers(&demand.when, new);
    for slot in demand.alternatives.iter_mut().flat_map(|way| &mut way.slots) {
        let left = slot
            .choices
            .iter()
            .filter_map(|choice| Some(Choice { candidate: *new.get(&choice.candidate)?, cost: choice.cost }));
        slot.choices = left.collect();
    }
    demand
}

/// Sets that grow together.
struct Groups(Vec<usize>);

impl Groups {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn find(&self, mut one: usize) -> usize {
        while let Some(above) = self.0.get(one).copied().filter(|above| *above != one) {
            one = above;
        }
        one
    }

    fn unite(&mut self, one: usize, two: usize) {
        let (one, two) = (self.find(one), self.find(two));
        let (low, high) = (one.min(two), one.max(two));
        if let Some(place) = self.0.get_mut(high) {
            *place = low;
        }
    }
}
