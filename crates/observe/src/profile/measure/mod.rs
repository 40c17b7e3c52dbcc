//! What is measured of the values of one column, value by value.

mod distinct;
mod extremes;
mod frequent;
mod meter;
mod order;
mod type_guess;
mod unique;

pub use meter::Meter;
pub use unique::UniqueSample;

/// The hash of a value: the same on every machine and in every run.
pub fn hash(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}
