//! A workload: what an application has and asks, as `workload.toml` says it.
//!
//! Plain values with public fields. [`Workload::parse`] reads the file and tells all that is wrong in it at once, each
//! problem with its place; [`Workload::to_toml`] writes it with comments for the person who edits it.

mod assumptions;
mod column;
mod error;
mod join;
mod log;
mod query;
mod read;
mod share;
mod table;
mod write;

pub use assumptions::ROWS_ASSUMED;
pub use column::{Column, Heavy};
pub use error::WorkloadError;
pub use join::Join;
pub use log::{Log, Split};
pub use query::{Access, Asks, DEFAULT_RATE, Query, Touched, Wishes};
pub(crate) use read::read_columns;
pub use share::RANGE_SHARE;
pub use table::{Family, Reference, Sequence, SequenceKind, Table};
pub(crate) use write::column_fields;

use schemars::JsonSchema;

use crate::schema;

/// The JSON Schema of `workload.toml`.
pub fn json_schema() -> serde_json::Value {
    schema::of_file::<Workload>("workload.toml")
}

/// The version of the file format that this program reads and writes.
pub const VERSION: u64 = 1;

/// What an application has and asks: tables, queries, and the log of past queries.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Workload {
    /// The version of the file format.
    #[schemars(extend("const" = VERSION))]
    pub version: u64,
    /// The cluster that is to serve it.
    #[schemars(default)]
    pub cluster: Cluster,
    /// The tables, in the order of the file.
    #[schemars(default, rename = "table")]
    pub tables: Vec<Table>,
    /// How many rows of two tables belong together, where that is known.
    #[schemars(default, rename = "join")]
    pub joins: Vec<Join>,
    /// The queries, in the order of the file.
    #[schemars(default, rename = "query")]
    pub queries: Vec<Query>,
    /// The log of past queries.
    pub log: Option<Log>,
}

/// The cluster that is to serve a workload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Cluster {
    /// How many region servers it has, where that is known.
    #[schemars(range(min = 1, max = u32::MAX))]
    pub region_servers: Option<u32>,
}

impl Default for Workload {
    fn default() -> Self {
        Self {
            version: VERSION,
            cluster: Cluster::default(),
            tables: Vec::new(),
            joins: Vec::new(),
            queries: Vec::new(),
            log: None,
        }
    }
}

impl Workload {
    /// Reads the text of a `workload.toml`, and tells everything that is wrong in it at once.
    pub fn parse(text: &str) -> Result<Self, WorkloadError> {
        read::workload(text)
    }

    /// The text of a `workload.toml` that says all this, with comments for the person who edits it.
    pub fn to_toml(&self) -> String {
        write::workload(self)
    }

    /// The table of this name.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }
}
