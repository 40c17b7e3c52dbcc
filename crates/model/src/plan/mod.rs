//! What a read of one table of a design consists of: which rows, which families and columns of them, and what is left to be
//! checked on the rows that come back. Plain values: `access` plans and executes them.

mod condition;
mod key_range;
mod read;
mod strand;

pub use condition::{Condition, Test};
pub use key_range::KeyRange;
pub use read::{FamilyRead, Origin, Read, Shown, Which};
pub use strand::Strand;
