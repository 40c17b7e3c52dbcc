//! What can go wrong, one type an operation.

use tablesmith_model::design::RecordError;
use tablesmith_model::key::{KeyEncodeError, KeyError};
use tablesmith_model::value::CellError;
use tablesmith_model::{NameError, SettingError};
use tablesmith_store::StoreError;

use crate::series::SeriesError;

/// Why a design gives no layout for a table.
#[derive(Debug, thiserror::Error)]
pub enum LayoutError {
    /// The workload has no such table.
    #[error("the workload has no table {0:?}")]
    NoTable(String),
    /// The rows are no record.
    #[error("table {table:?} of the design: {source}")]
    Record {
        /// The table of the design.
        table: String,
        /// What is wrong.
        source: Box<RecordError>,
    },
    /// Cells whose qualifier is data are not as they can be.
    #[error("table {table:?} of the design cannot hold many records in a row: {reason}")]
    Wide {
        /// The table of the design.
        table: String,
        /// What is wrong.
        reason: String,
    },
    /// Two entries of one table cannot be told apart.
    #[error(
        "the rows from {one:?} and those from {two:?} in table {table:?} of the design cannot be told apart: put them into \
         different families, or give their keys a const(\"x\") at the same place, each another one"
    )]
    Mixed {
        /// The table of the design.
        table: String,
        /// Where the rows of one come from.
        one: String,
        /// Where those of the other come from.
        two: String,
    },
    /// The key does not tell rows apart.
    #[error(
        "the key of table {table:?} does not tell rows apart: {column:?} identifies a row and is not in it; rows would \
         overwrite each other"
    )]
    KeyTooShort {
        /// The table of the design.
        table: String,
        /// The column that is not in the key.
        column: String,
    },
    /// Cells name a column that the workload's table does not have.
    #[error("table {table:?} of the design names the column {column:?}, which the workload does not have")]
    NoColumn {
        /// The table of the design.
        table: String,
        /// The column.
        column: String,
    },
    /// Rows without cells.
    #[error(
        "rows from {from:?} in the table {table:?} of the design have no `cells`: name at least one family, if only with \
         columns = []"
    )]
    NoCells {
        /// The table of the workload.
        from: String,
        /// The table of the design.
        table: String,
    },
    /// Cells name a family that the table does not have.
    #[error("table {table:?} of the design has no family {family:?}: add [[table.family]] with that name")]
    NoFamily {
        /// The table of the design.
        table: String,
        /// The family.
        family: String,
    },
    /// A family would hold a column twice.
    #[error("the family {family:?} holds the column {column:?} twice: name it once")]
    Twice {
        /// The family.
        family: String,
        /// The column.
        column: String,
    },
    /// The key does not go with the columns.
    #[error("the key of table {table:?}: {source}")]
    Key {
        /// The table of the design.
        table: String,
        /// What is wrong.
        source: KeyError,
    },
    /// A column's encoding does not go with its type.
    #[error("the column {column:?}: {source}")]
    Encoding {
        /// The column.
        column: String,
        /// What is wrong.
        source: CellError,
    },
    /// A family's setting is refused.
    #[error("the family {family:?}: {source}")]
    Setting {
        /// The family.
        family: String,
        /// What is wrong.
        source: SettingError,
    },
}

/// Why a read of a table cannot be planned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// A column is neither in the key nor in a cell.
    #[error("the column {column:?} is neither in the key of table {table:?} nor in its {place}")]
    Uncovered {
        /// The table of the design.
        table: String,
        /// The column.
        column: String,
        /// Where it was looked for.
        place: &'static str,
    },
    /// Rows do not come in the order of their ids.
    #[error(
        "the key of table {table:?} has {part} before a prefix, so its rows cannot be read in the order of their ids: \
         give it a value, or put the prefix first"
    )]
    NoOrder {
        /// The table of the design.
        table: String,
        /// The part that is in the way.
        part: String,
    },
    /// There are too many prefixes to merge.
    #[error(
        "the key of table {table:?} spreads these rows over {strands} prefixes, too many to read in the order of \
         their ids: use fewer prefixes, or read them in any order"
    )]
    TooManyStrands {
        /// The table of the design.
        table: String,
        /// How many there are.
        strands: usize,
    },
    /// A value does not go into a key.
    #[error("the key of table {table:?}: {source}")]
    Key {
        /// The table of the design.
        table: String,
        /// What is wrong.
        source: KeyEncodeError,
    },
}

/// Why a design cannot be written to.
#[derive(Debug, thiserror::Error)]
pub enum WriterError {
    /// A layout is wrong.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A table's name is none.
    #[error("table {table:?} of the design: {source}")]
    Name {
        /// The table.
        table: String,
        /// What is wrong.
        source: NameError,
    },
    /// No place has all of a table.
    #[error(
        "no rows of the design hold all columns of {table:?}, without a join: {}, so that copies can be made from them",
        no_master(.column)
    )]
    NoMaster {
        /// The table of the workload.
        table: String,
        /// A column that is missing; none where there are no rows without a join.
        column: Option<String>,
    },
    /// Copies of rows that cannot be told apart.
    #[error(
        "the table {0:?} has no key, so that its copies cannot be kept true: declare its key, or store it once"
    )]
    NoKey(String),
    /// Readings over time that are laid out in a way that cannot be.
    #[error(transparent)]
    Series(Box<SeriesError>),
    /// Rows over time beside others of the same table.
    #[error(
        "the rows from {from:?} in table {table:?} are readings over time, and others of them are not: such copies cannot be \
         kept true; store them in one way"
    )]
    OverTime {
        /// The table of the workload.
        from: String,
        /// The table of the design.
        table: String,
    },
}

impl From<SeriesError> for WriterError {
    fn from(error: SeriesError) -> Self {
        Self::Series(Box::new(error))
    }
}

impl From<SeriesError> for AccessError {
    fn from(error: SeriesError) -> Self {
        match error {
            SeriesError::Store(error) => Self::Store(error),
            SeriesError::Access(error) => error,
            error @ SeriesError::TooLarge { .. } => Self::TooLarge(error.to_string()),
            error => Self::Data(error.to_string()),
        }
    }
}

/// Why work on a store did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// The store refused or failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What is to be read cannot be planned.
    #[error("{0}")]
    Plan(Box<PlanError>),
    /// The data cannot be read.
    #[error("{0}")]
    Data(String),
    /// A cell would be larger than a store takes.
    #[error("{0}")]
    TooLarge(String),
    /// A record does not go into its place.
    #[error("a record of {from:?} does not go into table {table:?} of the design: {reason}")]
    Unfit {
        /// The table of the workload.
        from: String,
        /// The table of the design.
        table: String,
        /// What is wrong.
        reason: String,
    },
    /// A scan cannot go on from here.
    #[error("the row {row} is in none of the ranges of this scan: go on from a row that the same scan gave")]
    NotInScan {
        /// The row's key, as HBase prints bytes.
        row: String,
    },
    /// A plan that was not made for the layout.
    #[error(
        "the plan for table {table} needs the column {column:?} where the layout does not have it: plan the call again"
    )]
    OtherLayout {
        /// The table.
        table: String,
        /// The column.
        column: String,
    },
    /// A row does not read as the layout says.
    #[error("the row {row} of table {table} was not written by this design: {reason}")]
    Foreign {
        /// The table.
        table: String,
        /// The row's key, as HBase prints bytes.
        row: String,
        /// What is wrong.
        reason: String,
    },
}

impl From<PlanError> for AccessError {
    fn from(error: PlanError) -> Self {
        Self::Plan(Box::new(error))
    }
}

fn no_master(column: &Option<String>) -> String {
    match column {
        Some(column) => format!("{column:?} is missing in each; add it to `cells`"),
        None => "there are only joined ones; add [[table.rows]] of the table alone".to_owned(),
    }
}
