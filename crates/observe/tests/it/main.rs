//! Files as people have them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper that fails fails its test"
)]

mod alone;
mod dump;
mod log;
mod profile;
mod rows;
mod typed_rows;
