//! SQL text → an exact query as a plain value: everything in the text is understood, or an error names what is not.
//!
//! ```text
//!  text ──parse──▶ tree ──read/──▶ Asked: Query, Insert, Update or Delete   names are found, literals have types
//!                                      │
//!  truth.rs, compare.rs, like.rs ◀─────┘   what conditions mean, as SQLite sees it
//! ```
//!
//! This is the strict reading, for answering. What deciders need of any statement, understood or not, is
//! [`crate::resolve`]'s business.

mod aggregate;
mod change;
mod compare;
mod error;
mod given;
mod like;
mod query;
mod read;
mod truth;

pub use aggregate::{Aggregate, Function};
pub use change::{Assigned, Assignment, Delete, Insert, Update};
pub use compare::{compare, convert, in_order};
pub use error::{Problem, SourcePosition, StatementError};
pub use given::{Given, Parameter, ParameterColumn};
pub use like::Pattern;
pub use query::{Column, Grouping, Item, Order, Query, Shown, Source};
pub use read::{parameters, read};
pub use truth::{Comparison, Scalar, Truth};

/// A statement that is understood whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// What it asks.
    pub statement: Statement,
    /// Whether only the way to the answer is asked for: `EXPLAIN …`.
    pub explains: bool,
}

/// What a statement asks.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// Rows.
    Select(Query),
    /// That rows be added.
    Insert(Insert),
    /// That rows be changed.
    Update(Update),
    /// That rows be removed.
    Delete(Delete),
}
