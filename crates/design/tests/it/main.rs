//! The methods on whole workloads.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a helper that fails fails its test"
)]

mod edges;
mod exact;
mod instances;
mod keys;
mod optimum;
mod published;
mod tables;
mod tpch;
