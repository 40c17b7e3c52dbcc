//! Readings, and the table they belong to.

use std::sync::Arc;

use tablesmith_model::series::Reading;
use tablesmith_model::workload::Table;

/// Makes the readings anew each time, in the order in which they arrive.
pub type Source = Arc<dyn Fn() -> Box<dyn Iterator<Item = Reading> + Send> + Send + Sync>;

/// A data set of the paper.
#[derive(Clone)]
pub struct Data {
    /// The table. Its sequence says what is an entity, and what orders the readings.
    pub table: Table,
    /// The readings; their metrics are in the order of the table's columns that are neither entity nor time.
    pub readings: Source,
}
