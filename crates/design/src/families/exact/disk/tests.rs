//! Bounds and searches by themselves, without a good grouping to begin with.

use super::*;
use crate::families::exact::tests::{cheapest_partitions, is_close, limits, problem};
use crate::families::{Cost, Problem};

const SEED: u64 = 512;

/// What the bounds say of a grouping, from nothing placed to all placed.
fn bounds_of<S: seconds::Seconds>(pricing: &DiskPricing<S>, families: &[u32]) -> Vec<f64> {
    let alone = |left: &[u32]| left.iter().map(|family| pricing.families()[*family as usize]).sum::<f64>();
    let mut bounds = vec![alone(families)];
    let mut state = pricing::Placed::default();
    for (count, family) in families.iter().enumerate() {
        state = pricing.place(&state, &families[..count], *family);
        bounds.push(pricing.placed(&state) + alone(&families[count + 1..]));
    }
    bounds
}

#[test]
fn bounds_are_below_the_cost_of_every_grouping_and_reach_it_when_all_is_placed() {
    let mut random = fastrand::Rng::with_seed(SEED);
    let disk = Disk::default();
    for case in 0..400 {
        let problem = problem(&mut random, 7);
        let evaluator = Evaluator::new(&problem, &disk, None);
        let elements = Elements::each_column(7);
        let rounded = Rounded { disk, rows: problem.rows as f64 };
        let rounded = DiskPricing::new(rounded, &elements, &evaluator).expect("there is time");
        let smooth =
            DiskPricing::new(Smooth::new(disk, &problem), &elements, &evaluator).expect("there is time");
        let count = random.usize(1..8);
        let mut families = vec![0_u32; count];
        (0..7).for_each(|column| families[random.usize(0..count)] |= 1 << column);
        families.retain(|family| *family != 0);
        let sets: Vec<ColumnSet> = families.iter().map(|family| elements.columns_of(*family)).collect();
        let cost = disk.of(&problem, &sets);
        let bounds = bounds_of(&rounded, &families);
        for bound in bounds.iter().chain(&bounds_of(&smooth, &families)) {
            assert!(*bound <= cost * (1.0 + 1e-12), "seed {SEED} case {case}: {bound} above {cost}");
        }
        assert!(bounds.is_sorted_by(|a, b| a <= &(b * (1.0 + 1e-12))), "seed {SEED} case {case}: {bounds:?}");
        assert!(is_close(bounds[families.len()], cost), "seed {SEED} case {case}: {bounds:?}, {cost}");
    }
}

#[test]
fn searches_find_the_optimum_by_themselves() {
    let mut random = fastrand::Rng::with_seed(SEED + 1);
    let disk = Disk::default();
    for case in 0..60 {
        let mut problem: Problem = problem(&mut random, 6);
        for (limit, least) in limits(&cheapest_partitions(&disk, &problem)) {
            problem.limit = limit;
            let evaluator = Evaluator::new(&problem, &disk, None);
            let allowed = &(limit.fewest(6)..=limit.most(6));
            let nothing = || (Vec::new(), f64::INFINITY);
            let solver = Solver { disk, evaluator: &evaluator, allowed, elements: Elements::each_column(6) };
            let found = solver.search_elements(nothing(), 0.0).0.1;
            assert!(is_close(found, least), "seed {SEED} case {case} {limit:?}: {found}, least {least}");
            let elements = Elements::used_alike(6, problem.reads());
            let solver = Solver { disk, evaluator: &evaluator, allowed, elements };
            let whole = solver.search_elements(nothing(), 0.0).0.1;
            let parted = solver.search_parted(nothing(), 0.0).0.1;
            let found = whole.min(parted);
            assert!(is_close(found, least), "seed {SEED} case {case} {limit:?}: {found}, least {least}");
        }
    }
}
