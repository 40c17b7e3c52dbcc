//! Loads rows: into one table for measuring ([`load`]), or into all places of a design ([`Writer::load`](crate::Writer)).

mod all;
mod joined;
mod laid_otherwise;
mod made;
mod one;
mod progress;
mod readings;

pub use all::{LoadRows, LoadSource, LoadWatch, LoadedFile};
pub use laid_otherwise::LAID_OTHERWISE;
pub use one::load;
