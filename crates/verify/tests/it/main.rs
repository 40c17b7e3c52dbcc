//! Replays on simulated designs, whose times and answers are known, and on the embedded store; calibrations of a store
//! whose prices are known, and of the embedded one.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper that fails fails its test"
)]

mod calibrating;
mod chance;
mod charged;
mod designed;
mod engine;
#[path = "../../../access/tests/it/random.rs"]
mod random;
mod replaying;
mod simulated;
mod time;
