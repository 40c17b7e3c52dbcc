//! From the values of a command to what a store wants.

mod column;
pub mod convert;
mod options;

pub use column::Column;
pub use options::Options;
