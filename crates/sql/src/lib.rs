//! SQL text → the resolved statement, its views, and SQL text → its template.
//!
//! ```text
//!  text ──parse──▶ tree ──resolve/──▶ resolved statement ──┬──needs/──────▶ Statement: what it needs of each table
//!    │                                                     └──executable/─▶ PreparedStatement ──bind──▶ what is executed
//!    └──names.rs: where no parser knows the text ─────────────────────────▶ Statement
//! ```
//!
//! [`resolve`] takes one statement and a [`Catalog`]: which columns, predicates, order, limit, grouping and joins does it
//! need of each table ([`Statement`], [`Need`])? What the parser does not know is no reason to lose a statement: then the
//! names of tables and columns in its text are what it needs ([`Understood::ByNames`]).
//!
//! [`executable`] has the statement that is executed: all of the text is resolved, or an error names what is not executed.
//!
//! [`template`] replaces the literals of a statement, so that calls which differ in values only are one; [`Folder`]
//! does the same for millions of statements without a parser and without allocating. [`StatementSkipper`] finds the end of
//! one that is too long to be held.
//!
//! Dumps of databases: [`declared`] says what a statement declares of tables, [`inserted`] reads the rows that one inserts.

mod catalog;
mod declare;
mod dialect;
mod error;
pub mod executable;
mod fold;
mod inserted;
mod keyword;
mod names;
mod needs;
mod parse;
mod qualified_name;
mod resolve;
mod resolved;
mod scan;
mod skip;
mod statement;
mod template;

pub use catalog::{Catalog, TableColumns};
pub use declare::{Declared, DeclaredColumn, Notation, declared};
pub use dialect::Dialect;
pub use error::SqlError;
pub use fold::{End, Folded, Folder};
pub use inserted::{InsertError, InsertInto, InsertedRow, InsertedValue, hex_bytes, inserted};
pub use needs::resolve;
pub use parse::complaint;
pub use qualified_name::QualifiedName;
pub use scan::words;
pub use skip::{Skipped, StatementSkipper};
pub use statement::{
    Aggregate, Amount, Argument, Join, Kind, Need, Operator, Order, Predicate, Statement, Understood, Value,
};
pub use template::{parameters, template, template_keeping_limits};
