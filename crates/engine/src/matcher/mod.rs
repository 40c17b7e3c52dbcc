//! What a reader does with each cell it meets: a decider, which moves nothing itself.
//!
//! The order of the questions is HBase's: is the filter done, is the row or the age past, does a marker hide it, is it
//! in the time range, is its column wanted, is its version within what the family keeps, what does the filter say, and
//! last, is it within the versions that the read wants.

mod columns;
mod deletes;
mod purge;
mod read;

pub(crate) use purge::{PurgeMatcher, PurgeMode};
pub(crate) use read::ReadMatcher;

use tablesmith_model::{CellType, Timestamp};

use crate::stored::StoredCell;

/// What a decider looks at of a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    pub qualifier: &'a [u8],
    pub timestamp: Timestamp,
    pub kind: CellType,
    /// The cell's own time to live.
    pub ttl_ms: Option<i64>,
}

impl<'a> From<&'a StoredCell> for Seen<'a> {
    #[inline]
    fn from(stored: &'a StoredCell) -> Self {
        Self {
            qualifier: stored.qualifier(),
            timestamp: stored.timestamp(),
            kind: stored.kind(),
            ttl_ms: stored.ttl_ms(),
        }
    }
}

impl Seen<'_> {
    /// Whether the cell's own time to live is over.
    fn is_ttl_over(&self, now_ms: Timestamp) -> bool {
        self.ttl_ms.is_some_and(|ttl_ms| self.timestamp.saturating_add(ttl_ms) < now_ms)
    }
}

/// Where a reader goes after a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Take it, go on to the next cell.
    Include,
    /// Take it, go on to the next column.
    IncludeAndNextColumn,
    /// Take it, go on to the next row.
    IncludeAndNextRow,
    /// Leave it, go on to the next cell.
    Skip,
    /// Leave it, go on to the next column.
    NextColumn,
    /// Leave it, go on to the next row.
    NextRow,
    /// Leave it, go on where the filter says.
    Hint,
    /// It belongs to the next row.
    RowDone,
    /// The filter wants nothing more at all.
    ScanDone,
}
