//! Why no design can be made of a workload.

use tablesmith_sql::SqlError;

/// Why no design can be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TablesError {
    /// Nothing is there to design.
    #[error("the workload has no tables: declare at least one [[table]]")]
    NoTables,
    /// Nothing is asked.
    #[error("the workload asks nothing: add [[query]] entries, for tables follow from questions")]
    NoQueries,
    /// A statement that is not understood.
    #[error("the query {query:?} is not understood: {source}")]
    Statement {
        /// The query.
        query: String,
        /// Why.
        source: SqlError,
    },
    /// A statement that no parser takes.
    #[error(
        "the query {query:?} is no statement that is understood: {why}; write it as SELECT, INSERT, UPDATE or DELETE"
    )]
    NotParsed {
        /// The query.
        query: String,
        /// What a parser has against it.
        why: String,
    },
    /// More than one statement.
    #[error(
        "the query {query:?} has {statements} statements: give each a [[query]] of its own, with its rate"
    )]
    Several {
        /// The query.
        query: String,
        /// How many.
        statements: usize,
    },
    /// A statement that names what is not declared.
    #[error("the query {query:?} names {name}, which the workload does not declare{}: declare it, or correct the name", near(.known))]
    Unknown {
        /// The query.
        query: String,
        /// The column or table.
        name: String,
        /// What is declared under a name like it.
        known: Option<String>,
    },
    /// References that lead round in a circle.
    #[error(
        "the references {path} lead round in a circle, so that no value has a beginning: remove one of them"
    )]
    Cycle {
        /// The table where it begins.
        table: String,
        /// The column.
        column: String,
        /// All of them.
        path: String,
    },
    /// A wish that no design can fulfil.
    #[error("the query {query:?} wishes {wish}, and no design can do that: {why}")]
    Impossible {
        /// The query.
        query: String,
        /// The wish.
        wish: String,
        /// Why not, and what to do.
        why: String,
    },
    /// Wishes that cannot be fulfilled together.
    #[error("the query {query:?} wishes {wish}, and other queries need what that forbids: {why}")]
    Contradiction {
        /// The query.
        query: String,
        /// The wish.
        wish: String,
        /// What is in its way, and what to do.
        why: String,
    },
}

impl TablesError {
    /// The query that it is about.
    pub fn query(&self) -> Option<&str> {
        match self {
            Self::Statement { query, .. }
            | Self::NotParsed { query, .. }
            | Self::Several { query, .. }
            | Self::Unknown { query, .. }
            | Self::Impossible { query, .. }
            | Self::Contradiction { query, .. } => Some(query),
            Self::NoTables | Self::NoQueries | Self::Cycle { .. } => None,
        }
    }

    /// Whether it is about what a query says, not about what it wishes; and the name in it, where one is wrong.
    pub fn about_statement(&self) -> Option<Option<&str>> {
        match self {
            Self::Unknown { name, .. } => Some(name.split('"').nth(1)),
            Self::Statement { .. } | Self::NotParsed { .. } | Self::Several { .. } => Some(None),
            _ => None,
        }
    }

    /// The table and column of the workload that it is about.
    pub fn column(&self) -> Option<(&str, &str)> {
        match self {
            Self::Cycle { table, column, .. } => Some((table, column)),
            _ => None,
        }
    }
}

fn near(known: &Option<String>) -> String {
    known.as_ref().map(|known| format!(" (there is {known})")).unwrap_or_default()
}
