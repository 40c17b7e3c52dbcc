//! Why a change to a `design.toml` is refused.

use super::super::DesignError;
use crate::name::NameError;

/// Why a change is refused; the file is then as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// No rows of this table are in the design.
    #[error("the design holds no rows of the table {0:?}: add a [[table]] with rows from it first")]
    NoTable(String),
    /// Rows that are laid out by their data, whose key and families hang together.
    #[error(
        "the rows of the table {0:?} hold many records in the design, by their values (qualifier, version or pack_by): key and \
         families go with that; write to another file, or name other tables with --table"
    )]
    LaidByData(String),
    /// A change to families without any.
    #[error("the table {0:?} would have no family: give at least one")]
    NoFamilies(String),
    /// A family without columns.
    #[error("the family {0:?} would have no columns: leave it out")]
    NoColumns(String),
    /// Two families of one name.
    #[error("there are two families {0:?}: give each its own name")]
    FamilyTwice(String),
    /// A name that HBase does not take.
    #[error("the family cannot be called {name:?}: {source}")]
    BadName {
        /// The name.
        name: String,
        /// What is wrong with it.
        source: NameError,
    },
    /// A reason about something else.
    #[error("the reason is about {at:?}, but only reasons about {prefix:?} are replaced: put it there")]
    ForeignReason {
        /// What the reason is about.
        at: String,
        /// What the change is about.
        prefix: String,
    },
    /// A section is written in a shape that cannot be changed in place.
    #[error("`{0}` is written in a line: write it as [[{0}]] sections, so that it can be changed")]
    Shape(String),
    /// The file would no longer be a design.
    #[error("the change would leave a design that cannot be read:\n{0}")]
    Invalid(#[from] DesignError),
}
