//! Experiments of papers on small data, on a store in memory and on the embedded one.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper that fails fails its test"
)]

mod follows;
mod keys;
mod time;
