//! Why a statement says nothing about the known tables.

use thiserror::Error;

/// Why a text cannot be resolved.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SqlError {
    /// The statement reads or writes tables, but none that is known.
    #[error("none of the known tables occurs in it; it names {}: add the table to the workload, or leave the statement out", or_nothing(.0))]
    OtherTables(Vec<String>),
    /// Nothing that reads or writes rows: `BEGIN`, `SET`, `CREATE TABLE` and the like.
    #[error("`{0}` reads and writes no rows; there is nothing to learn from it")]
    NotAStatement(String),
    /// Neither SQL that can be read, nor does it name a known table.
    #[error("`{0}` is no SQL that can be read, and it names no known table")]
    NotSql(String),
}

fn or_nothing(names: &[String]) -> String {
    match names {
        [] => "no table that could be made out".to_owned(),
        names => names.join(", "),
    }
}
