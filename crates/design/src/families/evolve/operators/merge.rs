//! Merge (figure 5): two families become one; columns that both had are there once.

use super::two_of;
use crate::families::evolve::individual::remove_repeated;
use crate::families::evolve::{Individual, Rules};

/// Puts the second family at the end of the first.
pub fn pair(individual: &mut Individual, first: usize, second: usize) {
    if first == second || first.max(second) >= individual.chromosomes.len() {
        return;
    }
    let genes = individual.chromosomes.remove(second);
    let first = if second < first { first - 1 } else { first };
    if let Some(into) = individual.chromosomes.get_mut(first) {
        into.extend(genes);
        remove_repeated(into);
    }
}

/// Merges two random families, when there may be one less. What is then against the rules is repaired.
pub fn random(individual: &mut Individual, rules: &Rules, random: &mut fastrand::Rng) {
    if individual.chromosomes.len() <= rules.fewest {
        return;
    }
    if let Some((first, second)) = two_of(individual.chromosomes.len(), random) {
        pair(individual, first, second);
        individual.repair(rules, random);
    }
}
