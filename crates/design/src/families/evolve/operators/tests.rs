//! The figures of the paper as cases (a1 is column 1 here), and validity under a million operations.

use super::*;
use crate::families::evolve::{Individual, Rules};

fn individual(chromosomes: &[&[usize]]) -> Individual {
    Individual { chromosomes: chromosomes.iter().map(|genes| genes.to_vec()).collect() }
}

#[test]
fn figure_3_a_mutation_adds_a6_to_the_first_family() {
    let mut child = individual(&[&[1, 2, 3, 4], &[5, 6, 7, 8], &[1, 8, 9, 10]]);
    assert!(mutation::add(&mut child, 0, 6));
    assert_eq!(child, individual(&[&[1, 2, 3, 4, 6], &[5, 6, 7, 8], &[1, 8, 9, 10]]));
    assert!(!mutation::add(&mut child, 0, 6), "it is there");
}

#[test]
fn figure_3_a_mutation_deletes_a10_from_the_first_family() {
    let mut child = individual(&[&[1, 2, 3, 4, 5, 10], &[6, 7, 8, 9, 10]]);
    assert!(mutation::delete(&mut child, 0, 10));
    assert_eq!(child, individual(&[&[1, 2, 3, 4, 5], &[6, 7, 8, 9, 10]]));
    assert!(!mutation::delete(&mut child, 1, 10), "it is nowhere else");
    assert!(!mutation::delete(&mut child, 1, 1), "it is not there");
}

#[test]
fn figure_4_a_crossover_exchanges_a1_to_a3_with_a5_to_a7_and_drops_the_second_a6() {
    let mut child = individual(&[&[1, 2, 3, 4, 6], &[5, 6, 7, 8], &[9, 10]]);
    crossover::exchange(&mut child, 0, 0..3, 1, 0..3);
    assert_eq!(child, individual(&[&[5, 6, 7, 4], &[1, 2, 3, 8], &[9, 10]]));
}

#[test]
fn a_crossover_never_empties_a_family() {
    let mut child = individual(&[&[1, 2], &[3]]);
    crossover::exchange(&mut child, 0, 0..2, 1, 1..1);
    assert_eq!(child, individual(&[&[1, 2], &[3]]));
    crossover::exchange(&mut child, 0, 0..9, 1, 0..1);
    assert_eq!(child, individual(&[&[1, 2], &[3]]));
}

#[test]
fn figure_5_a_split_up_makes_two_families_of_the_second() {
    let mut child = individual(&[&[1, 2, 3, 4], &[5, 6, 7, 8, 9, 10]]);
    split_up::at(&mut child, 1, 3);
    assert_eq!(child, individual(&[&[1, 2, 3, 4], &[5, 6, 7], &[8, 9, 10]]));
    split_up::at(&mut child, 1, 3);
    assert_eq!(child.chromosomes.len(), 3, "nothing would come after the dividing point");
}

#[test]
fn figure_5_a_merge_joins_the_second_and_third_and_drops_the_second_a9() {
    let mut child = individual(&[&[1, 2, 3, 4], &[5, 6, 7, 9], &[8, 9, 10]]);
    merge::pair(&mut child, 1, 2);
    assert_eq!(child, individual(&[&[1, 2, 3, 4], &[5, 6, 7, 9, 8, 10]]));
    let mut backwards = individual(&[&[1], &[2], &[3]]);
    merge::pair(&mut backwards, 2, 0);
    assert_eq!(backwards, individual(&[&[2], &[3, 1]]));
}

#[test]
fn figure_6_a_child_takes_half_of_each_parent() {
    // Two families of the mother's four, one of the father's two; a1 and a6 are the mother's already.
    let mother = [vec![1, 2, 3], vec![5, 6]];
    let father = [vec![1, 6, 7, 8]];
    let mut child = combine_and_check(&mother, &father);
    // a4, a9 and a10 are missing: they go to the father's family.
    cross_fertilisation::fill(&mut child, 2, 11, &mut fastrand::Rng::with_seed(1));
    let mut last = child.chromosomes[2].clone();
    last.sort_unstable();
    assert_eq!(&child.chromosomes[..2], &mother);
    assert_eq!(last, [0, 4, 7, 8, 9, 10]);
}

fn combine_and_check(mother: &[Vec<usize>], father: &[Vec<usize>]) -> Individual {
    let child = cross_fertilisation::combine(mother, father);
    assert_eq!(child, individual(&[&[1, 2, 3], &[5, 6], &[7, 8]]));
    child
}

#[test]
fn a_million_random_operations_keep_individuals_valid() {
    let seed = 42;
    let mut random = fastrand::Rng::with_seed(seed);
    let mut operations = 0_u32;
    while operations < 1_000_000 {
        let columns = random.usize(1..13);
        let fewest = random.usize(1..=columns);
        let most = random.usize(fewest..=columns);
        let rules = Rules { columns, fewest, most, may_duplicate: random.bool() };
        let mut herd: Vec<Individual> = (0..4).map(|_| Individual::random(&rules, &mut random)).collect();
        for _ in 0..1_000 {
            let at = random.usize(0..herd.len());
            let mate = herd[random.usize(0..herd.len())].clone();
            let child = &mut herd[at];
            let which = random.u8(0..5);
            match which {
                0 => mutation::random(child, &rules, &mut random),
                1 => crossover::random(child, &rules, &mut random),
                2 => split_up::random(child, &rules, &mut random),
                3 => merge::random(child, &rules, &mut random),
                _ => *child = cross_fertilisation::random(&child.clone(), &mate, &rules, &mut random),
            }
            operations += 1;
            assert!(
                child.is_valid(&rules),
                "seed {seed}, operation {operations} ({which}) with {rules:?}: {child:?}"
            );
        }
    }
}
