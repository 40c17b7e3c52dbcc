//! Counts what is asked of a store and what it answers.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::intercept::{Intercept, Outcome};
use super::op::{Op, OpKind};
use super::volume::{self, Volume};
use crate::{Store, StoreError};

/// What was counted up to a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Calls of each kind; those that failed too. Each element of a batch does not count again.
    pub calls: BTreeMap<OpKind, u64>,
    /// Calls that failed.
    pub failures: u64,
    /// What the answers carried.
    pub read: Volume,
    /// What was written, as the caller sent it.
    pub written: Volume,
}

impl Counts {
    /// Calls of one kind.
    pub fn calls_of(&self, kind: OpKind) -> u64 {
        self.calls.get(&kind).copied().unwrap_or(0)
    }

    /// Calls of any kind.
    pub fn all_calls(&self) -> u64 {
        self.calls.values().sum()
    }

    /// Portions that scanners fetched, the empty last ones among them.
    pub fn portions(&self) -> u64 {
        self.calls_of(OpKind::NextRows)
    }
}

/// Counts calls, rows, cells and bytes.
#[derive(Debug, Default)]
pub struct Counting(Mutex<Counts>);

impl Counting {
    /// What was counted up to now.
    pub fn snapshot(&self) -> Counts {
        self.counts().clone()
    }

    /// What was counted up to now; counting begins anew.
    pub fn take(&self) -> Counts {
        std::mem::take(&mut *self.counts())
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Intercept for Counting {
    type Ticket = (OpKind, Vec<Volume>);

    async fn before(&self, _: &dyn Store, op: &Op<'_>) -> Result<Self::Ticket, StoreError> {
        Ok((op.kind(), volume::sent(op)))
    }

    async fn after(&self, (kind, sent): Self::Ticket, outcome: Outcome<'_>) -> Result<(), StoreError> {
        let mut counts = self.counts();
        *counts.calls.entry(kind).or_default() += 1;
        counts.failures += u64::from(matches!(outcome, Outcome::Failed(_)));
        counts.read += volume::read(&outcome);
        counts.written += volume::written(&sent, &outcome);
        Ok(())
    }
}
