//! Which columns belong together, and in how many families.
//!
//! A [`Problem`] is a table and what is asked of it. A [`Cost`] says what a grouping of its columns costs; an
//! [`Evaluator`] counts how often it was asked. A [`Method`] looks for a grouping that costs little.

pub mod affinity;
pub mod atoms;
pub mod baselines;
pub mod column_set;
pub mod compare;
pub mod cost;
pub mod evaluator;
pub mod evolve;
pub mod evolve_plus;
pub mod exact;
pub mod greedy;
#[cfg(test)]
mod instances;
pub mod ledger;
pub mod limit;
pub mod method;
pub mod pose;
pub mod problem;
pub mod reason;
pub mod registry;
pub mod rivals;
pub mod split_lines;
pub mod validated;

pub use column_set::ColumnSet;
pub use cost::Cost;
pub use evaluator::Evaluator;
pub use method::{Method, Outcome};
pub use problem::{Access, Ask, Column, FamilyLimit, Problem};
