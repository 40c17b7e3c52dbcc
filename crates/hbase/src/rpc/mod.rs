//! Calls to servers: connections, what waits to be sent, replies.
//!
//! ```text
//!  caller ──▶ outbox ──▶ the connection's task ──▶ socket ──▶ the same task ──▶ the caller's oneshot
//!                 └──▶ a lone call writes to the socket itself, without waking the task
//! ```

mod connection;
mod io;
mod multi;
mod outbox;
mod pending;
pub(crate) mod pool;
mod step;
mod writer;

use std::time::Duration;

use bytes::Bytes;
use prost::{Message, Name};

pub(crate) use connection::{CallOptions, Connection};
pub(crate) use step::{Mutation, Step, StepReply, Target};
pub(crate) use writer::region_specifier;

use crate::error::ServerException;
use crate::wire::ReplyError;
use crate::wire::decode::decode;
use crate::{HostPort, pb, retry};

/// The services of HBase's servers that we call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Service {
    Client,
    RegionServerAdmin,
    Master,
    Registry,
}

impl Service {
    pub fn name(self) -> &'static str {
        match self {
            Self::Client => "ClientService",
            Self::RegionServerAdmin => "AdminService",
            Self::Master => "MasterService",
            Self::Registry => "ClientMetaService",
        }
    }
}

/// Which server answers which call: what errors about the answer name.
#[derive(Clone, Debug)]
pub(crate) struct CallOrigin {
    pub call: &'static str,
    pub address: HostPort,
}

impl CallOrigin {
    /// The failure of a call whose answer is not accepted.
    pub fn refuse(&self, error: impl Into<ReplyError>) -> CallError {
        let Self { call, address } = self;
        match error.into() {
            ReplyError::Malformed(error) => {
                CallError::Undecodable { call, address: address.clone(), why: error.0 }
            }
            ReplyError::TooLarge(why) => {
                CallError::TooLarge(format!("cannot accept the answer of {address} to {call}: {why}"))
            }
        }
    }
}

/// A reply without an exception.
#[derive(Debug)]
pub(crate) struct Reply {
    pub message: Bytes,
    pub cells: Bytes,
    pub origin: CallOrigin,
    /// What the message may have (see [`crate::Config::answer_entries_max`]).
    pub entries_max: usize,
}

impl Reply {
    /// The message of the reply.
    pub fn read<M: Message + Name + Default>(&self) -> Result<M, CallError> {
        decode(self.message.clone(), self.entries_max).map_err(|error| self.origin.refuse(error))
    }
}

/// Why one attempt failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CallError {
    /// The server answered with an exception.
    #[error("{0}")]
    Server(ServerException),
    /// No reply came in time.
    #[error("{address} did not answer within {} ms", waited.as_millis())]
    TimedOut {
        /// Who was asked.
        address: HostPort,
        /// How long we waited.
        waited: Duration,
    },
    /// No connection could be made.
    #[error("cannot connect to {address}: {why}")]
    Connect {
        /// Where to.
        address: HostPort,
        /// Why not.
        why: String,
    },
    /// The connection ended while a reply was awaited.
    #[error("the connection to {address} was lost: {why}")]
    Lost {
        /// Where to.
        address: HostPort,
        /// Why.
        why: String,
    },
    /// Nobody serves the region now, or nobody is master.
    #[error("{0}")]
    NoServer(String),
    /// What was asked for goes on in the cluster and is not done yet.
    #[error("{0}")]
    NotDone(String),
    /// The server answered a call with bytes that cannot be decoded.
    #[error("cannot decode the answer of {address} to {call}: {why}")]
    Undecodable {
        /// The call, by its name in HBase's protocol.
        call: &'static str,
        /// Who answered.
        address: HostPort,
        /// What is wrong with the bytes.
        why: String,
    },
    /// A server that reads for a scan brings no rows and does not read on.
    #[error("{0}")]
    Standstill(String),
    /// The server sent bytes that belong to no call: it does not speak HBase's protocol, or lost its place in it.
    #[error("cannot decode what {address} sends, which is not HBase's RPC protocol: {why}")]
    Garbled {
        /// Who sent them.
        address: HostPort,
        /// What is wrong with the bytes.
        why: String,
    },
    /// The server left an action out of its answer.
    #[error("the answer of {0} leaves out an action")]
    Unanswered(HostPort),
    /// The answer takes more memory than the settings allow.
    #[error("{0}")]
    TooLarge(String),
    /// The request cannot be put on the wire.
    #[error("{0}")]
    Unsendable(String),
}

impl CallError {
    /// The simple name of the server's exception, if it is one.
    pub fn exception(&self) -> Option<&str> {
        match self {
            Self::Server(exception) => Some(exception.simple_name()),
            _ => None,
        }
    }

    /// The server that the failure is about, if it names one.
    pub fn address(&self) -> Option<&HostPort> {
        match self {
            Self::TimedOut { address, .. }
            | Self::Connect { address, .. }
            | Self::Lost { address, .. }
            | Self::Undecodable { address, .. }
            | Self::Garbled { address, .. }
            | Self::Unanswered(address) => Some(address),
            Self::Server(_)
            | Self::NoServer(_)
            | Self::NotDone(_)
            | Self::Standstill(_)
            | Self::TooLarge(_)
            | Self::Unsendable(_) => None,
        }
    }

    /// Whether the server may have done what was asked although we do not know.
    pub(crate) fn may_have_happened(&self) -> bool {
        match self {
            Self::TimedOut { .. }
            | Self::Lost { .. }
            | Self::Undecodable { .. }
            | Self::Garbled { .. }
            | Self::Unanswered(_)
            | Self::TooLarge(_) => true,
            Self::Server(_)
            | Self::Connect { .. }
            | Self::NoServer(_)
            | Self::NotDone(_)
            | Self::Standstill(_)
            | Self::Unsendable(_) => false,
        }
    }

    pub(crate) fn overloaded(&self) -> bool {
        matches!(self, Self::Server(exception) if exception.overloaded)
    }
}

/// The exception in a reply's header.
fn exception_of(response: pb::ExceptionResponse) -> ServerException {
    let class = response.exception_class_name.unwrap_or_default();
    let message = message_of(&class, &response.stack_trace.unwrap_or_default());
    let port = response.port.and_then(|port| u16::try_from(port).ok()).filter(|port| *port > 0);
    let moved_to = (response.hostname.filter(|host| !host.is_empty()))
        .zip(port)
        .map(|(host, port)| HostPort::new(host, port));
    ServerException {
        class,
        message,
        do_not_retry: response.do_not_retry.unwrap_or_default(),
        overloaded: response.server_overloaded.unwrap_or_default(),
        moved_to,
    }
}

/// The exception of one action or region in a multi call. It has no flags: what is final is known by its name.
fn exception_of_pair(pair: pb::NameBytesPair) -> ServerException {
    let text = pair.value.unwrap_or_default();
    let message = message_of(&pair.name, &String::from_utf8_lossy(&text));
    let mut exception = ServerException { class: pair.name, message, ..ServerException::default() };
    if exception.simple_name() == "RegionMovedException" {
        exception.moved_to = retry::moved_to_in_text(&exception.message);
    }
    exception.do_not_retry = retry::is_final_by_name(exception.simple_name());
    exception
}

/// A Java stack trace begins with `class: message`; frames follow on lines that begin with `at`. The text of a frame that a
/// server filled is no message: only its beginning is kept.
fn message_of(class: &str, stack_trace: &str) -> String {
    const MESSAGE_CHARS_MAX: usize = 10_000;
    let end = stack_trace.find("\n\tat ").unwrap_or(stack_trace.len());
    let text = stack_trace.get(..end).unwrap_or(stack_trace).trim_end();
    let text = text.strip_prefix(class).unwrap_or(text);
    let text = text.strip_prefix(": ").unwrap_or(text);
    match text.char_indices().nth(MESSAGE_CHARS_MAX).and_then(|(end, _)| text.get(..end)) {
        Some(beginning) => format!("{beginning}…"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_trace_gives_its_message() {
        let trace = "a.B: two\nlines\n\tat a.C.d(C.java:1)\n\tat e";
        assert_eq!(message_of("a.B", trace), "two\nlines");
        assert_eq!(message_of("a.B", "a.B"), "");
        assert_eq!(message_of("a.B", ""), "");
        let endless = message_of("a.B", &"ä".repeat(100_000));
        assert!(endless.len() < 30_000 && endless.ends_with("ä…"), "{} bytes", endless.len());
    }

    #[test]
    fn an_exception_of_a_multi_call_knows_where_the_region_went() {
        let text = "org.x.RegionMovedException: Region moved to: hostname=h port=7 startCode=1.\n\tat x";
        let pair = pb::NameBytesPair { name: "org.x.RegionMovedException".into(), value: Some(text.into()) };
        assert_eq!(exception_of_pair(pair).moved_to, Some(HostPort::new("h", 7)));
    }
}
