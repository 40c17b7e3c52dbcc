//! Designs side by side: the same questions have the same answers on all of them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper that fails fails its test"
)]

mod answers;
mod differential;
mod errors;
mod fan_out;
mod loading;
mod oracle;
mod plans;
mod random;
mod records;
mod series;
mod soak;
mod state;
mod stores;
mod world;
mod writing;
