//! Groupings that need no search: what a method has to beat.

mod current;
mod each;
mod one;

pub use current::Current;
pub use each::Each;
pub use one::One;
