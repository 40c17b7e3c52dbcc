//! Experiments of papers, done again, claim by claim: what `tablesmith reproduce` does.
//!
//! Each experiment has a module with its data, its designs, what is measured and the paper's claims; its `run` does all of it
//! on a store and returns what came out. Nothing of the product depends on this.

mod error;
pub mod families;
pub mod follows;
pub mod keys;
pub mod time;

pub use error::PaperError;
