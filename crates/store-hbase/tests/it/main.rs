//! The store over a real HBase.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by a panic")]

mod aggregation;
mod answers;
mod cluster;
mod conformance;
mod descriptors;
#[path = "../../../access/tests/it/random.rs"]
mod random;
mod sequences;
mod series;
mod support;
