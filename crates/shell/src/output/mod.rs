//! What a command answers, apart from how it is printed.
//!
//! Every command returns a [`Reply`]; `text` prints it in HBase's layout, `json` as one object on one line. Scans
//! and counts are printed while they are read, so that a large table is never held in memory.

mod converter;
mod describe;
mod detachable;
pub(crate) mod json;
mod layout;
mod print;
mod region_table;
mod status;
#[cfg(test)]
mod testing;
pub(crate) mod text;
mod view;

use bytes::Bytes;
use tablesmith_model::{Cell, TableDescriptor};
use tablesmith_store::{ClusterStatus, RegionInfo, Scanner};

pub use converter::Converter;
pub(crate) use detachable::DetachableOutput;
pub(crate) use print::Printer;
pub use region_table::RegionColumn;
pub use view::CellView;

/// An answer with notes that only people read.
pub struct Reply {
    /// Lines that come before the answer; not part of the JSON.
    pub notes: Vec<String>,
    /// The answer.
    pub outcome: Outcome,
}

impl From<Outcome> for Reply {
    fn from(outcome: Outcome) -> Self {
        Self { notes: Vec::new(), outcome }
    }
}

impl Reply {
    /// A command that is done and has only notes to show.
    pub fn done(notes: Vec<String>) -> Self {
        Self { notes, outcome: Outcome::Done }
    }
}

/// What a command answers.
pub enum Outcome {
    /// It is done.
    Done,
    /// It is done, and the session ends.
    Exit,
    /// `get`
    Row(FoundRow),
    /// `scan`
    Rows(FoundRows),
    /// `count`
    Count(RowCount),
    /// `incr` and `get_counter`; `None` when there is no counter.
    Counter(Option<i64>),
    /// `append`: the new value.
    Appended(Option<Bytes>),
    /// `exists`
    Exists {
        /// The table asked for.
        table: String,
        /// Whether it is there.
        exists: bool,
    },
    /// `is_enabled`
    Enabled(bool),
    /// `is_disabled`
    Disabled(bool),
    /// `list` and `list_namespace_tables`
    Tables(Vec<String>),
    /// `list_namespace`
    Namespaces(Vec<String>),
    /// `describe`
    Table(Box<TableState>),
    /// `describe_namespace`
    Namespace(String),
    /// `list_regions`
    Regions(RegionList),
    /// `get_splits`
    Splits(Vec<Bytes>),
    /// `locate_region`
    Location(Box<RegionInfo>),
    /// `status`
    Status(StatusReport),
    /// `enable_all`, `disable_all`, `drop_all`
    Changed(ChangedTables),
    /// `version`
    Version,
    /// `help`
    Help(String),
}

/// A row that was asked for.
pub struct FoundRow {
    /// The key asked for.
    pub row: Bytes,
    /// What is there; maybe nothing.
    pub cells: Vec<Cell>,
    /// How text shows it.
    pub view: CellView,
}

/// Rows that come while they are printed.
pub struct FoundRows {
    /// Where they come from.
    pub scanner: Box<dyn Scanner>,
    /// How text shows them.
    pub view: CellView,
    /// What the scan cost, shown after it: all that is known, or only these.
    pub metrics: Option<Vec<String>>,
}

/// Rows that are counted while they come.
pub struct RowCount {
    /// Where they come from.
    pub scanner: Box<dyn Scanner>,
    /// Text shows the count after each so many rows.
    pub interval: u64,
}

/// A table's description and whether it answers.
pub struct TableState {
    /// The description.
    pub descriptor: TableDescriptor,
    /// Whether it answers.
    pub enabled: bool,
}

/// Regions, and what of them text shows.
pub struct RegionList {
    /// The regions.
    pub regions: Vec<RegionInfo>,
    /// The columns.
    pub columns: Vec<RegionColumn>,
}

/// How much of the status is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusDetail {
    /// One line.
    Summary,
    /// The servers.
    Simple,
    /// The servers with their regions.
    Detailed,
}

/// The servers, and for a detailed report their regions.
pub struct StatusReport {
    /// The servers.
    pub status: ClusterStatus,
    /// The regions of all tables; empty unless detailed.
    pub regions: Vec<RegionInfo>,
    /// How much is shown.
    pub detail: StatusDetail,
}

/// Tables that a command changed at once.
pub struct ChangedTables {
    /// What was done: `enabled`, `disabled`, `dropped`.
    pub done: &'static str,
    /// With which it worked.
    pub tables: Vec<String>,
    /// With which it did not.
    pub failed: Vec<String>,
}

impl ChangedTables {
    /// Nothing was done yet.
    pub fn none(done: &'static str) -> Self {
        Self { done, tables: Vec::new(), failed: Vec::new() }
    }
}
