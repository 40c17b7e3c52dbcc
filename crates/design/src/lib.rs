//! Deciders: pure functions from a workload to the design of its tables. No I/O, no store.
//!
//! [`families`] groups the columns of a table into column families; [`keys`] chooses row keys and split points; [`time`] lays
//! out readings over time; [`check`] says what will go wrong with a design.

pub mod check;
pub mod families;
pub mod keys;
pub mod tables;
pub mod time;
