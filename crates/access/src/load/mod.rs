//! Loads rows: into one table for measuring ([`load`]), or into all places of a design ([`Writer::load`](crate::Writer)).

mod again;
mod all;
mod at_once;
mod joined;
mod keys;
mod laid;
mod made;
mod one;
mod progress;
mod puts;
mod readings;
mod there;

pub(crate) use keys::LoadedKeys;
pub(crate) use progress::{FAMILY, make_progress_table, progress_table};

pub use all::{LoadRows, LoadSource, LoadWatch, LoadedFile};
pub use laid::LAID_OTHERWISE;
pub use one::load;
