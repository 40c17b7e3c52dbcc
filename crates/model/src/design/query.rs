//! How a query is answered, and what that is expected to take.

use schemars::JsonSchema;

use crate::cost::Operations;
use crate::schema::names_in_files;

/// How a query of the workload is answered.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct QueryPlan {
    /// The query's name in the workload.
    #[schemars(length(min = 1))]
    pub name: String,
    /// What is read, in order.
    pub plan: Vec<Step>,
    /// What one call is expected to take.
    pub predicted: Option<Predicted>,
}

/// One access to a table.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Step {
    /// The table of the design.
    #[schemars(length(min = 1))]
    pub table: String,
    /// How it is read.
    pub access: PlanAccess,
    /// The families that are read; where a column is in several, this says which one.
    #[schemars(default)]
    pub families: Vec<String>,
}

/// How a table is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlanAccess {
    /// Single rows by key.
    Get,
    /// Ranges of rows.
    Scan,
    /// Ranges of rows, added up inside the regions.
    Aggregate,
    /// Rows are written.
    Put,
}

/// What one call is expected to take.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Predicted {
    /// Operations of the store; what the file does not name is 0.
    #[schemars(flatten)]
    pub operations: Operations,
    /// Their cost, by the design's cost.
    #[schemars(default)]
    pub cost: f64,
}

names_in_files!(PlanAccess);

impl PlanAccess {
    /// All ways.
    pub const ALL: [Self; 4] = [Self::Get, Self::Scan, Self::Aggregate, Self::Put];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Scan => "scan",
            Self::Aggregate => "aggregate",
            Self::Put => "put",
        }
    }

    /// The way of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|access| access.name() == name)
    }
}
