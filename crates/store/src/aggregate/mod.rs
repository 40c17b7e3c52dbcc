//! Aggregation inside the store: each region answers with partials, the client adds them up.
//!
//! ```text
//! number.rs      bytes ─▶ numbers, and sums that stay exact
//! readings.rs    where in a cell the values are, and of when
//! group.rs       which values belong together
//! partial.rs     what is known of a group
//! figures.rs     what of it is wanted
//! aggregator.rs  cells ─▶ partials
//! ```

mod aggregator;
mod figures;
mod group;
mod number;
mod partial;
mod readings;
mod rows;

use std::collections::BTreeMap;
use std::time::Duration;

pub use aggregator::Aggregator;
pub use figures::Figures;
pub use group::{Group, GroupKey, KeySlice};
pub use number::{Number, ValueType};
pub use partial::Partial;
pub use readings::{Held, KeyPlace, KeyTime, KeyUnit, Metric, OffsetForm, Readings, TimeOf};
pub use rows::RowSet;

use crate::Scan;

/// Aggregates the values of the cells that a scan would return, all their versions included.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregate {
    /// Which cells: rows, columns, versions, time range, filter. Limit, batch and caching mean nothing here: every region
    /// answers alone, for all of its rows.
    pub scan: Scan,
    /// How a value is a number. Values that are not of this type count as rows and cells, not into the sums.
    pub value: ValueType,
    /// One partial for each group, or one for all.
    pub group: Group,
    /// How cells hold values.
    pub readings: Readings,
    /// Of the scan's rows only these.
    pub rows: Option<RowSet>,
    /// What is wanted of each group. Figures of a region that a store learns one by one may be of moments of their own.
    pub figures: Figures,
}

impl Aggregate {
    /// One partial for all cells of a scan, each of which is a value.
    pub fn new(scan: Scan, value: ValueType) -> Self {
        Self {
            scan,
            value,
            group: Group::default(),
            readings: Readings::default(),
            rows: None,
            figures: Figures::ALL,
        }
    }

    /// With groups.
    pub fn grouped(mut self, group: Group) -> Self {
        self.group = group;
        self
    }

    /// Only some figures.
    pub fn only(mut self, figures: Figures) -> Self {
        self.figures = figures;
        self
    }
}

/// The partials of one region.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionPartials {
    /// The region's name.
    pub region: String,
    /// The server that has it.
    pub server: String,
    /// How long the region's answer took.
    pub took: Duration,
    /// By group; without grouping the one key is the default.
    pub groups: BTreeMap<GroupKey, Partial>,
}

/// Adds up what the regions answered.
pub fn merge(regions: &[RegionPartials]) -> BTreeMap<GroupKey, Partial> {
    let mut merged: BTreeMap<GroupKey, Partial> = BTreeMap::new();
    for (key, partial) in regions.iter().flat_map(|region| &region.groups) {
        *merged.entry(key.clone()).or_default() += *partial;
    }
    merged
}
