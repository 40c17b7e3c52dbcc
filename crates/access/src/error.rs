//! What can go wrong, one type an operation.

use tablesmith_model::design::RecordError;
use tablesmith_model::key::{KeyEncodeError, KeyError};
use tablesmith_model::value::{CellError, EncodeError, ParseError};
use tablesmith_model::{NameError, SettingError, evidence};
use tablesmith_sql::SqlError;
use tablesmith_store::StoreError;

use crate::series::SeriesError;

/// Why a design gives no layout for a table.
#[derive(Debug, thiserror::Error)]
pub enum LayoutError {
    /// The workload has no such table.
    #[error("the workload has no table {0:?}")]
    NoTable(String),
    /// The design has no rows of the table.
    #[error("the design has no rows from the table {0:?}: add [[table.rows]] with from = {0:?}")]
    NotInDesign(String),
    /// The design asks for something that is not carried out yet.
    #[error(
        "table {table:?} of the design has {what}, which is not carried out yet: use plain cells of one table"
    )]
    NotYet {
        /// The table of the design.
        table: String,
        /// What it has.
        what: String,
    },
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

/// Why a statement is no question that can be carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QuestionError {
    /// The statement names no table of the workload.
    #[error("the query {query:?}: {source}")]
    Sql {
        /// Its name.
        query: String,
        /// What is wrong.
        source: SqlError,
    },
    /// The statement needs several tables, or one in several places.
    #[error(
        "the query {query:?} needs {tables}: statements on one table, named once, are carried out so far"
    )]
    SeveralTables {
        /// Its name.
        query: String,
        /// What it needs.
        tables: String,
    },
    /// The workload has no such table.
    #[error("the query {query:?} names the table {table:?}, which the workload does not have")]
    NoTable {
        /// Its name.
        query: String,
        /// The table.
        table: String,
    },
    /// The query names a column that the table does not have.
    #[error("the query {query:?} names the column {column:?}, which the table {table:?} does not have")]
    NoColumn {
        /// Its name.
        query: String,
        /// The column.
        column: String,
        /// The table.
        table: String,
    },
    /// What is written is not said by literals or parameters.
    #[error(
        "the query {query:?} writes what only a database could compute ({what}): write literals or parameters"
    )]
    Computed {
        /// Its name.
        query: String,
        /// What is computed.
        what: String,
    },
}

/// Why values do not go with a question.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BindError {
    /// There are too few or too many.
    #[error("the query {query:?} takes {wanted} values, {given} were given")]
    Count {
        /// The query's name.
        query: String,
        /// How many it takes.
        wanted: usize,
        /// How many were given.
        given: usize,
    },
    /// A literal is not of the column's type.
    #[error("the query {query:?}, column {column:?}: {source}")]
    Literal {
        /// The query's name.
        query: String,
        /// The column.
        column: String,
        /// What is wrong.
        source: ParseError,
    },
    /// A value is not of the column's type.
    #[error("the query {query:?}, column {column:?}: {source}")]
    Type {
        /// The query's name.
        query: String,
        /// The column.
        column: String,
        /// What is wrong.
        source: EncodeError,
    },
    /// A parameter has no value.
    #[error("the query {query:?} has the parameter {parameter} without a value: give one")]
    Unbound {
        /// The query's name.
        query: String,
        /// The parameter as it stands in the text.
        parameter: String,
    },
}

/// Why a call cannot be planned on a layout.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// A column is neither in the key nor in a cell.
    #[error(
        "the design {design:?} does not cover the query {query:?}: the column {column:?} is neither in its key nor in \
         {place}"
    )]
    Uncovered {
        /// The design.
        design: String,
        /// The query.
        query: String,
        /// The column.
        column: String,
        /// Where it was looked for.
        place: String,
    },
    /// The plan names a family that is not there.
    #[error(
        "the design {design:?} reads the family {family:?} for the query {query:?}, which its table does not have"
    )]
    NoFamily {
        /// The design.
        design: String,
        /// The query.
        query: String,
        /// The family.
        family: String,
    },
    /// The call is about another table.
    #[error("the query {query:?} is about the table {table:?}, not about that of the design {design:?}")]
    OtherTable {
        /// The design.
        design: String,
        /// The query.
        query: String,
        /// The table of the query.
        table: String,
    },
    /// What is to be written is not known by its key.
    #[error(
        "the query {query:?} writes rows that the key of the design {design:?} does not find ({why}): name every column \
         of the key, and no other condition"
    )]
    KeyNotKnown {
        /// The design.
        design: String,
        /// The query.
        query: String,
        /// What is missing or too much.
        why: String,
    },
    /// A change of a column that the key is made of.
    #[error(
        "the query {query:?} sets {column:?}, which the key of the design {design:?} is made of: rows cannot move"
    )]
    MovesRow {
        /// The design.
        design: String,
        /// The query.
        query: String,
        /// The column.
        column: String,
    },
    /// The rows from a place on cannot be found.
    #[error(
        "the query {query:?} reads on from a row's number, and the key of the design {design:?} has none"
    )]
    NoPlace {
        /// The design.
        design: String,
        /// The query.
        query: String,
    },
    /// Rows do not come in the order of their ids.
    #[error(
        "the key of the design {design:?} has {part} before a prefix, so its rows cannot be read in the order of their ids: \
         give it a value, or put the prefix first"
    )]
    NoOrder {
        /// The design.
        design: String,
        /// The part that is in the way.
        part: String,
    },
    /// There are too many prefixes to merge.
    #[error(
        "the key of the design {design:?} spreads these rows over {strands} prefixes, too many to read in the order of \
         their ids: use fewer prefixes, or read them in any order"
    )]
    TooManyStrands {
        /// The design.
        design: String,
        /// How many there are.
        strands: usize,
    },
    /// A value does not go into a key.
    #[error("the query {query:?} on the design {design:?}: {source}")]
    Key {
        /// The design.
        design: String,
        /// The query.
        query: String,
        /// What is wrong.
        source: KeyEncodeError,
    },
    /// A value does not go into a cell.
    #[error("the query {query:?} on the design {design:?}, column {column:?}: {source}")]
    Cell {
        /// The design.
        design: String,
        /// The query.
        query: String,
        /// The column.
        column: String,
        /// What is wrong.
        source: CellError,
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
    /// No row could be loaded.
    #[error("no row could be loaded; {} were rejected, the first in line {}: {}", .0.rows, .0.first_line, .0.reason)]
    NothingLoaded(evidence::Rejected),
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
