//! What the proof says beside all groupings, one by one.

mod copies;
mod disk;

use super::*;
use crate::families::{Access, Ask, Column, ColumnSet, Cost, FamilyLimit, Problem};

/// A problem whose columns are often used alike and often of the same width.
pub(in crate::families::exact) fn problem(random: &mut fastrand::Rng, columns: usize) -> Problem {
    let widths: &[f64] =
        [&[1.0, 4.0, 8.0, 25.0, 199.0][..], &[0.3, 0.7, 2.9, 11.1], &[4.0], &[0.0, 1.0, 900.0]]
            [random.usize(0..4)];
    let column = |index: usize, bytes: f64| Column { name: format!("c{index}"), bytes, filled: 1.0 };
    let rows = [0, 1, 900, 40_000, 250_000, 6_000_000][random.usize(0..6)];
    let columns: Vec<Column> =
        (0..columns).map(|index| column(index, widths[random.usize(0..widths.len())])).collect();
    let rates: &[f64] = [&[1.0][..], &[0.5, 3.0, 100.0], &[1.0, 1.01]][random.usize(0..3)];
    let mut asks = Vec::new();
    for _ in 0..random.usize(0..6) {
        let share = [0.2, 0.5, 0.8][random.usize(0..3)];
        let access = [Access::Scan, Access::Scan, Access::Get, Access::Write][random.usize(0..4)];
        let columns = (0..columns.len()).filter(|_| random.f64() < share).collect();
        let (rows, rate) = (random.f64() * rows as f64, rates[random.usize(0..rates.len())]);
        asks.push(Ask { name: String::new(), access, columns, rows, rate });
    }
    Problem { rows, key_bytes: 10.0, columns, asks, ..Problem::default() }
}

/// The cheapest grouping without copies for each number of families: `[k - 1]` for k of them.
pub(in crate::families::exact) fn cheapest_partitions(cost: &dyn Cost, problem: &Problem) -> Vec<f64> {
    fn extend(
        column: usize,
        families: &mut Vec<ColumnSet>,
        cost: &dyn Cost,
        problem: &Problem,
        best: &mut [f64],
    ) {
        if column == problem.columns.len() {
            let place = &mut best[families.len() - 1];
            *place = place.min(cost.of(problem, families));
            return;
        }
        for place in 0..families.len() {
            families[place].insert(column);
            extend(column + 1, families, cost, problem, best);
            families[place].remove(column);
        }
        families.push(ColumnSet::from_iter([column]));
        extend(column + 1, families, cost, problem, best);
        families.pop();
    }
    let mut best = vec![f64::INFINITY; problem.columns.len()];
    extend(0, &mut Vec::new(), cost, problem, &mut best);
    best
}

/// Every limit for so many columns, with the cheapest that it allows.
pub(in crate::families::exact) fn limits(cheapest: &[f64]) -> Vec<(FamilyLimit, f64)> {
    let least = |costs: &[f64]| costs.iter().copied().fold(f64::INFINITY, f64::min);
    let mut limits = vec![(FamilyLimit::None, least(cheapest))];
    for count in 1..=cheapest.len() {
        limits.push((FamilyLimit::AtMost(count), least(&cheapest[..count])));
        limits.push((FamilyLimit::Exactly(count), cheapest[count - 1]));
    }
    limits
}

pub(in crate::families::exact) fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// Runs a method and checks what it says of itself.
pub(in crate::families::exact) fn run(
    exact: Exact,
    cost: &dyn Cost,
    problem: &Problem,
) -> (f64, f64, Outcome) {
    let evaluator = Evaluator::new(problem, cost, None);
    let outcome = exact.run(&evaluator, 0);
    let families = outcome.families.as_ref().expect("there is a grouping");
    assert!(problem.allows(families), "{families:?} under {:?}", problem.limit);
    assert!(evaluator.evaluations() > 0);
    let found = cost.of(problem, families);
    let bound = outcome.bound.expect("there is a bound");
    assert!(bound <= found, "bound {bound} above {found}");
    (found, bound, outcome)
}
