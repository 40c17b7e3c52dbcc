//! Crossover (figure 4): two families of an individual exchange parts of their lists; genes that a family then has twice
//! are removed.

use std::ops::Range;

use super::two_of;
use crate::families::evolve::individual::remove_repeated;
use crate::families::evolve::{Individual, Rules};

/// Exchanges the columns at `first_part` of one family with those at `second_part` of another. Each part takes the place
/// of the other. Nothing happens when a part is out of range or would leave its family empty.
pub fn exchange(
    individual: &mut Individual,
    first: usize,
    first_part: Range<usize>,
    second: usize,
    second_part: Range<usize>,
) {
    let (Some(a), Some(b)) = (individual.chromosomes.get(first), individual.chromosomes.get(second)) else {
        return;
    };
    let (Some(from_a), Some(from_b)) = (a.get(first_part.clone()), b.get(second_part.clone())) else {
        return;
    };
    if first == second
        || a.len() - from_a.len() + from_b.len() == 0
        || b.len() - from_b.len() + from_a.len() == 0
    {
        return;
    }
    let (from_a, from_b) = (from_a.to_vec(), from_b.to_vec());
    if let Some(genes) = individual.chromosomes.get_mut(first) {
        genes.splice(first_part, from_b);
        remove_repeated(genes);
    }
    if let Some(genes) = individual.chromosomes.get_mut(second) {
        genes.splice(second_part, from_a);
        remove_repeated(genes);
    }
}

/// Exchanges random parts of two random families. What is then against the rules is repaired.
pub fn random(individual: &mut Individual, rules: &Rules, random: &mut fastrand::Rng) {
    let Some((first, second)) = two_of(individual.chromosomes.len(), random) else { return };
    let mut part = |family: usize| {
        let length = individual.chromosomes.get(family).map_or(0, Vec::len);
        let start = random.usize(0..=length);
        start..random.usize(start..=length)
    };
    let (first_part, second_part) = (part(first), part(second));
    exchange(individual, first, first_part, second, second_part);
    individual.repair(rules, random);
}
