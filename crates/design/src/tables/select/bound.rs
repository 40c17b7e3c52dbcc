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

use super::Problem;

/// After so many rounds without a better bound steps become shorter, by this factor.
const PATIENCE: u32 = 20;
const SHORTER: f64 = 0.8;
/// How much of a direction is that of the step before.
const INERTIA: f64 = 0.8;
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
}

/// A demand. Its members are the candidates of each of its steps: one that two steps can use is two members.
struct Members {
    /// The candidate of each member.
    candidates: Vec<usize>,
    ways: Vec<Way>,
}

struct Way {
    slots: Vec<Vec<Entry>>,
    most: f64,
}

#[derive(Clone, Copy)]
struct Entry {
    member: usize,
    cost: f64,
}

/// The shares that demands pay, for each demand one for each of its members, and what candidates pay for demands that stand
/// only with them, for each demand one for each of those candidates.
#[derive(Clone)]
pub(super) struct Shares {
    pays: Vec<Vec<f64>>,
    brings: Vec<Vec<f64>>,
}

/// A bound, and what it is made of.
#[derive(Clone)]
pub(super) struct Bound {
    pub value: f64,
    /// What is left to pay for each candidate.
    pub left: Vec<f64>,
    /// How many demands use each candidate in their cheapest way.
    pub users: Vec<u32>,
    /// Which members each demand uses.
    uses: Vec<Vec<bool>>,
    /// Whether each demand is taken to stand.
    stands: Vec<bool>,
}

impl<'p> Dual<'p> {
    pub fn new(problem: &'p Problem) -> Self {
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
                        Some(Entry { member, cost: choice.cost })
                    });
                    entries.collect()
                });
                Way { slots: slots.collect(), most: way.most }
            });
            Members {
                ways: ways.collect(),
                candidates: members.into_iter().map(|(_, candidate)| candidate).collect(),
            }
        });
        Self { problem, demands: demands.collect() }
    }

    /// No shares at all.
    pub fn no_shares(&self) -> Shares {
        let nothing = |count: usize| vec![0.0; count];
        Shares {
            pays: self.demands.iter().map(|demand| nothing(demand.candidates.len())).collect(),
            brings: self.problem.demands.iter().map(|demand| nothing(demand.when.len())).collect(),
        }
    }

    /// The bound that shares give.
    pub fn bound(&self, fates: &[Fate], shares: &Shares) -> Bound {
        let keeping = &self.problem.keeping;
        let mut left = keeping.clone();
        let mut users = vec![0; keeping.len()];
        let mut uses: Vec<Vec<bool>> = Vec::with_capacity(self.demands.len());
        let mut standing = Vec::with_capacity(self.demands.len());
        let mut value = 0.0;
        for (place, demand) in self.demands.iter().enumerate() {
            let mut used = vec![false; demand.candidates.len()];
            let when = &self.problem.demands[place].when;
            let is_sure = when.is_empty() || when.iter().any(|candidate| fates[*candidate] == Fate::Kept);
            let mut cost = demand.cheapest(fates, &shares.pays[place], &mut used);
            if !is_sure {
                for (candidate, part) in when.iter().zip(&shares.brings[place]) {
                    if fates[*candidate] == Fate::Open {
                        left[*candidate] += part;
                        cost -= part;
                    }
                }
            }
            let stands = is_sure || cost < 0.0;
            if stands {
                value += cost;
            }
            for (member, candidate) in demand.candidates.iter().enumerate() {
                left[*candidate] -= shares.pays[place][member];
                used[member] &= stands;
                users[*candidate] += u32::from(used[member]);
            }
            uses.push(used);
            standing.push(stands);
        }
        for (candidate, fate) in fates.iter().enumerate() {
            match fate {
                Fate::Kept => value += keeping[candidate],
                Fate::Open => value += left[candidate].min(0.0),
                Fate::Out => {}
            }
        }
        Bound { value, left, users, uses, stands: standing }
    }

    /// The problem without the choices that no set uses which costs less than `aim`: to serve a demand by such a choice would
    /// raise the bound to it.
    pub fn without_hopeless(&self, fates: &[Fate], shares: &Shares, bound: f64, aim: f64) -> Problem {
        let mut problem = self.problem.clone();
        for (place, (demand, members)) in problem.demands.iter_mut().zip(&self.demands).enumerate() {
            let is_sure =
                demand.when.is_empty() || demand.when.iter().any(|candidate| fates[*candidate] == Fate::Kept);
            let brought = demand.when.iter().zip(&shares.brings[place]);
            let brought = brought.filter(|(candidate, _)| fates[**candidate] == Fate::Open);
            let brought: f64 = if is_sure { 0.0 } else { brought.map(|(_, part)| part).sum() };
            let mut used = vec![false; members.candidates.len()];
            let cheapest = members.cheapest(fates, &shares.pays[place], &mut used) - brought;
            let now = if is_sure { cheapest } else { cheapest.min(0.0) };
            let most = aim - bound + now + brought;
            for (way, entries) in demand.alternatives.iter_mut().zip(&members.ways) {
                let cost = |entry: &Entry| match fates[members.candidates[entry.member]] {
                    Fate::Out => f64::INFINITY,
                    Fate::Open => entry.cost + shares.pays[place][entry.member],
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
        for _ in 0..rounds {
            if best.value >= best_known || step < STEP_LEAST {
                break;
            }
            if !self.step(fates, (shares, &mut direction), &now, step, best_known) {
                break;
            }
            now = self.bound(fates, shares);
            if now.value > best.value {
                since = 0;
                best_shares.clone_from(shares);
                best = now.clone();
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
        let mut steepness = 0.0;
        self.slopes(fates, now, &mut |kind, place, member, slope| {
            let turned = direction.at(kind, place, member);
            *turned = INERTIA * *turned + (1.0 - INERTIA) * slope;
            steepness += *turned * *turned;
        });
        let target = if best_known.is_finite() { best_known } else { now.value.abs() * 1.1 + 1.0 };
        if steepness <= 0.0 || target <= now.value {
            return false;
        }
        let length = step * (target - now.value) / steepness;
        for (lists, turned) in [(&mut shares.pays, &direction.pays), (&mut shares.brings, &direction.brings)]
        {
            let all = lists.iter_mut().flatten().zip(turned.iter().flatten());
            all.for_each(|(share, turned)| *share = (*share + length * turned).max(0.0));
        }
        true
    }

    /// How the bound changes with each share of an open candidate.
    fn slopes(&self, fates: &[Fate], now: &Bound, hears: &mut dyn FnMut(Kind, usize, usize, f64)) {
        let number = |truth: bool| f64::from(u8::from(truth));
        let is_kept = |candidate: usize| number(now.left[candidate] < 0.0);
        for (place, demand) in self.demands.iter().enumerate() {
            for (member, candidate) in demand.candidates.iter().enumerate() {
                if fates[*candidate] == Fate::Open {
                    hears(Kind::Pays, place, member, number(now.uses[place][member]) - is_kept(*candidate));
                }
            }
            let when = &self.problem.demands[place].when;
            if when.iter().any(|candidate| fates[*candidate] == Fate::Kept) {
                continue;
            }
            for (member, candidate) in when.iter().enumerate() {
                if fates[*candidate] == Fate::Open {
                    hears(Kind::Brings, place, member, is_kept(*candidate) - number(now.stands[place]));
                }
            }
        }
    }
}

impl Shares {
    fn at(&mut self, kind: Kind, place: usize, member: usize) -> &mut f64 {
        match kind {
            Kind::Pays => &mut self.pays[place][member],
            Kind::Brings => &mut self.brings[place][member],
        }
    }
}

/// Which share it is.
#[derive(Clone, Copy)]
enum Kind {
    Pays,
    Brings,
}

impl Members {
    /// What the cheapest way costs with its shares; infinite when there is none. Marks what it uses.
    fn cheapest(&self, fates: &[Fate], shares: &[f64], used: &mut [bool]) -> f64 {
        let (mut best, mut best_way) = (f64::INFINITY, None);
        for way in &self.ways {
            if let Some(cost) = self.way(way, fates, shares, &mut |_| {})
                && cost < best
            {
                (best, best_way) = (cost, Some(way));
            }
        }
        if let Some(way) = best_way {
            self.way(way, fates, shares, &mut |member| used[member] = true);
        }
        best
    }

    /// What one way costs with its shares; `uses` hears the members that it uses.
    fn way(&self, way: &Way, fates: &[Fate], shares: &[f64], uses: &mut impl FnMut(usize)) -> Option<f64> {
        let (mut with_shares, mut without) = (0.0, 0.0);
        for slot in &way.slots {
            let (mut best, mut least, mut chosen) = (f64::INFINITY, f64::INFINITY, None);
            for entry in slot {
                let share = match fates[self.candidates[entry.member]] {
                    Fate::Out => continue,
                    Fate::Open => shares[entry.member],
                    Fate::Kept => 0.0,
                };
                least = least.min(entry.cost);
                if entry.cost + share < best {
                    (best, chosen) = (entry.cost + share, Some(entry.member));
                }
            }
            uses(chosen?);
            with_shares += best;
            without += least;
        }
        (without <= way.most).then_some(with_shares)
    }
}
