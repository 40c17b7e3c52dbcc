//! Loads rows: into one table for measuring ([`load`]), or into all places of a design ([`Writer::load`](crate::Writer)).

mod all;
mod joined;
mod one;
mod progress;
mod readings;

pub use all::{LoadSource, LoadWatch, LoadedFile};
pub use one::load;
