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
mod data;
mod fuzz;
mod random;
mod scans;
mod support;
