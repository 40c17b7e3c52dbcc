//! Readings over time: what goes into the row key, what into columns, versions or packed cells, and how much into one row.
//!
//! ```text
//! Workload ──facts──▶ Facts ──┬──questions──▶ TimeQuery ──┐
//!                             └──enumerate──▶ layouts ────┴──predict──▶ operations × prices ──choose──▶ ranking, reasons
//! ```

pub mod choose;
pub mod enumerate;
pub mod facts;
pub mod predict;
pub mod query;
pub mod questions;

pub use choose::{Candidate, Choice, Observed, choose};
pub use enumerate::{Demands, Enumerated, Rejected, enumerate};
pub use facts::Facts;
pub use predict::{Prediction, predict};
pub use query::{Group, TimeKind, TimeQuery, Whose};
pub use questions::{Questions, questions};

#[cfg(test)]
mod testing;
