//! Tables and limits at the edges, for every method and every cost.

use std::time::{Duration, Instant};

use tablesmith_design::families::cost::{Bytes, Disk, Paper, Store};
use tablesmith_design::families::registry::{self, Settings};
use tablesmith_design::families::{Access, Ask, Column, ColumnSet, Cost, Evaluator, FamilyLimit, Problem};
use tablesmith_model::cost::Prices;

use crate::{instances, tpch};

fn costs() -> [Box<dyn Cost>; 4] {
    [
        Box::new(Disk::default()),
        Box::new(Paper::default()),
        Box::new(Bytes::default()),
        Box::new(Store { prices: Prices::guessed() }),
    ]
}

fn columns(count: usize) -> Vec<Column> {
    (0..count).map(|at| Column { name: format!("c{at}"), bytes: 8.0, filled: 1.0 }).collect()
}

fn ask(columns: impl IntoIterator<Item = usize>) -> Ask {
    Ask {
        name: String::new(),
        access: Access::Scan,
        columns: columns.into_iter().collect(),
        rows: 1e5,
        rate: 1.0,
    }
}

/// A method that goes on for so long after its deadline does not look at it.
const HANG: Duration = Duration::from_secs(120);

/// Runs every method with every cost and checks that what it answers is allowed.
fn assert_answers(problem: &Problem, seconds: u64) {
    for cost in costs() {
        for method in registry::methods(&Settings::default()) {
            let deadline = Instant::now() + Duration::from_secs(seconds);
            let evaluator = Evaluator::new(problem, &*cost, Some(deadline));
            let outcome = method.run(&evaluator, 1);
            let late = Instant::now().saturating_duration_since(deadline);
            let what = format!("{} by {} under {:?}", method.name(), cost.name(), problem.limit);
            assert!(late < HANG, "{what} is {late:?} late");
            match outcome.families {
                Some(families) => {
                    assert!(problem.allows(&families), "{what}: {families:?}");
                    let count: usize = families.iter().map(ColumnSet::len).sum();
                    assert!(
                        cost.allows_duplicates() || count == problem.columns.len(),
                        "{what}: {families:?}"
                    );
                    assert!(cost.of(problem, &families).is_finite(), "{what}");
                }
                None => assert!(!outcome.notes.is_empty(), "{what}: no answer and no reason"),
            }
        }
    }
}

#[test]
fn a_table_without_columns() {
    assert_answers(&Problem::default(), 5);
}

#[test]
fn a_table_with_one_column() {
    for limit in [FamilyLimit::None, FamilyLimit::AtMost(3), FamilyLimit::Exactly(3)] {
        let problem =
            Problem { rows: 100, columns: columns(1), asks: vec![ask([0])], limit, ..Problem::default() };
        assert_answers(&problem, 5);
    }
}

#[test]
fn a_table_that_nobody_asks() {
    for limit in [FamilyLimit::None, FamilyLimit::AtMost(2), FamilyLimit::Exactly(3)] {
        assert_answers(&Problem { rows: 100, columns: columns(5), limit, ..Problem::default() }, 5);
    }
}

#[test]
fn columns_that_are_all_alike() {
    for limit in [FamilyLimit::None, FamilyLimit::AtMost(3), FamilyLimit::Exactly(4)] {
        let asks = vec![ask(0..8)];
        assert_answers(&Problem { rows: 100_000, columns: columns(8), asks, limit, ..Problem::default() }, 5);
    }
}

#[test]
fn every_limit_on_random_tables() {
    for seed in 0..6 {
        assert_answers(&instances::random(seed, 8, 6), 1);
    }
}

#[test]
fn a_thousand_columns_within_the_time_given() {
    let mut random = fastrand::Rng::with_seed(9);
    let asks = (0..60).map(|_| {
        let start = random.usize(0..900);
        ask((start..start + 100).filter(|_| random.f64() < 0.4))
    });
    let asks = asks.collect();
    let problem = Problem {
        rows: 1_000_000,
        columns: columns(1_000),
        asks,
        limit: FamilyLimit::AtMost(3),
        ..Problem::default()
    };
    assert_answers(&problem, 1);
}

#[test]
fn the_better_evolution_is_never_worse_than_a_rival() {
    for seed in 0..5 {
        let problem = instances::random(seed, 10, 8);
        for cost in costs() {
            let evolve_plus = registry::by_name("evolve+", &Settings::default()).expect("it is registered");
            let (best, _) = tpch::run(&*evolve_plus, &problem, &*cost, seed);
            for method in registry::methods(&Settings::default()) {
                if ["exact", "one", "current"].contains(&method.name()) {
                    continue;
                }
                let (cost_of_rival, _) = tpch::run(&*method, &problem, &*cost, seed);
                let what = format!("{} by {}, seed {seed}", method.name(), cost.name());
                assert!(best <= cost_of_rival * (1.0 + 1e-12), "{what}: {cost_of_rival} is less than {best}");
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    for seed in 0..2 {
        let problem = instances::random(seed, 9, 6);
        for cost in costs() {
            for name in ["evolve", "evolve+"] {
                let method = registry::by_name(name, &Settings::default()).expect("it is registered");
                let (_, first) = tpch::run(&*method, &problem, &*cost, seed);
                let (_, second) = tpch::run(&*method, &problem, &*cost, seed);
                assert_eq!(first, second, "{name} by {}, seed {seed}", cost.name());
            }
        }
    }
}
