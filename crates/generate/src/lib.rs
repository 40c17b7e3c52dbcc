//! Makes data and query logs to try things with. The same seed gives the same bytes, on any machine.
//!
//! Only whole numbers and the four basic operations on floats are used: what they give is the same everywhere.

pub mod ads;
pub mod bixi;
pub mod cosmology;
mod error;
pub mod follows;
mod skewed;
pub mod sparse;
mod whole_file;

pub use error::GenerateError;

/// How far the writing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Rows and statements that are written.
    pub done: u64,
    /// Rows and statements in all.
    pub total: u64,
}
