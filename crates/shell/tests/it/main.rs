//! The shell's integration tests, in one program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test, and what helps it, fails by panicking"
)]

mod broken_pipe;
mod fuzz_language;
mod fuzz_session;
mod random;
mod scripts;
mod session;
mod store;
mod terminal;
mod text;
