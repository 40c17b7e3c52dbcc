//! Row keys and split points: which key spreads the writes, and what it does to the reads.
//!
//! ```text
//!  Setup ──▶ strategy: the keys to compare, and which do not go with the ids
//!    │
//!    └─▶ Judge ──take(row)…──▶ finish ──▶ Judgement: per strategy the load of regions and servers over time, what
//!                                │                   reads cost, what growth does, and the recommendation
//!                                ├── splits: where regions begin
//!                                ├── reads, growth, skew, duplicates
//!                                └── choose: which key, how many buckets, and why
//! ```

pub mod asked;
pub mod choose;
pub mod duplicates;
pub mod growth;
pub mod judge;
pub mod load;
pub mod reads;
pub mod setup;
pub mod simulate;
pub mod skew;
pub mod splits;
pub mod strategy;

pub use choose::Choice;
pub use judge::{Batch, ExactPass, Judge, Judged, Judgement, Row};
pub use setup::{Entity, IdColumn, Setup, SetupError};
pub use splits::{SplitMethod, Weight};
pub use strategy::{Strategy, StrategyName};
