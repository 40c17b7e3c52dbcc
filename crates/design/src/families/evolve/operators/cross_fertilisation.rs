//! Cross-fertilisation (figure 6): a child takes half of its families from its mother and half from its father.
//! From the father's it loses the columns that the mother's have; columns that are still missing are filled in at random
//! among the father's.

use crate::families::evolve::{Individual, Rules};

/// The child with these families of its mother and of its father, before missing columns are filled in.
pub fn combine(mother: &[Vec<usize>], father: &[Vec<usize>]) -> Individual {
    let is_mothers = |column: &usize| mother.iter().any(|genes| genes.contains(column));
    let mut chromosomes = mother.to_vec();
    for genes in father {
        chromosomes.push(genes.iter().copied().filter(|column| !is_mothers(column)).collect());
    }
    Individual { chromosomes }
}

/// Fills missing columns in at random from the family at `from` on.
pub fn fill(child: &mut Individual, from: usize, columns: usize, random: &mut fastrand::Rng) {
    for column in 0..columns {
        if child.copies(column) == 0 {
            let fathers = child.chromosomes.len().saturating_sub(from);
            let place = if fathers == 0 {
                random.usize(0..child.chromosomes.len().max(1))
            } else {
                from + random.usize(0..fathers)
            };
            if let Some(genes) = child.chromosomes.get_mut(place) {
                genes.push(column);
            }
        }
    }
}

/// A child of two parents: half of the families of each, drawn at random. What is still against the rules is repaired.
pub fn random(
    mother: &Individual,
    father: &Individual,
    rules: &Rules,
    random: &mut fastrand::Rng,
) -> Individual {
    let mut half = |parent: &Individual, count: usize| {
        let mut chromosomes = parent.chromosomes.clone();
        random.shuffle(&mut chromosomes);
        chromosomes.truncate(count);
        chromosomes
    };
    let mothers = half(mother, mother.chromosomes.len().div_ceil(2));
    let fathers = half(father, (father.chromosomes.len() / 2).max(1));
    let mut child = combine(&mothers, &fathers);
    fill(&mut child, mothers.len(), rules.columns, random);
    child.repair(rules, random);
    child
}
