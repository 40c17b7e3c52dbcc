//! Branch and bound: decide candidate by candidate, leave what cannot beat the best set known.

use std::time::Instant;

use super::bound::{Bound, Dual, Fate, Shares};
use super::{Problem, SAME, Selection, components, greedy};

/// Rounds of the dual at the root, where shares begin at nothing.
const ROOT_ROUNDS: usize = 600;
/// Rounds at every other node, where they begin as above it.
const NODE_ROUNDS: usize = 40;

/// The optimum of a problem; the best set and a bound when the time is over first; `None` when no set serves all.
pub(super) fn solve(problem: &Problem, deadline: Option<Instant>) -> Option<Selection> {
    let begun = greedy::begin(problem, deadline);
    let mut root = Search::new(problem, deadline, begun);
    let mut fates = vec![Fate::Open; problem.keeping.len()];
    let bound = root.root(&mut fates);
    if bound >= root.aim() {
        return root.selection(bound);
    }
    // Most candidates are out by now: without them every step is short.
    let is_out = |candidate: usize| fates.get(candidate) == Some(&Fate::Out);
    let left = components::without(problem, &is_out);
    let fates_left = left.candidates.iter().filter_map(|old| fates.get(*old).copied());
    let best = (Vec::new(), root.cost);
    let mut search = Search::new(&left.problem, deadline, best);
    let mut shares = search.dual.no_shares();
    search.node(&mut fates_left.collect::<Vec<_>>(), &mut shares, ROOT_ROUNDS);
    if search.cost < root.cost {
        root.cost = search.cost;
        root.kept = vec![false; problem.keeping.len()];
        for (old, is_kept) in left.candidates.iter().zip(&search.kept) {
            if let Some(place) = root.kept.get_mut(*old) {
                *place = *is_kept;
            }
        }
    }
    root.nodes += search.nodes;
    root.selection(search.least_left)
}

struct Search<'p> {
    problem: &'p Problem,
    dual: Dual<'p>,
    deadline: Option<Instant>,
    /// The best set known.
    kept: Vec<bool>,
    cost: f64,
    nodes: u64,
    /// The least bound of what was left because the time was over.
    least_left: f64,
}

impl<'p> Search<'p> {
    fn new(problem: &'p Problem, deadline: Option<Instant>, (kept, cost): (Vec<bool>, f64)) -> Self {
        let dual = Dual::new(problem);
        Self { problem, dual, deadline, kept, cost, nodes: 0, least_left: f64::INFINITY }
    }

    /// What was found, when nothing is below this bound but what was found.
    fn selection(self, bound: f64) -> Option<Selection> {
        let bound = bound.min(self.cost);
        let (kept, cost, nodes) = (self.kept, self.cost, self.nodes);
        cost.is_finite().then_some(Selection { kept, cost, bound, nodes })
    }

    /// The bound at the root, after all candidates are decided whose fate it shows.
    fn root(&mut self, fates: &mut [Fate]) -> f64 {
        self.nodes += 1;
        let mut shares = self.dual.no_shares();
        let mut bound = self.dual.raise(fates, &mut shares, self.aim(), ROOT_ROUNDS);
        let mut kept = used(fates, &bound);
        greedy::improve(self.problem, &mut kept, self.deadline);
        self.offer(&kept);
        while bound.value < self.aim() && self.fix(fates, &bound) {
            if !self.settle_conflicts(fates) {
                return f64::INFINITY;
            }
            bound = self.dual.raise(fates, &mut shares, self.aim(), NODE_ROUNDS);
            self.try_used(fates, &bound);
        }
        bound.value
    }

    /// Looks for something cheaper than the best known where these fates are decided.
    fn node(&mut self, fates: &mut [Fate], shares: &mut Shares, rounds: usize) {
        self.nodes += 1;
        if !self.settle_conflicts(fates) {
            return;
        }
        let mut bound = self.dual.raise(fates, shares, self.aim(), rounds);
        self.try_used(fates, &bound);
        while bound.value < self.aim() && self.fix(fates, &bound) {
            if !self.settle_conflicts(fates) {
                return;
            }
            bound = self.dual.raise(fates, shares, self.aim(), NODE_ROUNDS);
            self.try_used(fates, &bound);
        }
        if bound.value >= self.aim() {
            return;
        }
        let Some(candidate) = branch_on(fates, &bound) else {
            // Everything is decided: the set is as it is.
            self.offer(&fates.iter().map(|fate| *fate == Fate::Kept).collect::<Vec<_>>());
            return;
        };
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.least_left = self.least_left.min(bound.value);
            return;
        }
        let first =
            if bound.left.get(candidate).is_some_and(|left| *left < 0.0) { Fate::Kept } else { Fate::Out };
        let second = if first == Fate::Kept { Fate::Out } else { Fate::Kept };
        for fate in [first, second] {
            let mut fates = fates.to_vec();
            decide(&mut fates, candidate, fate);
            self.node(&mut fates, &mut shares.clone(), NODE_ROUNDS);
        }
    }

    /// What a bound has to reach for nothing cheaper to be there.
    fn aim(&self) -> f64 {
        if self.cost.is_finite() { self.cost - SAME * self.cost.abs().max(1.0) * 0.5 } else { f64::INFINITY }
    }

    /// Of candidates that exclude each other one that is kept puts the others out; false when two are kept.
    fn settle_conflicts(&self, fates: &mut [Fate]) -> bool {
        for conflict in &self.problem.conflicts {
            let kept: Vec<usize> =
                conflict.iter().copied().filter(|one| fates.get(*one) == Some(&Fate::Kept)).collect();
            match kept.as_slice() {
                [] => {}
                [only] => {
                    for other in conflict.iter().filter(|other| *other != only) {
                        decide(fates, *other, Fate::Out);
                    }
                }
                _ => return false,
            }
        }
        true
    }

    /// Decides candidates whose other fate would cost at least as much as the best set known.
    fn fix(&self, fates: &mut [Fate], bound: &Bound) -> bool {
        let aim = self.aim();
        let mut is_changed = false;
        for (fate, left) in fates.iter_mut().zip(&bound.left) {
            if *fate == Fate::Open && bound.value + left.abs() >= aim {
                *fate = if *left > 0.0 { Fate::Out } else { Fate::Kept };
                is_changed = true;
            }
        }
        is_changed
    }

    /// Offers what the bound uses as a set.
    fn try_used(&mut self, fates: &[Fate], bound: &Bound) {
        self.offer(&used(fates, bound));
    }

    fn offer(&mut self, kept: &[bool]) {
        let cost = self.problem.cost(kept);
        if cost < self.cost {
            (self.cost, self.kept) = (cost, kept.to_vec());
        }
    }
}

/// The candidates that are kept already, or that a bound uses.
fn used(fates: &[Fate], bound: &Bound) -> Vec<bool> {
    fates.iter().zip(&bound.users).map(|(fate, users)| *fate == Fate::Kept || *users > 0).collect()
}

fn decide(fates: &mut [Fate], candidate: usize, fate: Fate) {
    if let Some(place) = fates.get_mut(candidate) {
        *place = fate;
    }
}

/// The open candidate whose fate is least clear: nearly paid for, and used. One that nobody uses and nobody pays comes last.
fn branch_on(fates: &[Fate], bound: &Bound) -> Option<usize> {
    let open = fates.iter().enumerate().filter(|(_, fate)| **fate == Fate::Open).map(|(place, _)| place);
    let unclear = |candidate: &usize| {
        let users = bound.users.get(*candidate).copied().unwrap_or(0);
        let left = bound.left.get(*candidate).map_or(f64::INFINITY, |left| left.abs());
        (users == 0, left / f64::from(users.max(1)))
    };
    open.min_by(|one, two| {
        let (one, two) = (unclear(one), unclear(two));
        one.0.cmp(&two.0).then(one.1.total_cmp(&two.1))
    })
}
