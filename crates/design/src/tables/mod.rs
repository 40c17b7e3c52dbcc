//! From questions to tables: which tables of the store answer every query of a workload at least cost.
//!
//! ```text
//!  Workload ──ask──▶ Asks ──want──▶ Wants: what one table of the store is wanted for, step by step
//!                                    │
//!                 candidates: tall, wide, nested, mixed, hashed, joined, together, counters, layouts of readings
//!                                    │ predict: operations of every (want, candidate) and (write, candidate)
//!                                    ▼
//!                      pose ──▶ Problem ──select──▶ the set of least cost, proven
//!                                    │
//!                      build ──▶ Design: names, families, prefixes, splits, settings, plans, reasons
//! ```

pub mod ask;
pub mod build;
pub mod candidate;
pub mod candidates;
mod decide;
mod error;
pub mod join_orders;
pub mod pose;
pub mod predict;
pub mod select;
mod wishes;

pub use build::{Answered, Decided, Drawn, Rival, Without};
pub use decide::{Terms, alternatives, decide};
pub use error::TablesError;
