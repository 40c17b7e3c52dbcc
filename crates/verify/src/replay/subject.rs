//! Who is asked.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tablesmith_store::{OpStats, StoreError};

/// Designs, by name.
pub type Subjects<C> = Vec<(String, Arc<dyn Subject<C>>)>;

/// A design on a store that can be asked a call.
#[async_trait]
pub trait Subject<C>: Send + Sync {
    /// Makes a call, and says what it answered and how long that took.
    async fn ask(&self, call: &C) -> Result<Outcome, StoreError>;

    /// Gets ready for several calls. Who has work to do before and after a call does it here and at the end, so that calls
    /// follow each other as closely as an application's. An error comes with the place of its call.
    fn prepare<'s>(&'s self, calls: &[&'s C]) -> Result<Box<dyn Prepared + 's>, (usize, StoreError)>
    where
        C: Sync,
    {
        Ok(Box::new(OneByOne { subject: self, calls: calls.to_vec(), outcomes: Vec::new() }))
    }
}

/// Calls that are about to be made.
#[async_trait]
pub trait Prepared: Send {
    /// Makes the next call.
    async fn make_next(&mut self) -> Result<(), StoreError>;

    /// What the calls answered, in their order; an error comes with the place of its call.
    fn finish(self: Box<Self>) -> Result<Vec<Outcome>, (usize, StoreError)>;
}

/// Nothing to get ready.
struct OneByOne<'s, S: ?Sized, C> {
    subject: &'s S,
    calls: Vec<&'s C>,
    outcomes: Vec<Outcome>,
}

#[async_trait]
impl<S: Subject<C> + ?Sized, C: Sync> Prepared for OneByOne<'_, S, C> {
    async fn make_next(&mut self) -> Result<(), StoreError> {
        if let Some(call) = self.calls.get(self.outcomes.len()) {
            self.outcomes.push(self.subject.ask(call).await?);
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<Outcome>, (usize, StoreError)> {
        Ok(self.outcomes)
    }
}

/// What a call answered. Only what is the same on every design may go into the hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Rows of the answer.
    pub rows: u64,
    /// A hash of the answer.
    pub hash: u64,
    /// The time of the calls to the store; neither planning nor hashing nor waiting for a processor is in it.
    pub time: Duration,
    /// The time that those calls waited for a processor of this machine, where that is known.
    pub waited: Duration,
    /// What the store counted.
    pub stats: OpStats,
}
