//! What is wrong in a `design.toml`.

use crate::problem::{self, Problem};

/// A `design.toml` that cannot be used: everything that is wrong in it, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", problem::list(.problems))]
pub struct DesignError {
    /// The problems, at least one.
    pub problems: Vec<Problem>,
}
