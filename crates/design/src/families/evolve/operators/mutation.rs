//! Mutation (figure 3): columns are added to a family or deleted from it. Only a column that is not in the family is
//! added; only one that is in another family too is deleted.

use crate::families::evolve::{Individual, Rules};

/// Adds a column to a family; false when it is there.
pub fn add(individual: &mut Individual, family: usize, column: usize) -> bool {
    match individual.chromosomes.get_mut(family) {
        Some(genes) if !genes.contains(&column) => {
            genes.push(column);
            true
        }
        _ => false,
    }
}

/// Deletes a column from a family; false when it is not there, or nowhere else.
pub fn delete(individual: &mut Individual, family: usize, column: usize) -> bool {
    if individual.copies(column) < 2 {
        return false;
    }
    let Some(genes) = individual.chromosomes.get_mut(family) else { return false };
    let before = genes.len();
    // A family keeps a column: an empty one would be none.
    if before > 1 {
        genes.retain(|gene| *gene != column);
    }
    genes.len() < before
}

/// Moves a column to a family: what adding comes to where a column has no copies.
pub fn relocate(individual: &mut Individual, family: usize, column: usize) -> bool {
    let home = individual.chromosomes.iter().position(|genes| genes.contains(&column));
    let is_alone = home.and_then(|home| individual.chromosomes.get(home)).is_none_or(|genes| genes.len() < 2);
    if is_alone || home == Some(family) || !add(individual, family, column) {
        return false;
    }
    home.is_some_and(|home| delete(individual, home, column))
}

/// Adds or deletes one to three columns in a random family. What is then against the rules is repaired.
pub fn random(individual: &mut Individual, rules: &Rules, random: &mut fastrand::Rng) {
    let family = random.usize(0..individual.chromosomes.len().max(1));
    let is_deletion = rules.may_duplicate && random.bool();
    for _ in 0..random.usize(1..=3) {
        if is_deletion {
            let genes = individual.chromosomes.get(family).map_or(&[][..], Vec::as_slice);
            let copied: Vec<usize> =
                genes.iter().copied().filter(|column| individual.copies(*column) > 1).collect();
            if let Some(column) = random.choice(&copied) {
                delete(individual, family, *column);
            }
        } else {
            let column = random.usize(0..rules.columns.max(1));
            if rules.may_duplicate {
                add(individual, family, column);
            } else {
                relocate(individual, family, column);
            }
        }
    }
    individual.repair(rules, random);
}
