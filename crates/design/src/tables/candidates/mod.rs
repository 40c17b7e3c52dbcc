//! The tables that could be kept, made from what is wanted: one file for each kind, one registry.
//!
//! ```text
//!  Wants ──registry: tall, wide──▶ drafts: record, key, qualifier, columns
//!        drafts ──fill──▶ entries: only what is read, or every column ──registry: hashed, together, counters──▶ variants
//!  Wants of a parent and its children ──nested, mixed──▶ entries side by side
//!  tables of readings ──time──▶ layouts of readings
//! ```

mod counters;
mod draft;
mod hashed;
mod joined;
mod kin;
mod mixed;
mod nested;
mod registry;
mod tall;
mod time;
mod together;
mod wide;

pub use joined::record_of;
pub use registry::{KINDS, Kind, candidates};
pub use time::Readings;

use tablesmith_model::workload::Workload;

use super::ask::Ask;

/// What candidates are made for.
pub struct Ground<'w> {
    /// The workload, with what was not said filled in.
    pub workload: &'w Workload,
    /// What is asked.
    pub asks: &'w [Ask],
}
