//! Why a request is refused before it is sent.

use crate::Timestamp;
use crate::row::MAX_ROW_BYTES;

/// What makes no sense in a request, whatever the table is. HBase's own client refuses the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRequest {
    /// A row without a key.
    #[error("a row key must not be empty")]
    EmptyRow,
    /// A row key that is too long.
    #[error("a row key has at most {MAX_ROW_BYTES} bytes, this one has {bytes}")]
    LongRow {
        /// Its length.
        bytes: usize,
    },
    /// A bound of a scan that is too long.
    #[error("a row key has at most {MAX_ROW_BYTES} bytes, this bound has {bytes}")]
    LongBound {
        /// Its length.
        bytes: usize,
    },
    /// A timestamp below zero.
    #[error("a timestamp is not negative: {timestamp}")]
    NegativeTimestamp {
        /// The timestamp.
        timestamp: Timestamp,
    },
    /// A write that names nothing to write.
    #[error("the {request} of row {row} names no columns")]
    NoColumns {
        /// `put`, `increment`, `append` or `row mutation`.
        request: &'static str,
        /// The row.
        row: String,
    },
    /// Atomic mutations of several rows.
    #[error("a mutation of row {row} stands among those of row {expected}: atomic mutations are of one row")]
    WrongRow {
        /// The row of the one mutation.
        row: String,
        /// The row of the others.
        expected: String,
    },
}
