//! Deciders: pure functions from a workload to the design of its tables. No I/O, no store.
//!
//! [`families`] groups the columns of a table into column families; [`keys`] chooses row keys and split points; [`time`] lays
//! out readings over time; [`tables`] chooses the tables that answer all questions, [`settings`] those of their families; [`check`] says what will go wrong with a design.

pub mod check;
pub mod families;
pub mod keys;
pub mod settings;
pub mod tables;
pub mod time;
