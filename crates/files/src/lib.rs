//! Files that are written as a whole, and temporary ones that go with the process.
//!
//! [`write`] and [`write_with`] replace a file only when all of its new content is there. What is temporary is registered
//! ([`TemporaryPath`]), so that a process that ends in the middle leaves nothing behind.

mod temporary_path;
mod whole_file;

pub use temporary_path::{TemporaryPath, close, remove, remove_files, wait_for_the_end};
pub use whole_file::{check_place, write, write_like, write_with};
