//! Many readings in one cell.
//!
//! ```text
//!   │ 01 │ step │ entry │ step │ entry │ …
//!
//!   01:    the version of this format
//!   step:  the reading's offset, less that of the one before (the first: less 0), as LEB128; only the first may be 0
//!   entry: its metrics, see entry.rs
//! ```
//!
//! Readings stand in rising order of their offsets. Whoever reads trusts no length: bytes that are none of this give
//! an error, once, at the place where they are wrong.

mod change;
mod entries;
mod write;

pub use change::{Change, changed};
pub use entries::{Entries, PackedEntry, entries};
pub use write::Packer;

/// The first byte of every packed cell.
pub const FORMAT: u8 = 0x01;

/// Why bytes are no packed cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a packed cell of {length} bytes is broken at byte {at}: {reason}")]
pub struct PackedError {
    /// Bytes of the cell.
    pub length: usize,
    /// Where it is broken.
    pub at: usize,
    /// What is wrong there.
    pub reason: &'static str,
}
