//! A first set of candidates, made better by small steps: drop one, add one, put one for another.

use std::time::Instant;

use super::Problem;
use super::problem::is;

/// So many of the cheapest candidates of every slot are put for others.
const SWAPPED: usize = 5;

/// Improves a set until no single step helps. The cost of what is returned may still be infinite.
pub(super) fn improve(problem: &Problem, kept: &mut [bool], deadline: Option<Instant>) -> f64 {
    let mut cost = problem.cost(kept);
    let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    loop {
        let before = cost;
        cost = flip_each(problem, kept, cost, true);
        cost = flip_each(problem, kept, cost, false);
        if cost >= before || is_late() {
            cost = swap_each(problem, kept, cost, &is_late);
        }
        if cost >= before || is_late() {
            return cost;
        }
    }
}

/// A set that serves all demands where possible: for each demand the candidates of its cheapest way, then improved.
pub(super) fn begin(problem: &Problem, deadline: Option<Instant>) -> (Vec<bool>, f64) {
    let all = vec![true; problem.keeping.len()];
    let mut kept = vec![false; problem.keeping.len()];
    for demand in problem.demands.iter().filter(|demand| demand.when.is_empty()) {
        for candidate in demand.served(&all).into_iter().flat_map(|way| way.candidates) {
            set(&mut kept, candidate, true);
        }
    }
    let mut cost = improve(problem, &mut kept, deadline);
    if cost.is_infinite() && problem.conflicts.is_empty() {
        // What stands only with others kept may need candidates that nobody else does.
        kept = all;
        cost = improve(problem, &mut kept, deadline);
    }
    (kept, cost)
}

/// Turns each candidate that is (not) kept, and leaves it so where that is cheaper.
fn flip_each(problem: &Problem, kept: &mut [bool], mut cost: f64, drops: bool) -> f64 {
    for candidate in 0..problem.keeping.len() {
        if is(kept, candidate) != drops {
            continue;
        }
        set(kept, candidate, !drops);
        let now = problem.cost(kept);
        // Dropping what costs nothing leaves fewer tables.
        if now < cost || (drops && now <= cost && now.is_finite()) {
            cost = now;
        } else {
            set(kept, candidate, drops);
        }
    }
    cost
}

/// Puts a candidate for another one where that is cheaper.
fn swap_each(problem: &Problem, kept: &mut [bool], mut cost: f64, is_late: &dyn Fn() -> bool) -> f64 {
    let promising = promising(problem);
    for out in 0..problem.keeping.len() {
        if !is(kept, out) || is_late() {
            continue;
        }
        set(kept, out, false);
        let mut best: Option<usize> = None;
        for into in promising.iter().copied() {
            if into == out || is(kept, into) {
                continue;
            }
            set(kept, into, true);
            let now = problem.cost(kept);
            set(kept, into, false);
            if now < cost {
                (cost, best) = (now, Some(into));
            }
        }
        match best {
            Some(into) => set(kept, into, true),
            None => set(kept, out, true),
        }
    }
    cost
}

/// The cheapest few candidates of every slot.
fn promising(problem: &Problem) -> Vec<usize> {
    let mut all = Vec::new();
    let ways = problem.demands.iter().flat_map(|demand| &demand.alternatives);
    for slot in ways.flat_map(|way| &way.slots) {
        let mut choices = slot.choices.clone();
        choices.sort_by(|one, two| one.cost.total_cmp(&two.cost));
        all.extend(choices.iter().take(SWAPPED).map(|choice| choice.candidate));
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn set(kept: &mut [bool], candidate: usize, is_kept: bool) {
    if let Some(place) = kept.get_mut(candidate) {
        *place = is_kept;
    }
}
