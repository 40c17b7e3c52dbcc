//! A bound that no set of candidates can be below, from the Lagrangian dual.
//!
//! The rule "a demand is served only by candidates that are kept" is dropped; instead every demand `d` pays a share `λ(d, c)`
//! of what keeping `c` costs when it uses `c`, in each of its steps one of its own. For any shares `λ ≥ 0`
//!
//! ```text
//!   Σ keeping(c), c kept already  +  Σ cheapest way of d, with shares  +  Σ min(0, keeping(c) − Σ λ(d, c)), c undecided
//! ```
//!
//! is at most the cost of the best set (Erlenkotter 1978 for facilities; Fisher 1981 for the method). In the same way the rule
//! "a demand stands when one of its candidates is kept" is dropped: each of them pays a part `μ(d, c)` of the demand, which
//! stands where its cheapest way costs less than all parts together. Shares are moved along the subgradient: up where a
//! demand uses a candidate that is not paid for, down where one is kept that it does not use. What costs differ by orders of
//! magnitude makes it turn to and fro; a direction that keeps most of the one before goes straight on (Camerini, Fratta and
//! Maffioli 1975).
#![expect(
    clippy::indexing_slicing,
    reason = "numbers of demands, members and candidates are all made in `Dual::new` from the same lists"
)]

use std::ops::Range;
use std::time::Instant;

use super::Problem;

/// After so many rounds without a better bound steps become shorter, by this factor.
const PATIENCE: u32 = 20;
const SHORTER: f64 = 0.8;
/// How much of a direction is that of the step before.
const INERTIA: f64 = 0.8;
/// So many rounds go by between looks at the clock.
const ROUNDS_A_LOOK: usize = 16;
/// Shorter steps lead nowhere.
const STEP_LEAST: f64 = 2e-3;

/// What was decided of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Kept,
    Out,
    Open,
}

/// The dual of a problem: its demands with the candidates that each can use, and nothing else.
pub(super) struct Dual<'p> {
    problem: &'p Problem,
    demands: Vec<Members>,
    /// When raising a bound ends.
    deadline: Option<Instant>,
}

/// A demand. Its members are the candidates of each of its steps: one that two steps can use is two members.
struct Members {
    /// The candidate of each member.
    candidates: Vec<usize>,
    ways: Vec<Way>,
    /// Where its members stand among those of all demands, and the candidates that it stands with among all of those.
    span: Range<usize>,
    when: Range<usize>,
}

struct Way {
    slots: Vec<Vec<StoredRows>>,
    most: f64,
}

#[derive(Clone, Copy)]
struct StoredRows {
    member: usize,
    cost: f64,
}

/// The shares that demands pay, for each demand one for each of its members, and what candidates pay for demands that stand
/// only with them, for each demand one for each of those candidates; all demands after each other.
#[derive(Clone)]
pub(super) struct Shares {
    pays: Vec<f64>,
    brings: Vec<f64>,
}

/// A bound, and what it is made of.
#[derive(Clone, Default)]
pub(super) struct Bound {
    pub value: f64,
    /// What is left to pay for each candidate.
    pub left: Vec<f64>,
    /// How many demands use each candidate in their cheapest way.
    pub users: Vec<u32>,
    /// Which members demands use, all demands after each other.
    uses: Vec<bool>,
    /// Whether each demand is taken to stand.
    stands: Vec<bool>,
}

impl<'p> Dual<'p> {
    pub fn new(problem: &'p Problem, deadline: Option<Instant>) -> Self {
        let (mut members_before, mut when_before) = (0, 0);
        let demands = problem.demands.iter().map(|demand| {
            let mut members: Vec<(usize, usize)> = Vec::new();
            for slots in demand.alternatives.iter().map(|way| &way.slots) {
                for (step, slot) in slots.iter().enumerate() {
                    members.extend(slot.choices.iter().map(|choice| (step, choice.candidate)));
                }
            }
            members.sort_unstable();
            members.dedup();
            let ways = demand.alternatives.iter().map(|way| {
                let slots = way.slots.iter().enumerate().map(|(step, slot)| {
                    let entries = slot.choices.iter().filter_map(|choice| {
                        let member = members.binary_search(&(step, choice.candidate)).ok()?;
                        Some(StoredRows { member, cost: choice.cost })
                    });
                    entries.collect()
                });
                Way { slots: slots.collect(), most: way.most }
            });
            let ways = ways.collect();
            let (span, when) = (
                members_before..members_before + members.len(),
                when_before..when_before + demand.when.len(),
            );
            (members_before, when_before) = (span.end, when.end);
            let candidates = members.into_iter().map(|(_, candidate)| candidate).collect();
            Members { ways, candidates, span, when }
        });
        let demands = demands.collect();
        Self { problem, demands, deadline }
    }

    /// No shares at all.
    pub fn no_shares(&self) -> Shares {
        let (members, when) = self.demands.last().map_or((0, 0), |last| (last.span.end, last.when.end));
        Shares { pays: vec![0.0; members], brings: vec![0.0; when] }
    }

    /// The bound that shares give.
    pub fn bound(&self, fates: &[Fate], shares: &Shares) -> Bound {
        let mut bound = Bound::default();
        self.find(fates, shares, &mut bound);
        bound
    }

    /// The same, into what was made before: this is where all the time goes.
    fn find(&self, fates: &[Fate], shares: &Shares, bound: &mut Bound) {
        let keeping = &self.problem.keeping;
        let Bound { value, left, users, uses, stands } = bound;
        left.clone_from(keeping);
        users.clear();
        users.resize(keeping.len(), 0);
        uses.clear();
        uses.resize(shares.pays.len(), false);
        stands.clear();
        *value = 0.0;
        for (demand, of) in self.demands.iter().zip(&self.problem.demands) {
            let (pays, used) = (&shares.pays[demand.span.clone()], &mut uses[demand.span.clone()]);
            let is_sure = of.when.is_empty() || of.when.iter().any(|one| fates[*one] == Fate::Kept);
            let (mut cost, way) = demand.cheapest(fates, pays);
            if !is_sure {
                for (candidate, part) in of.when.iter().zip(&shares.brings[demand.when.clone()]) {
                    if fates[*candidate] == Fate::Open {
                        left[*candidate] += part;
                        cost -= part;
                    }
                }
            }
            let is_standing = is_sure || cost < 0.0;
            if is_standing {
                *value += cost;
                for slot in way.iter().flat_map(|way| &way.slots) {
                    if let Some((member, _)) = demand.best_of(slot, fates, pays) {
                        used[member] = true;
                    }
                }
            }
            for ((candidate, share), used) in demand.candidates.iter().zip(pays).zip(used.iter()) {
                left[*candidate] -= share;
                users[*candidate] += u32::from(*used);
            }
            stands.push(is_standing);
        }
        for (candidate, fate) in fates.iter().enumerate() {
            match fate {
                Fate::Kept => *value += keeping[candidate],
                Fate::Open => *value += left[candidate].min(0.0),
                Fate::Out => {}
            }
        }
    }

    /// The problem without the choices that no set uses which costs less than `aim`: to serve a demand by such a choice would
    /// raise the bound to it.
    pub fn without_hopeless(&self, fates: &[Fate], shares: &Shares, bound: f64, aim: f64) -> Problem {
        let mut problem = self.problem.clone();
        for (demand, members) in problem.demands.iter_mut().zip(&self.demands) {
            let pays = &shares.pays[members.span.clone()];
            let is_sure =
                demand.when.is_empty() || demand.when.iter().any(|candidate| fates[*candidate] == Fate::Kept);
            let brought = demand.when.iter().zip(&shares.brings[members.when.clone()]);
            let brought = brought.filter(|(candidate, _)| fates[**candidate] == Fate::Open);
            let brought: f64 = if is_sure { 0.0 } else { brought.map(|(_, part)| part).sum() };
            let cheapest = members.cheapest(fates, pays).0 - brought;
            let now = if is_sure { cheapest } else { cheapest.min(0.0) };
            let most = aim - bound + now + brought;
            for (way, entries) in demand.alternatives.iter_mut().zip(&members.ways) {
                let cost = |entry: &StoredRows| match fates[members.candidates[entry.member]] {
                    Fate::Out => f64::INFINITY,
                    Fate::Open => entry.cost + pays[entry.member],
                    Fate::Kept => entry.cost,
                };
                let least: Vec<f64> = entries
                    .slots
                    .iter()
                    .map(|slot| slot.iter().map(cost).fold(f64::INFINITY, f64::min))
                    .collect();
                let all: f64 = least.iter().sum();
                for ((slot, entries), least) in way.slots.iter_mut().zip(&entries.slots).zip(&least) {
                    let mut costs = entries.iter().map(cost);
                    slot.choices.retain(|_| costs.next().is_some_and(|cost| all - least + cost < most));
                }
            }
            demand.alternatives.retain(|way| way.slots.iter().all(|slot| !slot.choices.is_empty()));
        }
        problem
    }

    /// Moves the shares towards a better bound, for so many rounds; the best bound, with its shares left behind.
    pub fn raise(&self, fates: &[Fate], shares: &mut Shares, best_known: f64, rounds: usize) -> Bound {
        let mut now = self.bound(fates, shares);
        let mut best = now.clone();
        let mut best_shares = shares.clone();
        let mut direction = self.no_shares();
        let (mut step, mut since) = (1.2, 0);
        for round in 0..rounds {
            let is_late = round % ROUNDS_A_LOOK == 0
                && self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if best.value >= best_known || step < STEP_LEAST || is_late {
                break;
            }
            if !self.step(fates, (shares, &mut direction), &now, step, best_known) {
                break;
            }
            self.find(fates, shares, &mut now);
            if now.value > best.value {
                since = 0;
                best_shares.clone_from(shares);
                best.clone_from(&now);
            } else {
                since += 1;
                if since % PATIENCE == 0 {
                    step *= SHORTER;
                }
            }
        }
        *shares = best_shares;
        best
    }

    /// One step in a direction that is turned towards the subgradient, as long as Polyak has it; false when there is nowhere
    /// to go.
    fn step(
        &self,
        fates: &[Fate],
        (shares, direction): (&mut Shares, &mut Shares),
        now: &Bound,
        step: f64,
        best_known: f64,
    ) -> bool {
        let steepness = self.turn(fates, now, direction);
        let target = if best_known.is_finite() { best_known } else { now.value.abs() * 1.1 + 1.0 };
        if steepness <= 0.0 || target <= now.value {
            return false;
        }
        let length = step * (target - now.value) / steepness;
        for (shares, turned) in [(&mut shares.pays, &direction.pays), (&mut shares.brings, &direction.brings)]
        {
            let all = shares.iter_mut().zip(turned);
            all.for_each(|(share, turned)| *share = (*share + length * turned).max(0.0));
        }
        true
    }

    /// Turns a direction towards the subgradient: how the bound changes with each share of an open candidate. Says how steep
    /// it is then.
    fn turn(&self, fates: &[Fate], now: &Bound, direction: &mut Shares) -> f64 {
        let number = |truth: bool| f64::from(u8::from(truth));
        let is_kept = |candidate: usize| number(now.left[candidate] < 0.0);
        let mut steepness = 0.0;
        let mut turn = |turned: &mut f64, slope: f64| {
            *turned = INERTIA * *turned + (1.0 - INERTIA) * slope;
            steepness += *turned * *turned;
        };
        for (place, demand) in self.demands.iter().enumerate() {
            let members = demand.candidates.iter().zip(&now.uses[demand.span.clone()]);
            for (turned, (candidate, used)) in direction.pays[demand.span.clone()].iter_mut().zip(members) {
                if fates[*candidate] == Fate::Open {
                    turn(turned, number(*used) - is_kept(*candidate));
                }
            }
            let when = &self.problem.demands[place].when;
            if when.iter().any(|candidate| fates[*candidate] == Fate::Kept) {
                continue;
            }
            for (turned, candidate) in direction.brings[demand.when.clone()].iter_mut().zip(when) {
                if fates[*candidate] == Fate::Open {
                    turn(turned, is_kept(*candidate) - number(now.stands[place]));
                }
            }
        }
        steepness
    }
}

impl Members {
    /// What the cheapest way costs with its shares, and that way; infinite when there is none.
    fn cheapest(&self, fates: &[Fate], shares: &[f64]) -> (f64, Option<&Way>) {
        let (mut best, mut best_way) = (f64::INFINITY, None);
        for way in &self.ways {
            if let Some(cost) = self.cost_of(way, fates, shares)
                && cost < best
            {
                (best, best_way) = (cost, Some(way));
            }
        }
        (best, best_way)
    }

    /// What one way costs with its shares; `None` when it is none.
    fn cost_of(&self, way: &Way, fates: &[Fate], shares: &[f64]) -> Option<f64> {
        let mut cost = 0.0;
        for slot in &way.slots {
            cost += self.best_of(slot, fates, shares)?.1;
        }
        let least = || {
            let there = |entry: &&StoredRows| fates[self.candidates[entry.member]] != Fate::Out;
            let least = |slot: &Vec<StoredRows>| {
                slot.iter().filter(there).map(|entry| entry.cost).fold(f64::INFINITY, f64::min)
            };
            way.slots.iter().map(least).sum::<f64>()
        };
        (way.most == f64::INFINITY || least() <= way.most).then_some(cost)
    }

    /// The member of a slot that costs least with its share, and what it costs.
    fn best_of(&self, slot: &[StoredRows], fates: &[Fate], shares: &[f64]) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        for entry in slot {
            let cost = match fates[self.candidates[entry.member]] {
                Fate::Out => continue,
                Fate::Open => entry.cost + shares[entry.member],
                Fate::Kept => entry.cost,
            };
            if best.is_none_or(|(_, least)| cost < least) {
                best = Some((entry.member, cost));
            }
        }
        best
    }
}
