//! Readings over time: what goes into the row key, what into columns, versions or packed cells, and how much into one row.
//!
//! ```text
//! Workload ──facts──▶ Facts ──┐
//! queries ──questions──▶ TimeQuery ──┐
//!                      enumerate ──▶ layouts ──predict──▶ operations × prices ──choose──▶ ranking, reasons
//! ```

pub mod facts;
pub mod query;
pub mod questions;

pub use facts::Facts;
pub use query::{Group, TimeKind, TimeQuery, Whose};
