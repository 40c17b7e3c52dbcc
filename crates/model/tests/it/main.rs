//! Properties of the vocabulary, tried on many random values.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails should stop at once"
)]

mod design_edits;
mod design_round_trip;
mod designs;
mod fuzz;
mod key_codec;
mod packed;
mod parts;
mod random;
mod value_encoding;
mod values;
