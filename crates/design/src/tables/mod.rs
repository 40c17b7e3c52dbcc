//! From questions to tables.

pub mod select;
