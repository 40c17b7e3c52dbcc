//! Loads rows into all tables of a design that hold them ([`Writer::load`](crate::Writer)).

mod again;
mod all;
mod joined;
mod keys;
mod made;
mod progress;
mod puts;
mod readings;
mod there;

pub(crate) use keys::LoadedKeys;

pub use all::{LoadOptions, LoadRows, LoadSource, LoadWatch, LoadedFile};
