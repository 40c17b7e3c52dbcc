//! What can go wrong in a store. Each variant has the name of the exception that HBase would throw.

use bytes::Bytes;
use hbase_types::InvalidRequest;
use tablesmith_model::{NameError, SettingError, TableName, TimeRangeError, bytes_text::to_text};

use crate::filter::eval::FilterError;
use crate::filter::language::ParseError;

/// Why a store did not do what it was asked. The message is a sentence that says what to do, where that is known.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The table has no such family.
    #[error("column family {} does not exist in table {table}", to_text(.family))]
    NoSuchColumnFamily {
        /// The table asked.
        table: TableName,
        /// The family it does not have.
        family: Bytes,
    },
    /// There is no such table.
    #[error("table {0} does not exist")]
    TableNotFound(TableName),
    /// There is one already.
    #[error("table {0} exists already")]
    TableExists(TableName),
    /// The table is disabled.
    #[error("table {0} is disabled: enable it first")]
    TableNotEnabled(TableName),
    /// The table is enabled.
    #[error("table {0} is enabled: disable it first")]
    TableNotDisabled(TableName),
    /// There is no such namespace.
    #[error("namespace {0} does not exist: create it first")]
    NamespaceNotFound(String),
    /// There is one already.
    #[error("namespace {0} exists already")]
    NamespaceExists(String),
    /// Something still depends on what was to be removed, or it is reserved.
    #[error("{0}")]
    Constraint(String),
    /// A family that `alter` was to change or remove is not there.
    #[error("{0}")]
    InvalidFamilyOperation(String),
    /// There is no such region.
    #[error("there is no region {0}")]
    UnknownRegion(String),
    /// Regions cannot be merged, split or moved that way.
    #[error("{0}")]
    Region(String),
    /// The request itself is wrong.
    #[error("{0}")]
    IllegalArgument(String),
    /// The filter decides on whole rows, which the request takes apart.
    #[error("{0}")]
    IncompatibleFilter(String),
    /// The request is wrong in a way that HBase has no name for.
    #[error("{0}")]
    Refused(String),
    /// The row of a request lies outside of what the request says.
    #[error("{0}")]
    WrongRow(String),
    /// The store refuses, and would again.
    #[error("{0}")]
    DoNotRetry(String),
    /// The table is read-only.
    #[error("table {0} is read-only")]
    ReadOnly(TableName),
    /// The store has no such operation.
    #[error("{0}")]
    Unsupported(String),
    /// A server is asked for more than it can do at the moment; waiting helps.
    #[error("{0}")]
    TooBusy(String),
    /// Another process has the store open.
    #[error("{0}")]
    Locked(String),
    /// Data on disk is damaged or of a version that this program does not know.
    #[error("{0}")]
    Corrupt(String),
    /// Reading or writing failed.
    #[error("{0}")]
    Io(String),
}

impl StoreError {
    /// The name of HBase's exception for this error.
    pub fn exception(&self) -> &'static str {
        match self {
            Self::NoSuchColumnFamily { .. } => "NoSuchColumnFamilyException",
            Self::TableNotFound(_) => "TableNotFoundException",
            Self::TableExists(_) => "TableExistsException",
            Self::TableNotEnabled(_) => "TableNotEnabledException",
            Self::TableNotDisabled(_) => "TableNotDisabledException",
            Self::NamespaceNotFound(_) => "NamespaceNotFoundException",
            Self::NamespaceExists(_) => "NamespaceExistException",
            Self::Constraint(_) => "ConstraintException",
            Self::InvalidFamilyOperation(_) => "InvalidFamilyOperationException",
            Self::UnknownRegion(_) => "UnknownRegionException",
            Self::Region(_) => "MergeRegionException",
            Self::IllegalArgument(_) => "IllegalArgumentException",
            Self::IncompatibleFilter(_) => "IncompatibleFilterException",
            Self::Refused(_) => "IOException",
            Self::WrongRow(_) => "DoNotRetryIOException",
            Self::DoNotRetry(_) => "DoNotRetryIOException",
            Self::ReadOnly(_) => "DoNotRetryIOException",
            Self::Unsupported(_) => "UnsupportedOperationException",
            Self::TooBusy(_) => "RegionTooBusyException",
            Self::Locked(_) | Self::Corrupt(_) | Self::Io(_) => "IOException",
        }
    }

    /// Whether the store itself failed, as opposed to refusing a request.
    pub fn is_store_failure(&self) -> bool {
        matches!(self, Self::Locked(_) | Self::Corrupt(_) | Self::Io(_) | Self::TooBusy(_))
    }
}

impl From<NameError> for StoreError {
    fn from(error: NameError) -> Self {
        Self::IllegalArgument(error.to_string())
    }
}

impl From<SettingError> for StoreError {
    fn from(error: SettingError) -> Self {
        Self::IllegalArgument(error.to_string())
    }
}

impl From<TimeRangeError> for StoreError {
    fn from(error: TimeRangeError) -> Self {
        Self::IllegalArgument(error.to_string())
    }
}

impl From<InvalidRequest> for StoreError {
    fn from(error: InvalidRequest) -> Self {
        match error {
            InvalidRequest::WrongRow { .. } => Self::WrongRow(error.to_string()),
            _ => Self::IllegalArgument(error.to_string()),
        }
    }
}

impl From<FilterError> for StoreError {
    fn from(error: FilterError) -> Self {
        match error {
            FilterError::Unsupported { .. } => Self::Unsupported(error.to_string()),
            _ => Self::IllegalArgument(error.to_string()),
        }
    }
}

impl From<ParseError> for StoreError {
    fn from(error: ParseError) -> Self {
        Self::IllegalArgument(error.to_string())
    }
}
