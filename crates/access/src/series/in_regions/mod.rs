//! Questions that regions answer themselves, so that only sums or row keys travel.
//!
//! ```text
//! shape.rs      where in a row key the entity and the time are
//! rows.rs       which rows a question is about: a range to scan, and which rows of it count
//! aggregate.rs  AggregateQuery ─▶ what the store aggregates ─▶ groups
//! matching.rs   MatchQuery ─▶ a filter ─▶ entities
//! compare.rs    two times ─▶ rows that have one of them alone ─▶ entities
//! ```
//!
//! What a region cannot tell is asked for as readings, and worked out here.

mod aggregate;
mod compare;
mod matching;
mod rows;
mod shape;

use std::time::Duration;

pub use aggregate::Aggregated;
pub use compare::Compared;
pub use matching::{MatchQuery, Matched};
use tablesmith_store::RegionRows;

/// A region that had something to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worked {
    /// The region's name.
    pub region: String,
    /// The server that has it.
    pub server: String,
    /// How long it worked.
    pub took: Duration,
}

/// The regions that found rows.
fn worked(regions: &[RegionRows]) -> impl Iterator<Item = Worked> {
    let has_found = |region: &&RegionRows| !region.rows.is_empty() || !region.gone.is_empty();
    regions.iter().filter(has_found).map(|region| Worked {
        region: region.region.clone(),
        server: region.server.clone(),
        took: region.took,
    })
}
