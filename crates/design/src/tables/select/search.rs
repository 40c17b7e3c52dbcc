//! Branch and bound: decide candidate by candidate, leave what cannot beat the best set known.

use std::time::Instant;

use super::bound::{Bound, Dual, Fate, Shares};
use super::components::Component;
use super::{Problem, SAME, Selection, components, dominance, greedy};

/// Rounds of the dual at the root, where shares begin at nothing.
const ROOT_ROUNDS: usize = 1_500;
/// Rounds at every other node, where they begin as above it.
const NODE_ROUNDS: usize = 60;

/// Nodes that each rule is tried with at first, and how many times more each time after.
const NODES_FIRST: u64 = 300;
const NODES_GROWTH: u64 = 3;
/// So many candidates are looked at before one is branched on.
const PROBED: usize = 24;
/// Rounds of the dual for each fate that is looked at.
const PROBE_ROUNDS: usize = 40;
/// A fate that tells nothing counts as if it had raised the bound by this share.
const LEAST_GAIN: f64 = 1e-6;
/// A problem that became so much smaller is looked at again before it is searched.
const SMALLER: f64 = 0.9;

/// The optimum of a problem; the best set and a bound when the time is over first; `None` when no set serves all.
pub(super) fn solve(problem: &Problem, deadline: Option<Instant>) -> Option<Selection> {
    let (kept, cost) = greedy::begin(problem, deadline);
    let mut best = Best { problem, kept, cost, nodes: 0 };
    let whole: Vec<usize> = (0..problem.keeping.len()).collect();
    let mut left = Component { problem: problem.clone(), candidates: whole };
    let mut fates = vec![Fate::Open; problem.keeping.len()];
    loop {
        let mut search = Search::new(&left.problem, deadline, best.cost);
        let narrowed = search.narrow(fates);
        best.take(&search, &left.candidates);
        let Some(Narrowed { bound, problem, fates: decided }) = narrowed else {
            return best.selection(f64::INFINITY);
        };
        if bound >= aim(best.cost) {
            return best.selection(bound);
        }
        let before = choices(&left.problem);
        (left, fates) = smaller(problem, &decided, &left.candidates);
        if choices(&left.problem) as f64 > SMALLER * before as f64 {
            break;
        }
    }
    search(best, &left, &fates, deadline)
}

/// Searches what is left with each rule in turn, for more and more nodes: some problems that one rule takes ages for are soon
/// solved by the other.
fn search(
    mut best: Best<'_>,
    left: &Component,
    fates: &[Fate],
    deadline: Option<Instant>,
) -> Option<Selection> {
    let mut bound = f64::NEG_INFINITY;
    let dual = Dual::new(&left.problem, deadline);
    let mut shares = dual.no_shares();
    dual.raise(fates, &mut shares, aim(best.cost), ROOT_ROUNDS);
    let mut nodes_most = NODES_FIRST;
    loop {
        for rule in [Rule::SaysMost, Rule::LeastClear] {
            let mut search = Search::new(&left.problem, deadline, best.cost);
            (search.rule, search.nodes_most) = (rule, nodes_most);
            search.node(&mut fates.to_vec(), &mut shares.clone());
            best.take(&search, &left.candidates);
            bound = bound.max(search.least_left);
            if bound >= aim(best.cost) || is_late(deadline) {
                return best.selection(bound);
            }
        }
        nodes_most = nodes_most.saturating_mul(NODES_GROWTH);
    }
}

fn is_late(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// The problem without candidates that are out or beaten, and the fates of the others.
fn smaller(problem: Problem, fates: &[Fate], candidates: &[usize]) -> (Component, Vec<Fate>) {
    let beaten = dominance::beaten(&problem);
    let fate = |candidate: usize| fates.get(candidate).copied().unwrap_or(Fate::Open);
    let is_out = |candidate: usize| match fate(candidate) {
        Fate::Out => true,
        Fate::Open => super::problem::is(&beaten, candidate),
        Fate::Kept => false,
    };
    let mut left = components::without(&problem, &is_out);
    let fates = left.candidates.iter().map(|candidate| fate(*candidate)).collect();
    left.candidates = left.candidates.iter().filter_map(|place| candidates.get(*place).copied()).collect();
    (left, fates)
}

/// How many choices a problem has.
fn choices(problem: &Problem) -> usize {
    let ways = problem.demands.iter().flat_map(|demand| &demand.alternatives);
    ways.flat_map(|way| &way.slots).map(|slot| slot.choices.len()).sum()
}

/// What a bound has to reach for nothing cheaper than this to be there.
fn aim(cost: f64) -> f64 {
    if cost.is_finite() { cost - SAME * cost.abs().max(1.0) * 0.5 } else { f64::INFINITY }
}

/// The best set known of the whole problem.
struct Best<'p> {
    problem: &'p Problem,
    kept: Vec<bool>,
    cost: f64,
    nodes: u64,
}

impl Best<'_> {
    /// Takes what a search of a part of the problem found.
    fn take(&mut self, search: &Search<'_>, candidates: &[usize]) {
        self.nodes += search.nodes;
        let mut kept = vec![false; self.problem.keeping.len()];
        for (candidate, is_kept) in candidates.iter().zip(&search.kept) {
            kept.get_mut(*candidate).into_iter().for_each(|place| *place = *is_kept);
        }
        let cost = self.problem.cost(&kept);
        if !search.kept.is_empty() && cost < self.cost {
            (self.kept, self.cost) = (kept, cost);
        }
    }

    /// What was found, when nothing is below this bound but what was found.
    fn selection(self, bound: f64) -> Option<Selection> {
        let Self { kept, cost, nodes, .. } = self;
        cost.is_finite().then_some(Selection { kept, cost, bound: bound.min(cost), nodes })
    }
}

/// What is left of a problem when its bound is known.
struct Narrowed {
    bound: f64,
    problem: Problem,
    fates: Vec<Fate>,
}

struct Search<'p> {
    problem: &'p Problem,
    dual: Dual<'p>,
    deadline: Option<Instant>,
    /// The best set known.
    kept: Vec<bool>,
    cost: f64,
    nodes: u64,
    /// It ends at so many nodes.
    nodes_most: u64,
    rule: Rule,
    /// The least bound of what was left because time or nodes were over.
    least_left: f64,
}

/// Which candidate is branched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// The one both of whose fates raise the bound most.
    SaysMost,
    /// The one that is nearly paid for.
    LeastClear,
}

impl<'p> Search<'p> {
    fn new(problem: &'p Problem, deadline: Option<Instant>, cost: f64) -> Self {
        let dual = Dual::new(problem, deadline);
        Self {
            problem,
            dual,
            deadline,
            kept: Vec::new(),
            cost,
            nodes: 0,
            nodes_most: u64::MAX,
            rule: Rule::SaysMost,
            least_left: f64::INFINITY,
        }
    }

    /// The bound at the root, after all candidates are decided whose fate it shows, and what is left of the problem; none when
    /// nothing can be cheaper.
    fn narrow(&mut self, mut fates: Vec<Fate>) -> Option<Narrowed> {
        self.nodes += 1;
        let mut shares = self.dual.no_shares();
        let mut bound = self.dual.raise(&fates, &mut shares, self.aim(), ROOT_ROUNDS);
        let mut kept = used(&fates, &bound);
        greedy::improve(self.problem, &mut kept, self.deadline);
        self.offer(&kept);
        while bound.value < self.aim() && self.fix(&mut fates, &bound) {
            if !self.settle_conflicts(&mut fates) {
                return None;
            }
            bound = self.dual.raise(&fates, &mut shares, self.aim(), NODE_ROUNDS);
            self.try_used(&fates, &bound);
        }
        let problem = self.dual.without_hopeless(&fates, &shares, bound.value, self.aim());
        // What cannot be served may not stand.
        let never = problem.demands.iter().filter(|demand| demand.alternatives.is_empty());
        never.flat_map(|demand| &demand.when).for_each(|candidate| decide(&mut fates, *candidate, Fate::Out));
        Some(Narrowed { bound: bound.value, problem, fates })
    }

    /// Looks for something cheaper than the best known where these fates are decided.
    fn node(&mut self, fates: &mut [Fate], shares: &mut Shares) {
        self.nodes += 1;
        if !self.settle_conflicts(fates) {
            return;
        }
        // Before anything that takes long: many nodes wait for their turn when the time is over.
        if self.nodes > self.nodes_most || is_late(self.deadline) {
            self.least_left = self.least_left.min(self.dual.bound(fates, shares).value);
            return;
        }
        let mut bound = self.dual.raise(fates, shares, self.aim(), NODE_ROUNDS);
        self.try_used(fates, &bound);
        while bound.value < self.aim() && self.fix(fates, &bound) {
            if !self.settle_conflicts(fates) {
                return;
            }
            bound = self.dual.raise(fates, shares, self.aim(), NODE_ROUNDS);
            self.try_used(fates, &bound);
        }
        let candidate = loop {
            if bound.value >= self.aim() {
                return;
            }
            match self.probe(fates, shares, &bound) {
                Probed::Branch(candidate) => break candidate,
                Probed::Decided => {
                    if !self.settle_conflicts(fates) {
                        return;
                    }
                    bound = self.dual.raise(fates, shares, self.aim(), NODE_ROUNDS);
                    self.try_used(fates, &bound);
                }
                Probed::Nothing => {
                    // Everything is decided: the set is as it is.
                    self.offer(&fates.iter().map(|fate| *fate == Fate::Kept).collect::<Vec<_>>());
                    return;
                }
            }
        };
        let first =
            if bound.left.get(candidate).is_some_and(|left| *left < 0.0) { Fate::Kept } else { Fate::Out };
        let second = if first == Fate::Kept { Fate::Out } else { Fate::Kept };
        for fate in [first, second] {
            let mut fates = fates.to_vec();
            decide(&mut fates, candidate, fate);
            self.node(&mut fates, &mut shares.clone());
        }
    }

    fn aim(&self) -> f64 {
        aim(self.cost)
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

    /// Looks what each fate of the least clear candidates would do to the bound. One that leads nowhere decides the other;
    /// else one is branched on, by the rule.
    fn probe(&self, fates: &mut [Fate], shares: &Shares, bound: &Bound) -> Probed {
        let mut unclear = unclear(fates, bound);
        unclear.truncate(PROBED);
        let mut best: Option<(f64, usize)> = None;
        let mut is_decided = false;
        for candidate in unclear {
            let [kept, out] = [Fate::Kept, Fate::Out].map(|fate| {
                decide(fates, candidate, fate);
                let mut bound = self.dual.bound(fates, shares).value;
                if bound < self.aim() && self.rule == Rule::SaysMost {
                    bound = self.dual.raise(fates, &mut shares.clone(), self.aim(), PROBE_ROUNDS).value;
                }
                decide(fates, candidate, Fate::Open);
                bound
            });
            match (kept >= self.aim(), out >= self.aim()) {
                (false, false) => {
                    let gain = |other: f64| (other - bound.value).max(LEAST_GAIN * bound.value.abs());
                    let score = match self.rule {
                        Rule::SaysMost => gain(kept) * gain(out),
                        // They come in this order.
                        Rule::LeastClear => 0.0,
                    };
                    if best.is_none_or(|(best, _)| score > best) {
                        best = Some((score, candidate));
                    }
                }
                (is_not_kept, _) => {
                    decide(fates, candidate, if is_not_kept { Fate::Out } else { Fate::Kept });
                    is_decided = true;
                }
            }
        }
        match best {
            _ if is_decided => Probed::Decided,
            Some((_, candidate)) => Probed::Branch(candidate),
            None => Probed::Nothing,
        }
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

/// The open candidates, those first whose fate is least clear: nearly paid for, and used. Those that nobody uses and nobody
/// pays come last.
fn unclear(fates: &[Fate], bound: &Bound) -> Vec<usize> {
    let open = fates.iter().enumerate().filter(|(_, fate)| **fate == Fate::Open).map(|(place, _)| place);
    let clearness = |candidate: &usize| {
        let users = bound.users.get(*candidate).copied().unwrap_or(0);
        let left = bound.left.get(*candidate).map_or(f64::INFINITY, |left| left.abs());
        (users == 0, left / f64::from(users.max(1)))
    };
    let mut open: Vec<usize> = open.collect();
    open.sort_by(|one, two| {
        let (one, two) = (clearness(one), clearness(two));
        one.0.cmp(&two.0).then(one.1.total_cmp(&two.1))
    });
    open
}

/// What looking at candidates told.
enum Probed {
    /// The fate of some is clear now.
    Decided,
    /// This one says most.
    Branch(usize),
    /// None is open.
    Nothing,
}
