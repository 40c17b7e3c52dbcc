//! HYRISE's layouter: columns used alike are primary partitions; the graph of how often they are used together is cut
//! into small subgraphs; in each, the best grouping of all is found; in the end families of different subgraphs are put
//! together as long as it pays.

use crate::families::ledger::{Ledger, is_less};
use crate::families::{ColumnSet, Evaluator, Method, Outcome, affinity, atoms, greedy, limit};

/// With more primary partitions subgraphs have at most six of them: 203 groupings each.
const MANY: usize = 64;

/// HYRISE's layouter.
#[derive(Clone, Copy, Debug)]
pub struct Hyrise {
    /// The most primary partitions in a subgraph. All groupings of a subgraph are priced: 4,140 of eight partitions.
    pub subgraph_max: usize,
}

impl Default for Hyrise {
    fn default() -> Self {
        Self { subgraph_max: 8 }
    }
}

impl Method for Hyrise {
    fn name(&self) -> &'static str {
        "hyrise"
    }

    fn origin(&self) -> &'static str {
        "Grund, Krüger, Plattner, Zeier, Cudré-Mauroux and Madden, HYRISE: A Main Memory Hybrid Storage Engine, \
         PVLDB 4(2), 2010"
    }

    fn run(&self, evaluator: &Evaluator<'_>, _seed: u64) -> Outcome {
        if let Some(outcome) = limit::no_columns(evaluator) {
            return outcome;
        }
        let mut outcome = Outcome::default();
        let problem = evaluator.problem();
        let pricing = evaluator.model().pricing(problem);
        let primary = atoms::atoms(problem);
        let graph = affinity::matrix(problem, &primary);
        let mut families = Vec::new();
        let mut home = Vec::new();
        let size_max = if primary.len() > MANY { self.subgraph_max.min(6) } else { self.subgraph_max };
        for subgraph in affinity::subgraphs(&graph, size_max) {
            let parts: Vec<ColumnSet> = subgraph.iter().filter_map(|at| primary.get(*at)).cloned().collect();
            home.push(parts.iter().fold(ColumnSet::new(), |all, part| all.union(part)));
            let mut ledger = Ledger::new(evaluator, &*pricing, parts.clone());
            families.extend(best_grouping(&mut ledger, &parts));
        }
        let mut ledger = Ledger::new(evaluator, &*pricing, families);
        let is_across =
            |a: &ColumnSet, b: &ColumnSet| !home.iter().any(|group| a.is_subset(group) && b.is_subset(group));
        let (fewest, _) = limit::bounds(problem);
        outcome.out_of_time = !greedy::merge_pairs(&mut ledger, fewest, usize::MAX, is_across);
        limit::settle(&mut ledger, &mut outcome);
        limit::close(&ledger, outcome)
    }
}

/// The cheapest of all groupings of a few parts, priced on these parts alone. When time is up, of those priced so far.
fn best_grouping(ledger: &mut Ledger<'_>, parts: &[ColumnSet]) -> Vec<ColumnSet> {
    let mut best = (ledger.cost(), parts.to_vec());
    let mut places = vec![0; parts.len()];
    loop {
        let mut families = vec![ColumnSet::new(); places.iter().max().map_or(0, |most| most + 1)];
        for (part, place) in parts.iter().zip(&places) {
            if let Some(family) = families.get_mut(*place) {
                family.unite(part);
            }
        }
        ledger.replace_all(families);
        if is_less(ledger.cost(), best.0) {
            best = (ledger.cost(), ledger.families());
        }
        if !next_grouping(&mut places) || ledger.evaluator().is_time_up() {
            return best.1;
        }
    }
}

/// Goes to the next grouping; false after the last. Each part says in which family it is, and a new family has the next
/// number, so that no grouping comes twice.
fn next_grouping(places: &mut [usize]) -> bool {
    for at in (1..places.len()).rev() {
        let highest_before = places.iter().take(at).max().copied().unwrap_or(0);
        let Some(place) = places.get_mut(at) else { continue };
        if *place <= highest_before {
            *place += 1;
            places.iter_mut().skip(at + 1).for_each(|later| *later = 0);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_grouping_comes_once() {
        for (parts, bell_number) in [(1, 1), (2, 2), (3, 5), (4, 15), (8, 4_140)] {
            let mut places = vec![0; parts];
            let mut seen = std::collections::HashSet::from([places.clone()]);
            while next_grouping(&mut places) {
                assert!(seen.insert(places.clone()));
            }
            assert_eq!(seen.len(), bell_number);
        }
    }
}
