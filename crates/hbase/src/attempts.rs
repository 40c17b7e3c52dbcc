//! Carries out what `retry.rs` decides: forgets places, waits, gives up in time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cluster::Cluster;
use crate::metrics::Counters;
use crate::region::Location;
use crate::retry::{Remedy, pause, remedy, remedy_at_master};
use crate::rpc::CallError;
use crate::{Error, nonce};

/// The attempts of one operation.
pub(crate) struct Attempts<'a> {
    cluster: &'a Cluster,
    begun: Instant,
    deadline: Instant,
    failed: u32,
    /// Failed attempts up to the end of the last round.
    round: u32,
}

impl<'a> Attempts<'a> {
    pub fn new(cluster: &'a Cluster, timeout: Duration) -> Self {
        Self::until(cluster, Instant::now() + timeout)
    }

    /// The attempts of a part of an operation that must end at a given time.
    pub fn until(cluster: &'a Cluster, deadline: Instant) -> Self {
        Self { cluster, begun: Instant::now(), deadline, failed: 0, round: 0 }
    }

    /// How many attempts failed.
    pub fn failed_count(&self) -> u32 {
        self.failed
    }

    /// Several actions that failed in one round are one failed attempt: pauses grow by rounds.
    pub fn end_round(&mut self) {
        self.failed = self.failed.min(self.round + 1);
        self.round = self.failed;
    }

    /// Until when the attempt that begins now may take.
    pub fn attempt_deadline(&self) -> Instant {
        self.deadline.min(Instant::now() + self.cluster.config.rpc_timeout)
    }

    /// Until when the whole operation may take.
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// After a failed call to the master: waits until it is worth while to ask again, maybe another one.
    pub async fn failed_at_master(&mut self, failure: CallError) -> Result<(), Error> {
        let remedy = remedy_at_master(&failure, self.failed);
        let wait = self.prepare(&failure, None, &remedy)?;
        if remedy == Remedy::Relocate {
            self.cluster.forget_master();
        }
        tokio::time::sleep(wait).await;
        Ok(())
    }

    /// After a failed attempt: does what helps and waits, or ends with the error for the caller.
    pub async fn failed(
        &mut self,
        failure: CallError,
        location: Option<&Arc<Location>>,
    ) -> Result<Remedy, Error> {
        let remedy = remedy(&failure);
        let wait = self.prepare(&failure, location, &remedy)?;
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
        Ok(remedy)
    }

    /// The same without the wait: returns how long to wait.
    pub fn prepare(
        &mut self,
        failure: &CallError,
        location: Option<&Arc<Location>>,
        remedy: &Remedy,
    ) -> Result<Duration, Error> {
        self.failed += 1;
        if *remedy == Remedy::Fail {
            Counters::add(&self.cluster.counters.failures, 1);
            return Err(final_error(failure.clone()));
        }
        self.cluster.learn_from(failure, location, remedy);
        let wait = match remedy {
            // The new place is known: the first time there is nothing to wait for.
            Remedy::UseAddress(_) | Remedy::ReopenScanner if self.failed == 1 => Duration::ZERO,
            Remedy::Wait(wait) => *wait,
            _ => pause(&self.cluster.config, self.failed, failure.overloaded(), nonce::jitter()),
        };
        if Instant::now() + wait >= self.deadline {
            Counters::add(&self.cluster.counters.failures, 1);
            let last = Box::new(failure.clone());
            return Err(Error::Deadline { attempts: self.failed, elapsed: self.begun.elapsed(), last });
        }
        tracing::debug!(%failure, ?remedy, attempt = self.failed, wait_ms = wait.as_millis() as u64, "retrying");
        Counters::add(&self.cluster.counters.retries, 1);
        Ok(wait)
    }
}

fn final_error(failure: CallError) -> Error {
    match failure {
        CallError::Server(exception) => Error::Server(exception),
        CallError::Unsendable(why) => Error::InvalidArgument(why),
        other => Error::Protocol(other.to_string()),
    }
}
