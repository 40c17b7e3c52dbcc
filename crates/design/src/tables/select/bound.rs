//! A bound that no set of candidates can be below, from the Lagrangian dual.
//!
//! The rule "a demand is served only by candidates that are kept" is dropped; instead every demand `d` pays a share `λ(d, c)`
//! of what keeping `c` costs when it uses `c`. For any shares `λ ≥ 0`
//!
//! ```text
//!   Σ keeping(c), c kept already  +  Σ cheapest way of d, with shares  +  Σ min(0, keeping(c) − Σ λ(d, c)), c undecided
//! ```
//!
//! is at most the cost of the best set (Erlenkotter 1978 for facilities; Fisher 1981 for the method). Shares are moved along
//! the subgradient: up where a demand uses a candidate that is not paid for, down where one is kept that it does not use.
#![expect(
    clippy::indexing_slicing,
    reason = "numbers of demands, members and candidates are all made in `Dual::new` from the same lists"
)]

use super::Problem;

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

/// The shares that demands pay: for each demand one for each of its members.
pub(super) type Shares = Vec<Vec<f64>>;

/// A bound, and what it is made of.
pub(super) struct Bound {
    pub value: f64,
    /// What is left to pay for each candidate.
    pub left: Vec<f64>,
    /// How many demands use each candidate in their cheapest way.
    pub users: Vec<u32>,
    /// Which members each demand uses.
    uses: Vec<Vec<bool>>,
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
        self.demands.iter().map(|demand| vec![0.0; demand.candidates.len()]).collect()
    }

    /// The bound that shares give.
    pub fn bound(&self, fates: &[Fate], shares: &Shares) -> Bound {
        let keeping = &self.problem.keeping;
        let mut left = keeping.clone();
        let mut users = vec![0; keeping.len()];
        let mut uses: Vec<Vec<bool>> = Vec::with_capacity(self.demands.len());
        let mut value = 0.0;
        for (place, demand) in self.demands.iter().enumerate() {
            let mut used = vec![false; demand.candidates.len()];
            let when = &self.problem.demands[place].when;
            if when.is_empty() || when.iter().any(|candidate| fates[*candidate] == Fate::Kept) {
                value += demand.cheapest(fates, &shares[place], &mut used);
                for (member, candidate) in demand.candidates.iter().enumerate() {
                    left[*candidate] -= shares[place][member];
                    users[*candidate] += u32::from(used[member]);
                }
            }
            uses.push(used);
        }
        for (candidate, fate) in fates.iter().enumerate() {
            match fate {
                Fate::Kept => value += keeping[candidate],
                Fate::Open => value += left[candidate].min(0.0),
                Fate::Out => {}
            }
        }
        Bound { value, left, users, uses }
    }

    /// Moves the shares towards a better bound, for so many rounds; the best bound, with its shares left behind.
    pub fn raise(&self, fates: &[Fate], shares: &mut Shares, best_known: f64, rounds: usize) -> Bound {
        let mut best = self.bound(fates, shares);
        let mut best_shares = shares.clone();
        let (mut step, mut since) = (1.0, 0);
        let mut now = self.bound(fates, shares);
        for _ in 0..rounds {
            if best.value >= best_known || step < 1e-4 {
                break;
            }
            if !self.step(fates, shares, &now, step, best_known) {
                break;
            }
            now = self.bound(fates, shares);
            if now.value > best.value {
                since = 0;
                best_shares.clone_from(shares);
                best = self.bound(fates, shares);
            } else {
                since += 1;
                if since % 6 == 0 {
                    step *= 0.6;
                }
            }
        }
        *shares = best_shares;
        best
    }

    /// One step along the subgradient, as long as Polyak has it; false when there is nowhere to go.
    fn step(&self, fates: &[Fate], shares: &mut Shares, now: &Bound, step: f64, best_known: f64) -> bool {
        let slope = |place: usize, member: usize, candidate: usize| {
            let is_kept = fates[candidate] == Fate::Open && now.left[candidate] < 0.0;
            f64::from(u8::from(now.uses[place][member])) - f64::from(u8::from(is_kept))
        };
        let is_open = |candidate: &usize| fates[*candidate] == Fate::Open;
        let mut steepness = 0.0;
        for (place, demand) in self.demands.iter().enumerate() {
            for (member, candidate) in demand.candidates.iter().enumerate().filter(|(_, one)| is_open(one)) {
                steepness += slope(place, member, *candidate).powi(2);
            }
        }
        let target = if best_known.is_finite() { best_known } else { now.value.abs() * 1.1 + 1.0 };
        if steepness <= 0.0 || target <= now.value {
            return false;
        }
        let length = step * (target - now.value) / steepness;
        for (place, demand) in self.demands.iter().enumerate() {
            for (member, candidate) in demand.candidates.iter().enumerate().filter(|(_, one)| is_open(one)) {
                let share = &mut shares[place][member];
                *share = (*share + length * slope(place, member, *candidate)).max(0.0);
            }
        }
        true
    }
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
