//! What reads and writes of stored rows cost: the one cost model that deciders and the query planner share.
//!
//! ```text
//!  statement ──predicates──▶ AccessPattern: what one table is read for ──┐
//!  design ──▶ StoredRows: rows of a table, with their size ──────────────┴─▶ ReadEstimate: access path, operations
//!                                                                              × unit costs (model::cost) = cost
//! ```
//!
//! [`statistics`] and [`selectivity`] estimate cardinalities (System R's assumptions: Selinger et al., 1979), [`key_match`]
//! says how far a row key narrows a read down, [`read`] counts operations, and [`rpc`] says how many RPCs the executor
//! makes of them. What `design` predicts is counted by the same functions as what `query` expects.

pub mod key_match;
mod pattern;
mod predicates;
mod reach;
mod read;
mod regions;
pub mod rpc;
pub mod selectivity;
pub mod side_by_side;
mod size;
pub mod statistics;
mod stored_rows;

pub use pattern::{AccessPattern, EqualityPredicate, RangePredicate};
pub use reach::{Reach, reach};
pub use read::{AccessKind, AccessPath, CostContext, ReadEstimate, Unreadable, matching_share, path, read};
pub use regions::{REGIONS_PER_SERVER, regions};
pub use size::{CellsSize, RowsSize};
pub use stored_rows::StoredRows;
