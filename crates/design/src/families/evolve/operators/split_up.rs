//! Split-up (figure 5): a family is cut in two at a dividing point; what comes after it is a new family.

use crate::families::evolve::{Individual, Rules};

/// Cuts a family before the gene at `point`. Nothing happens when one side would be empty.
pub fn at(individual: &mut Individual, family: usize, point: usize) {
    let Some(genes) = individual.chromosomes.get_mut(family) else { return };
    if point > 0 && point < genes.len() {
        let after = genes.split_off(point);
        individual.chromosomes.insert(family + 1, after);
    }
}

/// Cuts a random family at a random point, when there may be one more. What is then against the rules is repaired.
pub fn random(individual: &mut Individual, rules: &Rules, random: &mut fastrand::Rng) {
    if individual.chromosomes.len() >= rules.most || individual.chromosomes.is_empty() {
        return;
    }
    let family = random.usize(0..individual.chromosomes.len());
    let length = individual.chromosomes.get(family).map_or(0, Vec::len);
    if length > 1 {
        at(individual, family, random.usize(1..length));
        individual.repair(rules, random);
    }
}
