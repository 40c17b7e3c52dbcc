//! How one call is carried out on the table of a design: which rows, which families and columns of them, what is left to
//! be checked on the rows that come back, and what is written.
//!
//! A plan is a plain value: `access` makes it of a call and a layout, and carries it out on a store.

mod condition;
pub mod join;
mod key_range;
mod read;
mod strand;
mod write;

pub use condition::{Condition, Test};
pub use key_range::KeyRange;
pub use read::{FamilyRead, Origin, Place, Read, Shown, Which};
pub use strand::Strand;
pub use write::{CellWrite, Change, RowWrite};

/// How one call is carried out: first it reads, then it writes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The query's name.
    pub query: String,
    /// The table of the design.
    pub table: String,
    /// What is read, one after the other; the answer is all their rows.
    pub reads: Vec<Read>,
    /// What is written, row by row.
    pub writes: Vec<RowWrite>,
    /// Conditions of the statement that are not understood: no row is left out by them, on no design.
    pub not_understood: Vec<String>,
    /// What is dearer than one would expect, in sentences.
    pub notes: Vec<String>,
}
