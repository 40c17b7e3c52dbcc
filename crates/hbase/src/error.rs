//! What can go wrong, and what the caller can do about it.

use std::time::Duration;

use hbase_types::{InvalidRequest, NameError, TimeRangeError};

use crate::rpc::CallError;
use crate::{HostPort, TableName};

/// An operation that failed in the end.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The request makes no sense; nothing was sent.
    #[error("{0}")]
    InvalidArgument(String),
    /// There is no such table.
    #[error("table {0} does not exist")]
    TableNotFound(TableName),
    /// The table is disabled: enable it first.
    #[error("table {0} is disabled")]
    TableNotEnabled(TableName),
    /// The server refused, and trying again would not help.
    #[error("{0}")]
    Server(ServerException),
    /// The time ran out. The last failure says why.
    #[error("gave up after {attempts} attempts in {} ms; the last one: {last}", elapsed.as_millis())]
    Deadline {
        /// How often it was tried.
        attempts: u32,
        /// How long.
        elapsed: Duration,
        /// Why the last attempt failed.
        last: Box<CallError>,
    },
    /// A check-and-mutate was sent and its answer was lost: it may have happened or not. Read the row to find out.
    #[error("the answer was lost, the check-and-mutate may have happened or not: {0}")]
    Ambiguous(Box<CallError>),
    /// No server told where the cluster's parts are.
    #[error(
        "none of {} answers; the last one: {last}. Is the cluster up, and the address right?",
        listed(asked)
    )]
    Bootstrap {
        /// Who was asked.
        asked: Vec<HostPort>,
        /// Why the last one gave no answer.
        last: Box<CallError>,
    },
    /// A server's answer cannot be decoded. The next one would not be either.
    #[error("{0}. This client speaks to HBase 2.5 and later; check the server's address and version")]
    Undecodable(Box<CallError>),
    /// An answer takes more memory than the settings allow. The message says which setting to raise; see [`Config`](crate::Config).
    #[error("{0}")]
    TooLarge(String),
    /// A server sent something that we do not understand.
    #[error("unexpected answer: {0}")]
    Protocol(String),
}

impl Error {
    /// The simple name of the server's exception, if one is behind this.
    pub fn exception(&self) -> Option<&str> {
        match self {
            Self::TableNotFound(_) => Some("TableNotFoundException"),
            Self::TableNotEnabled(_) => Some("TableNotEnabledException"),
            Self::Server(exception) => Some(exception.simple_name()),
            Self::Deadline { last, .. } | Self::Ambiguous(last) | Self::Bootstrap { last, .. } => {
                last.exception()
            }
            Self::InvalidArgument(_) | Self::Undecodable(_) | Self::TooLarge(_) | Self::Protocol(_) => None,
        }
    }
}

impl From<InvalidRequest> for Error {
    fn from(error: InvalidRequest) -> Self {
        Self::InvalidArgument(error.to_string())
    }
}

impl From<NameError> for Error {
    fn from(error: NameError) -> Self {
        Self::InvalidArgument(error.to_string())
    }
}

impl From<TimeRangeError> for Error {
    fn from(error: TimeRangeError) -> Self {
        Self::InvalidArgument(error.to_string())
    }
}

/// An exception that a server answered with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerException {
    /// The full name of the Java class.
    pub class: String,
    /// Its message, without the stack trace.
    pub message: String,
    /// The server says that trying again is useless.
    pub do_not_retry: bool,
    /// The server says that it has too much to do.
    pub overloaded: bool,
    /// Where the region is now, if the server knows.
    pub moved_to: Option<HostPort>,
}

impl ServerException {
    /// The class without its package and outer class.
    pub fn simple_name(&self) -> &str {
        self.class.rsplit(['.', '$']).next().unwrap_or(&self.class)
    }
}

impl std::fmt::Display for ServerException {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.simple_name())?;
        if !self.message.is_empty() {
            write!(f, ": {}", self.message)?;
        }
        Ok(())
    }
}

fn listed(servers: &[HostPort]) -> String {
    servers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
