//! Random sequences of operations, to find where two stores differ.
//!
//! [`generate`] makes a [`Sequence`] of a seed: a plain list of steps over a few tables, rows, columns and timestamps,
//! so that the rules of versions, markers, times to live, filters, flushes and splits meet each other. [`compare`] runs
//! it on two stores in lock step; [`shrink`] makes a difference small enough to read; [`compare_seeds`] does all of it
//! for many seeds.

mod compare;
mod config;
mod difference;
mod generate;
mod observed;
mod run;
mod shrink;
mod simplify;
mod step;
pub(crate) mod text;

pub use compare::compare;
pub use config::SequenceConfig;
pub use difference::Difference;
pub use generate::generate;
pub use observed::Observed;
pub use shrink::{compare_seeds, shrink};
pub use step::{Operation, Part, Step};
use tablesmith_model::Timestamp;

/// Steps to run on a store, or on two.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// The seed it was made of.
    pub seed: u64,
    /// How many steps it had before it was shrunk.
    pub original_steps: usize,
    /// What the clocks show at the beginning.
    pub start_ms: Timestamp,
    /// The stores read clocks that nobody sets.
    pub own_clocks: bool,
    /// The steps.
    pub steps: Vec<Step>,
}

impl Sequence {
    /// How many tables the steps are about.
    pub fn tables(&self) -> usize {
        let numbers = self.steps.iter().filter_map(|step| match step {
            Step::Advance(_) => None,
            Step::On(table, _) => Some(table + 1),
        });
        numbers.max().unwrap_or(0)
    }
}
