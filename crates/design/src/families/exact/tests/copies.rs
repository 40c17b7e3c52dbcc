//! Costs that know copies.

use std::time::{Duration, Instant};

use super::*;
use tablesmith_model::cost::{Operations, Prices};

use crate::families::cost::{Bytes, Store, Weights};

const SEED: u64 = 2014;

/// The cheapest grouping with copies for each number of families: `[k - 1]` for k of them.
fn cheapest_covers(cost: &dyn Cost, problem: &Problem, families_most: usize) -> Vec<f64> {
    fn extend(
        first: u32,
        families: &mut Vec<ColumnSet>,
        cost: &dyn Cost,
        problem: &Problem,
        best: &mut [f64],
    ) {
        let mut all = ColumnSet::new();
        families.iter().for_each(|family| all.unite(family));
        if all.len() == problem.columns.len() {
            let place = &mut best[families.len() - 1];
            *place = place.min(cost.of(problem, families));
        }
        if families.len() < best.len() {
            for set in first..1 << problem.columns.len() {
                families.push((0..problem.columns.len()).filter(|column| set >> column & 1 == 1).collect());
                extend(set + 1, families, cost, problem, best);
                families.pop();
            }
        }
    }
    let mut best = vec![f64::INFINITY; families_most];
    extend(1, &mut Vec::new(), cost, problem, &mut best);
    best
}

fn is_optimal_with_copies(cost: &dyn Cost, seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    for case in 0..40 {
        let (columns, most) = [(1, 1), (2, 2), (3, 3), (4, 3), (5, 3)][random.usize(0..5)];
        let mut problem = problem(&mut random, columns);
        for (limit, _) in limits(&vec![0.0; most])
            .into_iter()
            .filter(|(limit, _)| columns == most || *limit != FamilyLimit::None)
        {
            problem.limit = limit;
            let allowed = limit.fewest(columns)..=limit.most(columns);
            let cheapest = cheapest_covers(cost, &problem, most);
            let least = allowed.map(|count| cheapest[count - 1]).fold(f64::INFINITY, f64::min);
            let (found, bound, _) = run(Exact::default(), cost, &problem);
            assert!(is_close(found, least), "seed {seed} case {case} {limit:?}: {found}, least {least}");
            assert_eq!(bound, found, "seed {seed} case {case} {limit:?} is not proven");
        }
    }
}

#[test]
fn the_optimum_of_bytes_is_that_of_all_groupings_with_copies() {
    is_optimal_with_copies(&Bytes::default(), SEED);
    let small_blocks = Bytes { block_bytes: 512.0, seek_bytes: 300.0, stored_byte: 1e-3, ..Bytes::default() };
    is_optimal_with_copies(&small_blocks, SEED + 1);
}

/// Prices among which every one matters for some grouping.
fn store() -> Store {
    let each_ms = Operations { seeks: 0.05, cells: 0.001, bytes: 1e-5, ..Prices::guessed().each_ms };
    Store { prices: Prices { each_ms, ..Prices::guessed() } }
}

#[test]
fn the_optimum_of_a_store_is_that_of_all_groupings_with_copies() {
    is_optimal_with_copies(&store(), SEED + 6);
    let mut without_seeks = store();
    without_seeks.prices.each_ms.seeks = 0.0;
    is_optimal_with_copies(&without_seeks, SEED + 7);
}

/// Nothing is rounded: what is proven of bundles is proven of columns.
#[test]
fn the_optimum_of_a_store_is_proven_with_bundles_too() {
    let mut random = fastrand::Rng::with_seed(SEED + 8);
    let bundling = Exact { sizes: Sizes { columns_with_copies: 0, ..Sizes::default() } };
    for case in 0..40 {
        let mut problem = problem(&mut random, 4);
        problem.limit = FamilyLimit::AtMost(random.usize(1..4));
        let cheapest = cheapest_covers(&store(), &problem, 3);
        let least = cheapest.iter().take(problem.limit.most(4)).copied().fold(f64::INFINITY, f64::min);
        let (found, bound, _) = run(bundling, &store(), &problem);
        assert!(is_close(found, least), "seed {SEED} case {case}: {found}, least {least}");
        assert!(is_close(bound, found), "seed {SEED} case {case}: {found} is not proven, bound {bound}");
    }
}

#[test]
fn the_optimum_of_the_paper_is_that_of_all_groupings_with_copies() {
    is_optimal_with_copies(&Paper::default(), SEED + 2);
    for weights in [[0.2; 5], [0.7, 0.0, 0.1, 0.2, 0.0], [0.1, 0.3, 0.0, 0.1, 0.5]] {
        let weights = Weights::new(weights).expect("their sum is one");
        is_optimal_with_copies(&Paper { weights, most: Some(4) }, SEED + 3);
    }
}

/// Bundles, and a deadline that has passed: no proof, but a bound.
#[test]
fn bounds_with_copies_are_below_the_optimum() {
    let mut random = fastrand::Rng::with_seed(SEED + 4);
    let bundling = Exact { sizes: Sizes { columns_with_copies: 0, ..Sizes::default() } };
    let unsearched = Exact { sizes: Sizes { elements_with_copies: 0, ..Sizes::default() } };
    let small_blocks = Bytes { block_bytes: 512.0, seek_bytes: 300.0, stored_byte: 1e-3, ..Bytes::default() };
    let costs: [&dyn Cost; 4] = [&Bytes::default(), &small_blocks, &store(), &Paper::default()];
    for case in 0..60 {
        let mut problem = problem(&mut random, 4);
        let count = random.usize(1..4);
        problem.limit = [FamilyLimit::AtMost(count), FamilyLimit::Exactly(count)][random.usize(0..2)];
        for cost in costs {
            let cheapest = cheapest_covers(cost, &problem, 3);
            let allowed = problem.limit.fewest(4)..=problem.limit.most(4);
            let least = allowed.map(|count| cheapest[count - 1]).fold(f64::INFINITY, f64::min);
            let holds = |bound: f64| {
                assert!(
                    bound <= least * (1.0 + 1e-9),
                    "seed {SEED} case {case} {}: {bound} above {least}",
                    cost.name()
                )
            };
            holds(run(bundling, cost, &problem).1);
            holds(run(unsearched, cost, &problem).1);
            let evaluator = Evaluator::new(&problem, cost, Some(Instant::now()));
            holds(Exact::default().run(&evaluator, 0).bound.expect("a bound"));
        }
    }
}

#[test]
fn hundreds_of_columns_are_answered_with_a_bound() {
    let mut random = fastrand::Rng::with_seed(SEED + 5);
    let mut problem = problem(&mut random, 300);
    problem.rows = 1_000_000;
    for _ in 0..8 {
        let columns = (0..300).filter(|_| random.u8(0..4) == 0).collect();
        problem.asks.push(Ask { name: String::new(), access: Access::Scan, columns, rows: 1e4, rate: 3.0 });
    }
    problem.limit = FamilyLimit::AtMost(3);
    for cost in [&Bytes::default() as &dyn Cost, &store(), &Paper::default()] {
        let evaluator = Evaluator::new(&problem, cost, Some(Instant::now() + Duration::from_secs(1)));
        let outcome = Exact::default().run(&evaluator, 0);
        let families = outcome.families.expect("a grouping");
        assert!(problem.allows(&families));
        let (found, bound) = (cost.of(&problem, &families), outcome.bound.expect("a bound"));
        assert!(0.0 < bound && bound < found, "{}: {bound} below {found}", cost.name());
        assert!(!outcome.notes.is_empty());
    }
}
