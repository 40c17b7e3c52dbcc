//! Why the rows of a data file cannot be read.

use std::path::PathBuf;

use crate::profile::ProfileError;

/// A data file whose rows cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RowsError {
    /// The file cannot be opened, or is none that has rows.
    #[error(transparent)]
    Open(#[from] ProfileError),
    /// The file does not have a column of the table.
    #[error(
        "{} has no column {column:?}, which the table {table:?} declares: correct the name in workload.toml, or remove the column there",
        path.display()
    )]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The table.
        table: String,
        /// The column.
        column: String,
    },
}
