//! Administration.

mod tables;
