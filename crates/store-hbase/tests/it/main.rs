//! The store over a real HBase.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod cluster;
mod conformance;
mod descriptors;
mod sequences;
mod support;
