//! Pages, pictures and summaries of all kinds of evidence, also as a real browser sees them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper that fails fails its test"
)]

mod browser;
mod page;
mod pictures;
mod sample;
mod summary;
