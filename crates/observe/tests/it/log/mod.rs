//! Query logs as servers and people write them.

mod damage;
mod draw;
mod formats;
mod limits;
mod parts;
mod rows;
mod support;
mod too_long;
