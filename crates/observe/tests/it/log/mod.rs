//! Query logs as servers and people write them.

mod damage;
mod formats;
mod limits;
mod parts;
mod support;
