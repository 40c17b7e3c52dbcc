//! The store over a real HBase.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod conformance;
mod sequences;
mod support;
