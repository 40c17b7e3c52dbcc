//! The statement that is executed, as a plain value: all of the text is resolved, or an error names what is not and where.
//!
//! ```text
//!  text ──parse, resolve──▶ ResolvedStatement ──lower/──▶ Statement: Query, Insert, Update or Delete
//!                                    │                                      ▲
//!                                    └──▶ PreparedStatement ──bind──────────┘
//!
//!  predicate.rs, compare.rs, like.rs: what predicates mean, as SQLite has it
//! ```

mod aggregate;
mod change;
mod compare;
mod error;
mod like;
mod lower;
mod parameters;
mod predicate;
mod prepared;
mod query;

pub use aggregate::{Aggregate, Function};
pub use change::{Assigned, Assignment, Delete, Insert, Update};
pub use compare::{compare, convert, in_order};
pub use error::{Problem, SourcePosition, StatementError};
pub use like::Pattern;
pub use parameters::{Parameter, ParameterColumn, Parameters};
pub use predicate::{Comparison, Expr, Predicate};
pub use prepared::PreparedStatement;
pub use query::{Column, Grouping, Order, OutputColumn, Query, Source};

/// A statement that can be executed.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// Reads rows.
    Select(Query),
    /// Adds rows.
    Insert(Insert),
    /// Changes rows.
    Update(Update),
    /// Removes rows.
    Delete(Delete),
}
