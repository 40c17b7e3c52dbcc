//! The crate from outside: what statements need, and what no text may do to it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper that fails fails its test"
)]

mod changes;
mod executable;
mod fallback;
mod hostile;
mod properties;
mod queries;
mod recorded;

mod shape;
mod values;
