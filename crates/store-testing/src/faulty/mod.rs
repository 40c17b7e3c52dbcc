//! Fails by rules, so that callers can be tested against a store that does.
//!
//! A [`Rule`] says to which calls it applies and what happens to them; the first one that applies decides. Chance
//! comes from a seed: with the same seed and the same calls the same calls fail.

mod rule;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use fastrand::Rng;
use tablesmith_store::wrap::{Intercept, Op, OpKind, Outcome};
use tablesmith_store::{Store, StoreError};

pub use rule::{Condition, Fault, Reaction, Rule, Turn};

/// Something that was done to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Injected {
    /// The call's number among all calls, from 1.
    pub call: u64,
    /// What it was.
    pub kind: OpKind,
    /// What happened to it.
    pub reaction: Reaction,
}

/// Fails by rules.
#[derive(Debug)]
pub struct Faulty {
    seed: u64,
    rules: Vec<(Rule, AtomicU64)>,
    calls: AtomicU64,
    injected: Mutex<Vec<Injected>>,
}

impl Faulty {
    /// These rules, with chances from this seed. Tell the seed when a test fails: it replays.
    pub fn new(seed: u64, rules: impl IntoIterator<Item = Rule>) -> Self {
        Self {
            seed,
            rules: rules.into_iter().map(|rule| (rule, AtomicU64::new(0))).collect(),
            calls: AtomicU64::new(0),
            injected: Mutex::default(),
        }
    }

    /// The seed of the chances.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// What was done up to now.
    pub fn injected(&self) -> Vec<Injected> {
        self.injected.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Decides what happens to a call. Every rule counts the calls it is about, also those that another rule takes.
    fn decide(&self, op: &Op<'_>) -> Option<Injected> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let mut decided = None;
        for (place, (rule, met)) in self.rules.iter().enumerate() {
            if rule.condition.holds(op) {
                let turn = met.fetch_add(1, Ordering::Relaxed) + 1;
                if decided.is_none() && self.is_turn(rule.turn, place, turn) {
                    decided = Some(Injected { call, kind: op.kind(), reaction: rule.reaction });
                }
            }
        }
        decided
    }

    /// A chance hangs on seed, rule and count alone: what other rules and threads do does not change it.
    fn is_turn(&self, turn: Turn, place: usize, count: u64) -> bool {
        match turn {
            Turn::Each => true,
            Turn::Nth(nth) => count == nth,
            Turn::First(first) => count <= first,
            Turn::Chance(chance) => {
                let of_rule = Rng::with_seed(self.seed ^ (place as u64)).u64(..);
                Rng::with_seed(of_rule ^ count).f64() < chance
            }
        }
    }

    fn error(&self, fault: Fault, injected: Injected, when: &str) -> StoreError {
        let message =
            format!("injected failure {when} {} (call {}, seed {})", injected.kind, injected.call, self.seed);
        match fault {
            Fault::TooBusy => StoreError::TooBusy(message),
            Fault::Io => StoreError::Io(message),
        }
    }
}

#[async_trait]
impl Intercept for Faulty {
    type Ticket = Option<Injected>;

    async fn before(&self, _: &dyn Store, op: &Op<'_>) -> Result<Self::Ticket, StoreError> {
        let Some(injected) = self.decide(op) else { return Ok(None) };
        self.injected.lock().unwrap_or_else(PoisonError::into_inner).push(injected);
        match injected.reaction {
            Reaction::FailBefore(fault) => Err(self.error(fault, injected, "before")),
            Reaction::Delay(delay) => {
                tokio::time::sleep(delay).await;
                Ok(None)
            }
            Reaction::FailAfter(_) => Ok(Some(injected)),
        }
    }

    async fn after(&self, ticket: Self::Ticket, _: Outcome<'_>) -> Result<(), StoreError> {
        match ticket.map(|injected| (injected, injected.reaction)) {
            Some((injected, Reaction::FailAfter(fault))) => Err(self.error(fault, injected, "after")),
            _ => Ok(()),
        }
    }
}
