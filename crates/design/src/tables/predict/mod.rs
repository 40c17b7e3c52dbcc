//! What candidates take: for a want the operations of reading it there, or why it cannot be read there; for a statement that
//! writes the operations of keeping a candidate true, and what has to be read for that.

mod beside;
mod narrow;
mod read;
mod regions;
mod write;

pub use read::read;
pub use regions::regions;
pub use write::{Keeping, keeping, writes_one_record};

use tablesmith_model::cost::{Operations, Prices};
use tablesmith_model::design::{ColumnOf, PlanAccess};
use tablesmith_model::workload::Workload;

use super::ask::Ask;
use super::candidates::Readings;

/// What predictions are made with.
pub struct Ground<'w> {
    /// The workload, with what was not said filled in.
    pub workload: &'w Workload,
    /// The same as it was given.
    pub declared: &'w Workload,
    /// What operations cost.
    pub prices: &'w Prices,
    /// What is asked.
    pub asks: &'w [Ask],
    /// Tables of readings.
    pub readings: &'w [Readings],
    /// Region servers.
    pub servers: f64,
}

/// How a want is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum How {
    /// So many rows by their keys.
    Gets(f64),
    /// So many stretches of rows.
    Scans(f64),
    /// The whole table.
    FullScan,
    /// Stretches of rows, added up inside the regions.
    Aggregate,
}

/// What reading a want takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Read {
    /// How it is read.
    pub how: How,
    /// The operations of all its askings in one call of the query.
    pub operations: Operations,
    /// Whether rows come in the order that is wanted, so that reading stops at the limit.
    pub stops_early: bool,
}

/// Why a want cannot be read from a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It holds rows of other tables, or joined in another way.
    OtherRows,
    /// It does not hold a column.
    Lacks(ColumnOf),
    /// The layout of readings does not answer such a question.
    NotReadings,
}

impl How {
    /// The word for it in a design's plan.
    pub fn access(self) -> PlanAccess {
        match self {
            Self::Gets(_) => PlanAccess::Get,
            Self::Scans(_) | Self::FullScan => PlanAccess::Scan,
            Self::Aggregate => PlanAccess::Aggregate,
        }
    }

    /// How it is said.
    pub fn words(self) -> String {
        let several = |count: f64, what: &str| match count <= 1.5 {
            true => format!("one {what}"),
            false => format!("{} {what}s", count.round()),
        };
        match self {
            Self::Gets(count) => several(count, "get"),
            Self::Scans(count) => several(count, "scan"),
            Self::FullScan => "a scan of the whole table".to_owned(),
            Self::Aggregate => "a sum inside the regions".to_owned(),
        }
    }
}
