//! What candidate tables cost: the operations of reading an access pattern there, and of maintaining them when a statement
//! writes. Rows of one kind are estimated by `tablesmith_plan`; here are tables that hold rows of two kinds, and time series.

mod read;
mod write;

pub use read::read;
pub use write::{Keeping, keeping, writes_one_record};

use tablesmith_model::cost::Prices;
use tablesmith_model::workload::Workload;
use tablesmith_plan::CostContext;

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

impl Ground<'_> {
    /// What estimates of reads are made with.
    pub fn costs(&self) -> CostContext<'_> {
        CostContext { workload: self.workload, prices: self.prices, servers: self.servers }
    }
}
