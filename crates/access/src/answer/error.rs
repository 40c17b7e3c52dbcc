//! Why a statement is not answered.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use tablesmith_model::NameError;
use tablesmith_store::StoreError;

use crate::error::{AccessError, LayoutError, PlanError, WriterError};

/// Why a statement is not answered.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// No table of the design has what a query needs.
    #[error("no table of the design has {columns} of {table:?} in every row: {reason}")]
    NotInDesign {
        /// The table of the workload.
        table: String,
        /// The columns.
        columns: String,
        /// Why the last one that was tried does not.
        reason: String,
    },
    /// A query names too many tables.
    #[error("a query of {0} tables is more than is planned: ask in several steps")]
    TooManyTables(usize),
    /// A plan that was made for another design.
    #[error("the plan was made for another design: plan the query again")]
    OtherDesign,
    /// A table's name is none that a store takes.
    #[error("the design's table {table:?}: {error}")]
    Name {
        /// The name.
        table: String,
        /// What is wrong with it.
        error: NameError,
    },
    /// A sum of whole numbers does not fit.
    #[error("the sum is greater than a whole number of 64 bits can be: ask for AVG and COUNT")]
    SumTooGreat,
    /// Temporary files fail.
    #[error(
        "rows that do not fit into memory cannot be kept in a temporary file in {}: {source}; make room there, or set \
         TMPDIR to a directory with more",
        .directory.display()
    )]
    Spill {
        /// The directory of temporary files.
        directory: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Rows that cannot be named one by one.
    #[error(
        "the table {0:?} has no key, so that rows which have to be found first cannot be changed: let each condition compare one column with a value by =, <, <=, >, >=, IN or BETWEEN, or declare its key"
    )]
    NoKey(String),
    /// The design cannot be written to.
    #[error("{0}")]
    Writer(Arc<WriterError>),
    /// The design gives no layouts.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A read cannot be planned.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Reading or writing records fails.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
