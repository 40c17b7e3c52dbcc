//! Experiments of papers, done again: what is measured, and which claims hold.

pub mod families;
pub mod follows;
pub mod keys;
pub mod time;
