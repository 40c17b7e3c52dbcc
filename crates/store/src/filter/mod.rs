//! Filters: what a store evaluates beside its data, so that only what is wanted travels.
//!
//! A [`Filter`] is a plain value with HBase's meaning. [`language`] reads and prints the text people write after
//! `FILTER` in HBase's shell; [`eval`] runs a filter over rows and cells.

pub mod eval;
pub mod language;
#[cfg(test)]
mod testing;

pub use hbase_types::{BitOp, ColumnCondition, Comparator, CompareOp, Filter, ListOp, RegexFlags, RowRange};
