//! What waits to be sent to a server, and the rule who sends it.
//!
//! Never by a timer: a lone call is written at once by its caller; while others are under way, the writer task takes
//! whatever waits when it gets to run, so batches form by themselves exactly when there is something to batch.

use std::time::Instant;

use bytes::Bytes;
use tokio::sync::oneshot;

use super::{CallError, StepReply, Target};
use crate::wire::frame::RawReply;

/// Something to send.
pub(super) enum Outgoing {
    /// A call of any method; the message is encoded already.
    Call(Call),
    /// Steps for regions of this server; go together with others in a multi call.
    Steps(Steps),
}

pub(super) struct Call {
    pub method: &'static str,
    pub message: Bytes,
    pub priority: Option<u32>,
    pub deadline: Instant,
    pub reply: oneshot::Sender<Result<RawReply, CallError>>,
}

pub(super) type StepResults = Vec<Result<StepReply, CallError>>;

pub(super) struct Steps {
    pub targets: Vec<Target>,
    pub deadline: Instant,
    /// One result for each target, in order.
    pub reply: oneshot::Sender<StepResults>,
}

/// The queue of one connection.
#[derive(Default)]
pub(super) struct Outbox {
    pub queue: Vec<Outgoing>,
    /// Somebody writes to the socket now, and will look at the queue again after.
    pub writing: bool,
    /// Why nothing can be sent any more.
    pub closed: Option<CallError>,
}

/// Who sends what was just put into the queue.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Sender {
    /// The caller itself, now.
    Caller,
    /// The writer task: wake it.
    Writer,
    /// Whoever writes already takes it along.
    Nobody,
}

impl Outbox {
    /// Puts something into the queue; the answer says what the caller has to do then.
    pub fn push(&mut self, outgoing: Outgoing, calls_under_way: usize) -> Result<Sender, CallError> {
        if let Some(why) = &self.closed {
            return Err(why.clone());
        }
        self.queue.push(outgoing);
        if self.writing {
            return Ok(Sender::Nobody);
        }
        self.writing = true;
        Ok(if calls_under_way == 0 { Sender::Caller } else { Sender::Writer })
    }

    /// What to write next; nothing ends the writing.
    pub fn take(&mut self) -> Vec<Outgoing> {
        let taken = std::mem::take(&mut self.queue);
        self.writing = !taken.is_empty();
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call() -> Outgoing {
        let (reply, _) = oneshot::channel();
        Outgoing::Call(Call {
            method: "x",
            message: Bytes::new(),
            priority: None,
            deadline: Instant::now(),
            reply,
        })
    }

    #[test]
    fn a_lone_call_is_sent_by_its_caller() {
        let mut outbox = Outbox::default();
        assert_eq!(outbox.push(call(), 0).unwrap(), Sender::Caller);
        assert_eq!(outbox.push(call(), 0).unwrap(), Sender::Nobody);
        assert_eq!(outbox.take().len(), 2);
        assert!(outbox.take().is_empty() && !outbox.writing);
        assert_eq!(outbox.push(call(), 3).unwrap(), Sender::Writer);
    }

    #[test]
    fn a_closed_connection_takes_nothing() {
        let mut outbox = Outbox { closed: Some(CallError::NoServer("x".into())), ..Outbox::default() };
        assert!(outbox.push(call(), 0).is_err());
    }
}
