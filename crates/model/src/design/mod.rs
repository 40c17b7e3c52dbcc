//! A design: what was decided for a workload and why, as `design.toml` says it.
//!
//! Plain values with public fields. [`Design::parse`] reads the file and tells all that is wrong in it at once, each
//! problem with its place; [`Design::to_toml`] writes it. [`DesignFile`] changes one part of a file and keeps the rest as
//! it is, comments and all.

mod ddl;
mod descriptor;
mod edit;
mod error;
mod items;
mod qualifier;
mod query;
mod read;
mod record;
mod statistics;
mod table;

pub use descriptor::TableError;
pub use edit::{DesignFile, EditError, FamilyColumns};
pub use error::DesignError;
pub use qualifier::Qualifier;
pub use query::{PlanAccess, Predicted, QueryPlan, Step};
pub use record::{ColumnOf, JoinOn, Record, RecordError};
pub use statistics::TableStatistics;
pub use table::{Cells, Family, Rows, Setting, Table};

use schemars::JsonSchema;

use crate::problem::Problem;
use crate::schema;
use crate::workload::Workload;

/// The JSON Schema of `design.toml`.
pub fn json_schema() -> serde_json::Value {
    schema::of_file::<Design>("design.toml")
}

/// The version of the file format that this program reads and writes.
pub const VERSION: u64 = 1;

/// The workload of a design that names none.
const DEFAULT_WORKLOAD: &str = "workload.toml";

/// What was decided for a workload and why: tables, families, keys, cells and plans.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Design {
    /// The version of the file format.
    #[schemars(extend("const" = VERSION))]
    pub version: u64,
    /// The workload's file, seen from the directory of `design.toml`.
    #[schemars(default, extend("default" = DEFAULT_WORKLOAD))]
    pub workload: String,
    /// The cost that it was decided by.
    pub cost: Option<CostName>,
    /// What was known of the data.
    #[schemars(default)]
    pub statistics: Vec<TableStatistics>,
    /// The tables, in the order of the file.
    #[schemars(default, rename = "table")]
    pub tables: Vec<Table>,
    /// How queries are answered.
    #[schemars(default, rename = "query")]
    pub queries: Vec<QueryPlan>,
    /// Why things are as they are.
    #[schemars(default, rename = "reason")]
    pub reasons: Vec<Reason>,
}

/// Which cost a design was decided by.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CostName {
    /// Its name.
    #[schemars(length(min = 1))]
    pub name: String,
    /// The id of the calibration behind its prices.
    pub calibration: Option<String>,
}

/// Why something is as it is.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reason {
    /// What it is about: `stations.key`, `stations.family.m`.
    #[schemars(length(min = 1))]
    pub at: String,
    /// The reason, in words.
    #[schemars(length(min = 1))]
    pub text: String,
}

impl Default for Design {
    fn default() -> Self {
        Self {
            version: VERSION,
            workload: DEFAULT_WORKLOAD.to_owned(),
            cost: None,
            statistics: Vec::new(),
            tables: Vec::new(),
            queries: Vec::new(),
            reasons: Vec::new(),
        }
    }
}

impl Design {
    /// Reads a `design.toml` on its own.
    pub fn parse(text: &str) -> Result<Self, DesignError> {
        read::design(text, None).map_err(DesignError::of)
    }

    /// Reads a `design.toml` that must go with a workload: its tables, columns and their types.
    pub fn parse_for(text: &str, workload: &Workload) -> Result<Self, DesignError> {
        read::design(text, Some(workload)).map_err(DesignError::of)
    }

    /// Prints what [`Design::parse`] reads.
    pub fn to_toml(&self) -> String {
        items::document(self).to_string()
    }

    /// The table of this name.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }
}

impl Reason {
    /// A reason.
    pub fn new(at: impl Into<String>, text: impl Into<String>) -> Self {
        Self { at: at.into(), text: text.into() }
    }
}

impl DesignError {
    fn of(problems: Vec<Problem>) -> Self {
        Self { problems }
    }
}
