//! Carries out what `retry.rs` decides: forgets places, waits, tells the observer, gives up in time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cluster::Cluster;
use crate::metrics::Counters;
use crate::region::Location;
use crate::retry::{Remedy, pause, remedy, remedy_at_master};
use crate::retry_report::{Purpose, RetryReport};
use crate::rpc::CallError;
use crate::{Error, HostPort, nonce};

/// The attempts of one operation.
pub(crate) struct Attempts<'a> {
    cluster: &'a Cluster,
    purpose: Purpose<'a>,
    begun: Instant,
    deadline: Instant,
    /// When a server answered the last time; at first, when the operation began.
    answered: Instant,
    /// The first failure since then.
    failing_since: Option<Instant>,
    /// Why the attempt before failed.
    last: Option<CallError>,
    failed: u32,
    /// Failed attempts up to the end of the last round.
    round: u32,
}

impl<'a> Attempts<'a> {
    pub fn new(cluster: &'a Cluster, purpose: Purpose<'a>, timeout: Duration) -> Self {
        Self::until(cluster, purpose, Instant::now() + timeout)
    }

    /// The attempts of a part of an operation that must end at a given time.
    pub fn until(cluster: &'a Cluster, purpose: Purpose<'a>, deadline: Instant) -> Self {
        let begun = Instant::now();
        Self {
            cluster,
            purpose,
            begun,
            deadline,
            answered: begun,
            failing_since: None,
            last: None,
            failed: 0,
            round: 0,
        }
    }

    /// The same for something that reports call by another name.
    pub fn about(self, purpose: Purpose<'a>) -> Self {
        Self { purpose, ..self }
    }

    /// How many attempts failed.
    pub fn failed_count(&self) -> u32 {
        self.failed
    }

    /// Several actions that failed in one round are one failed attempt: pauses grow by rounds.
    pub fn end_round(&mut self) {
        self.round = self.failed;
    }

    /// A server answered, and more calls of the operation follow.
    pub fn answered(&mut self) {
        self.answered = Instant::now();
        self.failing_since = None;
    }

    /// Until when the attempt that begins now may take.
    pub fn attempt_deadline(&self) -> Instant {
        self.deadline.min(Instant::now() + self.cluster.config.rpc_timeout)
    }

    /// Until when the whole operation may take.
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// What a failure of this round asks for.
    pub fn remedy(&self, failure: &CallError) -> Remedy {
        remedy(failure, self.round)
    }

    /// After a failed call to the master: waits until it is worth while to ask again, maybe another one.
    pub async fn failed_at_master(&mut self, method: &'static str, failure: CallError) -> Result<(), Error> {
        self.purpose.operation = method;
        let remedy = remedy_at_master(&failure, self.round);
        let master = self.cluster.known_master();
        let wait = self.prepare_at(&failure, None, &remedy, master.as_ref())?;
        if remedy == Remedy::Relocate {
            self.cluster.forget_master();
        }
        self.end_round();
        tokio::time::sleep(wait).await;
        Ok(())
    }

    /// After a failed attempt: does what helps and waits, or ends with the error for the caller.
    pub async fn failed(
        &mut self,
        failure: CallError,
        location: Option<&Arc<Location>>,
    ) -> Result<Remedy, Error> {
        let remedy = self.remedy(&failure);
        let wait = self.prepare(&failure, location, &remedy)?;
        self.end_round();
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
        self.prepare_at(failure, location, remedy, location.map(|location| &location.address))
    }

    fn prepare_at(
        &mut self,
        failure: &CallError,
        location: Option<&Arc<Location>>,
        remedy: &Remedy,
        server: Option<&HostPort>,
    ) -> Result<Duration, Error> {
        let is_first_of_round = self.failed == self.round;
        self.failed = self.round + 1;
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
        let (now, gives_up_at) = (Instant::now(), self.gives_up_at());
        if now + wait >= gives_up_at {
            Counters::add(&self.cluster.counters.failures, 1);
            let last = Box::new(self.most_telling(failure).clone());
            return Err(Error::Deadline { attempts: self.failed, elapsed: self.begun.elapsed(), last });
        }
        tracing::debug!(%failure, ?remedy, attempt = self.failed, wait_ms = wait.as_millis() as u64, "retrying");
        Counters::add(&self.cluster.counters.retries, 1);
        if is_first_of_round {
            self.report(failure, failure.address().or(server), (now, gives_up_at));
        }
        self.last = Some(failure.clone());
        Ok(wait)
    }

    /// The last attempt often has no time left for an answer: then the one before tells more.
    fn most_telling<'f>(&'f self, failure: &'f CallError) -> &'f CallError {
        match failure {
            CallError::TimedOut { waited, .. } if *waited < self.cluster.config.rpc_timeout => {
                self.last.as_ref().unwrap_or(failure)
            }
            _ => failure,
        }
    }

    /// A long operation too is given up when no server has answered for as long as a short one may take.
    fn gives_up_at(&mut self) -> Instant {
        let failing_since = *self.failing_since.get_or_insert_with(Instant::now);
        self.deadline.min(failing_since + self.cluster.config.operation_timeout)
    }

    /// Something that was begun at the master goes on: tells the observer, as of an operation that is tried again.
    pub fn report_unfinished(&self, unfinished: &CallError, (begun, asked): (Instant, u32)) {
        let Some(observer) = &self.cluster.config.retry_observer else { return };
        observer(&RetryReport {
            operation: self.purpose.operation,
            table: self.purpose.table,
            server: self.cluster.known_master().as_ref(),
            attempts: asked,
            elapsed: begun.elapsed(),
            remaining: self.deadline.saturating_duration_since(Instant::now()),
            failure: unfinished,
        });
    }

    fn report(&self, failure: &CallError, server: Option<&HostPort>, (now, gives_up_at): (Instant, Instant)) {
        let Some(observer) = &self.cluster.config.retry_observer else { return };
        observer(&RetryReport {
            operation: self.purpose.operation,
            table: self.purpose.table,
            server,
            attempts: self.failed,
            elapsed: now.saturating_duration_since(self.answered),
            remaining: gives_up_at.saturating_duration_since(now),
            failure,
        });
    }
}

fn final_error(failure: CallError) -> Error {
    match failure {
        CallError::Server(exception) => Error::Server(exception),
        CallError::Unsendable(why) => Error::InvalidArgument(why),
        CallError::TooLarge(why) => Error::TooLarge(why),
        other => Error::Undecodable(Box::new(other)),
    }
}
