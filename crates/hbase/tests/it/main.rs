//! The client against a real HBase.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a helper that fails fails its test"
)]

mod admin;
mod bad_server;
mod changes;
mod coprocessor;
mod data;
mod fakes;
mod faults;
mod fuzz;
mod lying_server;
mod random;
mod scans;
mod support;
