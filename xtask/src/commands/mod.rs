//! The commands of `cargo xtask`, one file each.

pub mod bench;
pub mod deny;
pub mod docs;
pub mod hbase;
pub mod picture;
pub mod soak;
pub mod test;
pub mod tidy;
