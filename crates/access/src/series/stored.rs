//! Tables of a design that hold readings over time.

use tablesmith_model::TableName;
use tablesmith_model::design::Design;
use tablesmith_model::workload::Workload;

use super::{Series, SeriesError};
use crate::layout::Layout;

/// Readings of a table of the workload, in a table of the design.
#[derive(Clone, Debug)]
pub struct StoredSeries {
    /// The table of the workload.
    pub from: String,
    /// The table of the design.
    pub name: TableName,
    /// How readings lie in it.
    pub series: Series,
}

impl StoredSeries {
    /// All of a design, in its order.
    pub fn all(workload: &Workload, design: &Design) -> Result<Vec<Self>, SeriesError> {
        let mut stored = Vec::new();
        for laid in &design.tables {
            let Some(rows) = laid.rows.iter().find(|rows| Layout::is_over_time(rows)) else { continue };
            let Some(table) = workload.table(&rows.from) else {
                return Err(SeriesError::NoTable { from: rows.from.clone(), table: laid.name.clone() });
            };
            let name =
                laid.name.parse().map_err(|error| SeriesError::Name { table: laid.name.clone(), error })?;
            stored.push(Self { from: rows.from.clone(), name, series: Series::of_design(laid, table)? });
        }
        Ok(stored)
    }
}
