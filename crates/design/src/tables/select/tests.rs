//! The selection against every subset, on problems small enough for that.

use std::time::{Duration, Instant};

use super::*;

/// A random problem: keeping costs, demands with one or two steps, some that stand only with a candidate, some conflicts.
fn problem(rng: &mut fastrand::Rng, candidates: usize, demands: usize, choices: usize) -> Problem {
    let keeping = (0..candidates).map(|_| (rng.f64() * 40.0).round()).collect();
    let slot = |rng: &mut fastrand::Rng| {
        let mut numbers: Vec<usize> = (0..candidates).collect();
        rng.shuffle(&mut numbers);
        let count = rng.usize(1..=choices.min(candidates));
        let choice = |candidate: usize, cost: f64| Choice { candidate, cost };
        Slot {
            choices: numbers.iter().take(count).map(|one| choice(*one, (rng.f64() * 60.0).round())).collect(),
        }
    };
    let demands = (0..demands).map(|_| {
        let alternatives = (0..rng.usize(1..=3)).map(|_| {
            let slots = (0..rng.usize(1..=2)).map(|_| slot(rng)).collect();
            Alternative { slots, most: if rng.u8(0..6) == 0 { 50.0 } else { f64::INFINITY } }
        });
        let alternatives = alternatives.collect();
        let when = if rng.u8(0..4) == 0 { vec![rng.usize(0..candidates)] } else { Vec::new() };
        Demand { when, alternatives }
    });
    let demands = demands.collect();
    let conflict = |rng: &mut fastrand::Rng| vec![rng.usize(0..candidates), rng.usize(0..candidates)];
    let mut conflicts: Vec<Vec<usize>> = (0..rng.usize(0..3)).map(|_| conflict(rng)).collect();
    conflicts.retain(|pair| pair.first() != pair.last());
    Problem { keeping, demands, conflicts }
}

fn brute_force(problem: &Problem) -> f64 {
    let count = problem.keeping.len();
    let subset = |number: u32| (0..count).map(|place| number >> place & 1 == 1).collect::<Vec<bool>>();
    (0..1_u32 << count).map(|number| problem.cost(&subset(number))).fold(f64::INFINITY, f64::min)
}

#[test]
fn the_selection_is_the_best_of_all_subsets() {
    let mut solvable = 0;
    for seed in 0..400 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (candidates, demands) = (rng.usize(1..=10), rng.usize(1..=8));
        let problem = problem(&mut rng, candidates, demands, 5);
        let best = brute_force(&problem);
        match select(&problem, None) {
            Some(found) => {
                solvable += 1;
                assert!((found.cost - best).abs() < 1e-6, "seed {seed}: {} is not {best}", found.cost);
                assert!(
                    (problem.cost(&found.kept) - best).abs() < 1e-6,
                    "seed {seed}: the set costs something else"
                );
                assert!(found.is_proven(), "seed {seed}: {} and {}", found.cost, found.bound);
            }
            None => assert!(best.is_infinite(), "seed {seed}: there is a set for {best}"),
        }
    }
    assert!(solvable > 200, "{solvable}");
}

/// A problem as workloads pose it: candidates belong to tables, a few fit a question and take about as long as each other, most
/// others have to read everything; joins take two steps; keeping costs about the same for all of one table.
fn as_posed(rng: &mut fastrand::Rng, tables: usize, candidates: usize, statements: usize) -> Problem {
    let writes: Vec<f64> = (0..tables).map(|_| rng.f64() * 20.0).collect();
    let keeping = (0..candidates).map(|one| writes[one % tables] * (0.8 + rng.f64()) + rng.f64()).collect();
    let slot = |rng: &mut fastrand::Rng, table: usize, rate: f64| {
        let own = (0..candidates).filter(|one| one % tables == table).filter(|_| rng.u8(0..10) > 1);
        let own: Vec<usize> = own.collect();
        let choices = own.into_iter().map(|candidate| {
            let cost = if rng.u8(0..24) == 0 { 0.5 + rng.f64() } else { 50.0 + 500.0 * rng.f64() };
            Choice { candidate, cost: rate * cost }
        });
        Slot { choices: choices.collect() }
    };
    let mut demands: Vec<Demand> = Vec::new();
    for _ in 0..statements {
        let (table, other, rate) = (rng.usize(0..tables), rng.usize(0..tables), rng.f64() * 30.0);
        let mut alternatives = vec![Alternative { slots: vec![slot(rng, table, rate)], most: f64::INFINITY }];
        if rng.u8(0..3) == 0 {
            let slots = vec![slot(rng, table, rate), slot(rng, other, 3.0 * rate)];
            alternatives.push(Alternative { slots, most: f64::INFINITY });
        }
        demands.push(Demand { when: Vec::new(), alternatives });
    }
    for table in 0..tables {
        let when = (0..candidates).filter(|one| one % tables == table && one % 3 == 0).collect();
        let alternatives = vec![Alternative { slots: vec![slot(rng, table, 0.5)], most: f64::INFINITY }];
        demands.push(Demand { when, alternatives });
    }
    Problem { keeping, demands, conflicts: Vec::new() }
}

#[test]
fn forty_statements_and_a_thousand_candidates_are_solved() {
    for seed in 1..=5 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let problem = as_posed(&mut rng, 6, 1_000, 40);
        let begun = Instant::now();
        let found = select(&problem, Some(begun + Duration::from_secs(60))).unwrap();
        println!("seed {seed}: {:?}, {} nodes, gap {}", begun.elapsed(), found.nodes, found.gap());
        assert!(found.is_proven(), "seed {seed}: gap {}", found.gap());
    }
}

#[test]
fn when_the_time_is_over_the_gap_is_said() {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut problem = problem(&mut rng, 40, 14, 12);
    problem.conflicts.clear();
    let found = select(&problem, Some(Instant::now())).unwrap();
    assert!(found.bound <= found.cost && problem.cost(&found.kept) <= found.cost + 1e-9);
    let best = select(&problem, None).unwrap();
    assert!(found.bound <= best.cost + 1e-6, "the bound {} is above the optimum {}", found.bound, best.cost);
}
