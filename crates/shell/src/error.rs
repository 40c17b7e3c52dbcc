//! Why a command failed, under the name that HBase's shell gives it.

use tablesmith_model::{NameError, TimeRangeError};
use tablesmith_store::StoreError;

use crate::language::SyntaxError;

/// Why a command failed. The message is a sentence.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    /// The command cannot be read.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// A command or a constant that nobody knows.
    #[error("{0}")]
    Name(String),
    /// Too many or too few arguments, or one of the wrong shape.
    #[error("{0}")]
    Argument(String),
    /// A value of the wrong type.
    #[error("{0}")]
    Type(String),
    /// The request makes no sense in itself; HBase's client says so under this name.
    #[error("{message}")]
    Client {
        /// The exception's name.
        exception: &'static str,
        /// What is wrong.
        message: String,
    },
    /// The store refused or failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ShellError {
    /// An argument that makes no sense, as HBase's client says it.
    pub fn illegal(message: impl Into<String>) -> Self {
        Self::Client { exception: "IllegalArgumentException", message: message.into() }
    }

    /// Something that HBase's shell does and this one does not.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::Client { exception: "UnsupportedOperationException", message: message.into() }
    }

    /// The name of what HBase's shell would raise.
    pub fn exception(&self) -> &'static str {
        match self {
            Self::Syntax(_) => "SyntaxError",
            Self::Name(_) => "NameError",
            Self::Argument(_) => "ArgumentError",
            Self::Type(_) => "TypeError",
            Self::Client { exception, .. } => exception,
            Self::Store(error) => error.exception(),
        }
    }

    /// Whether the store itself failed, as opposed to refusing what was asked.
    pub fn is_store_failure(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_store_failure())
    }
}

impl From<NameError> for ShellError {
    fn from(error: NameError) -> Self {
        Self::illegal(error.to_string())
    }
}

impl From<TimeRangeError> for ShellError {
    fn from(error: TimeRangeError) -> Self {
        Self::illegal(error.to_string())
    }
}
