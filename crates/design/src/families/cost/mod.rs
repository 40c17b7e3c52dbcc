//! What a grouping costs, in one of several models.

pub mod bytes;
pub mod cover;
pub mod disk;
pub mod linear;
pub mod paper;
pub mod pricing;
pub mod store;

pub use bytes::Bytes;
pub use disk::Disk;
pub use linear::Linear;
pub use paper::{Paper, Weights, WrongWeights};
pub use pricing::{Pricing, Weighed};
pub use store::Store;

use std::any::Any;

use super::{ColumnSet, Problem};

/// A model of what a grouping costs. Methods that know how to work with one of them look for it through [`Any`].
pub trait Cost: Any + Send + Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What one unit of it is: "s", "ms", "bytes", or nothing.
    fn unit(&self) -> &'static str;

    /// Whether it knows what a column in two families costs.
    fn allows_duplicates(&self) -> bool;

    /// The model made ready for one problem, ask by ask.
    fn pricing<'a>(&'a self, problem: &'a Problem) -> Box<dyn Pricing + 'a>;

    /// The model as a linear price list, where it is one: a proof of the optimum knows how to work with those.
    fn linear(&self, _problem: &Problem) -> Option<Linear> {
        None
    }

    /// The cost of a grouping that has every column. Less is better.
    fn of(&self, problem: &Problem, families: &[ColumnSet]) -> f64 {
        pricing::total(&*self.pricing(problem), problem, families)
    }
}
