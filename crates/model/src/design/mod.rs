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
mod schema;
mod statistics;
mod table;

pub use descriptor::TableError;
pub use edit::{DesignFile, EditError, FamilyColumns};
pub use error::DesignError;
pub use qualifier::Qualifier;
pub use query::{PlanAccess, Predicted, QueryPlan, Step};
pub use record::{ColumnOf, JoinOn, Record, RecordError};
pub use schema::json_schema;
pub use statistics::TableStatistics;
pub use table::{Cells, Family, Rows, Setting, Table};

use crate::problem::Problem;
use crate::workload::Workload;

/// The version of the file format that this program reads and writes.
pub const VERSION: u64 = 1;

/// What was decided for a workload and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// The version of the file format, [`VERSION`].
    pub version: u64,
    /// The workload's file, seen from the directory of `design.toml`.
    pub workload: String,
    /// The cost that it was decided by.
    pub cost: Option<CostName>,
    /// What was known of the data.
    pub statistics: Vec<TableStatistics>,
    /// The tables, in the order of the file.
    pub tables: Vec<Table>,
    /// How queries are answered.
    pub queries: Vec<QueryPlan>,
    /// Why things are as they are.
    pub reasons: Vec<Reason>,
}

/// Which cost a design was decided by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostName {
    /// Its name.
    pub name: String,
    /// The id of the calibration behind its prices.
    pub calibration: Option<String>,
}

/// Why something is as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What it is about: `stations.key`, `stations.family.m`.
    pub at: String,
    /// The reason, in words.
    pub text: String,
}

impl Default for Design {
    fn default() -> Self {
        Self {
            version: VERSION,
            workload: "workload.toml".to_owned(),
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
