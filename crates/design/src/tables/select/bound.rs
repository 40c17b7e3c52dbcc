//! A bound that no set of candidates can be below, from the Lagrangian dual.
//!
//! The rule "a demand is served only by candidates that are kept" is dropped; instead every demand `d` pays a share `λ(d, c)`
//! of what keeping `c` costs when it uses `c`. For any shares `λ ≥ 0`
//!
//! ```text
//!   Σ keeping(c), c kept already  +  Σ cheapest way of d, with shares  +  Σ min(0, keeping(c) − Σ λ(d, c)), c undecided
//! ```
//!
//! is at most the cost of the best set (Erlenkotter 1978 for facilities; Fisher 1981 for the method). In the same way the rule
//! "a demand stands when one of its candidates is kept" is dropped: each of them pays a part `μ(d, c)` of the demand, which
//! stands where its cheapest way costs less than all parts together. Shares are moved along the subgradient: up where a
//! demand uses a candidate that is not paid for, down where one is kept that it does not use.
#![expect(
    clippy::indexing_slicing,
    reason = "numbers of demands, members and candidates are all made in `Dual::new` from the same lists"
)]

use super::Problem;

/// After so many rounds without a better bound steps become shorter.
const PATIENCE: u32 = 8;
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

/// A demand, its candidates numbered by their place in `candidates`.
struct Members {
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
    /// Whether the share is paid here: once in a way, in the first slot that can use the candidate.
    pays: bool,
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
            let mut candidates: Vec<usize> = Vec::new();
            let slots = demand.alternatives.iter().flat_map(|way| &way.slots);
            candidates.extend(slots.flat_map(|slot| slot.choices.iter().map(|choice| choice.candidate)));
            candidates.sort_unstable();
            candidates.dedup();
            let ways = demand.alternatives.iter().map(|way| {
                let mut has_paid = vec![false; candidates.len()];
                let slots = way.slots.iter().map(|slot| {
                    let entries = slot.choices.iter().filter_map(|choice| {
                        let member = candidates.binary_search(&choice.candidate).ok()?;
                        let pays = !std::mem::replace(&mut has_paid[member], true);
                        Some(Entry { member, cost: choice.cost, pays })
                    });
                    entries.collect()
                });
                Way { slots: slots.collect(), most: way.most }
            });
            Members { ways: ways.collect(), candidates }
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

    /// Moves the shares towards a better bound, for so many rounds; the best bound, with its shares left behind.
    pub fn raise(&self, fates: &[Fate], shares: &mut Shares, best_known: f64, rounds: usize) -> Bound {
        let mut now = self.bound(fates, shares);
        let mut best = now.clone();
        let mut best_shares = shares.clone();
        let (mut step, mut since) = (1.2, 0);
        for _ in 0..rounds {
            if best.value >= best_known || step < STEP_LEAST {
                break;
            }
            if !self.step(fates, shares, &now, step, best_known) {
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
                    step *= 0.7;
                }
            }
        }
        *shares = best_shares;
        best
    }

    /// One step along the subgradient, as long as Polyak has it; false when there is nowhere to go.
    fn step(&self, fates: &[Fate], shares: &mut Shares, now: &Bound, step: f64, best_known: f64) -> bool {
        let mut steepness = 0.0;
        self.slopes(fates, now, &mut |_, _, _, slope| steepness += slope * slope);
        let target = if best_known.is_finite() { best_known } else { now.value.abs() * 1.1 + 1.0 };
        if steepness <= 0.0 || target <= now.value {
            return false;
        }
        let length = step * (target - now.value) / steepness;
        self.slopes(fates, now, &mut |kind, place, member, slope| {
            let share = match kind {
                Kind::Pays => &mut shares.pays[place][member],
                Kind::Brings => &mut shares.brings[place][member],
            };
            *share = (*share + length * slope).max(0.0);
        });
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

/// Which share it is.
#[derive(Clone, Copy)]
enum Kind {
    Pays,
    Brings,
}

impl Members {
    /// What the cheapest way costs with its shares; infinite when there is none. Marks what it uses.
    fn cheapest(&self, fates: &[Fate], shares: &[f64], used: &mut [bool]) -> f64 {
        let mut best = (f64::INFINITY, Vec::new());
        for way in &self.ways {
            if let Some((cost, members)) = self.way(way, fates, shares)
                && cost < best.0
            {
                best = (cost, members);
            }
        }
        best.1.into_iter().for_each(|member: usize| used[member] = true);
        best.0
    }

    /// What one way costs with its shares, and the members that it uses.
    fn way(&self, way: &Way, fates: &[Fate], shares: &[f64]) -> Option<(f64, Vec<usize>)> {
        let (mut with_shares, mut without) = (0.0, 0.0);
        let mut members = Vec::with_capacity(way.slots.len());
        for slot in &way.slots {
            let (mut best, mut least, mut chosen) = (f64::INFINITY, f64::INFINITY, None);
            for entry in slot {
                let share = match fates[self.candidates[entry.member]] {
                    Fate::Out => continue,
                    Fate::Open if entry.pays => shares[entry.member],
                    Fate::Open | Fate::Kept => 0.0,
                };
                least = least.min(entry.cost);
                if entry.cost + share < best {
                    (best, chosen) = (entry.cost + share, Some(entry.member));
                }
            }
            members.push(chosen?);
            with_shares += best;
            without += least;
        }
        (without <= way.most).then_some((with_shares, members))
    }
}
