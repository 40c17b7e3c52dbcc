//! Why an operation did not succeed, and which class of failure that is.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use tablesmith_access::answer::AnswerError;
use tablesmith_access::{AccessError, ApplyError, OTHER_LAYOUT, WriterError};
use tablesmith_design::keys::SetupError;
use tablesmith_design::keys::simulate::SimulateError;
use tablesmith_design::tables::TablesError;
use tablesmith_generate::GenerateError;
use tablesmith_model::design::{DesignError, EditError, TableError};
use tablesmith_model::key::KeyError;
use tablesmith_model::problem::Problem;
use tablesmith_model::series::SeriesLayoutError;
use tablesmith_model::{NameError, TableName};
use tablesmith_observe::dump::DumpError;
use tablesmith_observe::log::LogError;
use tablesmith_observe::profile::{Misfit, ProfileError};
use tablesmith_observe::rows::RowsError;
use tablesmith_sql::executable::{Problem as StatementProblem, StatementError};
use tablesmith_store::StoreError;
use tablesmith_verify::time::TimeError;
use tablesmith_verify::trial::TrialError;

use crate::input_file::InputKind;
use crate::pointer::Pointer;

/// Who has to do something about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// The user: wrong use, or input that is not what it should be.
    Input,
    /// Whoever runs the store or the machine.
    Store,
    /// Nobody: the work was cancelled.
    Cancelled,
}

/// What to do where rows lie otherwise than a design says.
const INSTEAD: &str = "use the design that they were loaded with, or empty the table (truncate in tablesmith shell) and load again";

/// Why an operation did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// A file that was named cannot be read.
    #[error("cannot read {}{}: {error}", kind.article(), path.display())]
    Unreadable {
        /// What it should be.
        kind: InputKind,
        /// Its path.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is longer than any of its kind.
    #[error("{} is longer than {} MiB, the limit for {}: {}", path.display(), kind.mebibytes_max(), kind.name(), kind.advice())]
    TooLong {
        /// What it should be.
        kind: InputKind,
        /// Its path.
        path: PathBuf,
    },
    /// A file has problems, each drawn at its place.
    #[error("{}", drawn(path, text, problems))]
    Problems {
        /// Its path.
        path: PathBuf,
        /// Its text.
        text: String,
        /// What is wrong with it.
        problems: Vec<Problem>,
    },
    /// A statement that is not understood, drawn at its place.
    #[error("{}", statement(sql, error))]
    Statement {
        /// The statement.
        sql: String,
        /// What is wrong with it.
        error: Box<StatementError>,
    },
    /// A data file that cannot be used, with its line where there is one.
    #[error("{}", data(.0))]
    Data(ProfileError),
    /// No design can be made of a workload; the message points at the query or the reference.
    #[error("{message}")]
    Undesignable {
        /// Why, drawn at its place.
        message: String,
        /// Why.
        error: Box<TablesError>,
    },
    /// What a library refused, with the file or table that it is about.
    #[error("{}{cause}", prefix(at.as_ref()))]
    Invalid {
        /// The file or table.
        at: Option<String>,
        /// What was refused.
        cause: Box<Cause>,
    },
    /// A file would be written over.
    #[error("{} exists: name another file with -o, or write over it with --force", .0.display())]
    Exists(PathBuf),
    /// A file that is something else than a design would be written over.
    #[error("{} is there and is no design, so that it is not written over: name another file", .0.display())]
    NoDesign(PathBuf),
    /// A file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Unwritable {
        /// Its path.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is no evidence.
    #[error("{}{}: this is no evidence ({error}): make it with tablesmith verify … --evidence FILE", path.display(), place(error))]
    NoEvidence {
        /// Its path.
        path: PathBuf,
        /// Why.
        error: serde_json::Error,
    },
    /// A page would be written over the evidence that it shows.
    #[error("the page would be written over the evidence {}: name another file with -o", .0.display())]
    PageOverEvidence(PathBuf),
    /// There is nowhere to keep data by default.
    #[error("there is no data directory for you here (is HOME set?): name one with --store embedded:DIR")]
    NoDataDirectory,
    /// A cluster cannot be opened for reading alone.
    #[error("--read-only is for embedded stores: HBase has permissions for it")]
    ReadOnlyCluster,
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
    /// The store has no tables for a design yet.
    #[error(
        "the store has no table {0}: make the tables first, with tablesmith apply DESIGN.toml --yes, and load them"
    )]
    NoTables(TableName),
    /// The store has no table to load into.
    #[error("the store has no table {0}: make the tables first, with tablesmith apply DESIGN.toml --yes")]
    NoTableToLoad(TableName),
    /// The store has no table to check.
    #[error("the store has no table {0}: without --table all that are there are checked")]
    NoTableToCheck(TableName),
    /// A table of the store would not keep what a design says.
    #[error(
        "{0}: bring the tables of the store up to the design first, with tablesmith apply DESIGN.toml --yes"
    )]
    FallsShort(String),
    /// Rows of a table lie otherwise than a design says.
    #[error("{0} {OTHER_LAYOUT}: {INSTEAD}")]
    OtherLayout(String),
    /// There are no files to load.
    #[error("there is nothing to load: name files with --data TABLE=FILE")]
    NothingToLoad,
    /// A file is of no table of the workload.
    #[error("there is no table {name:?} for {}: name one of {}, as TABLE=FILE", file.display(), tables.join(", "))]
    NoTableForFile {
        /// The name.
        name: String,
        /// The file.
        file: PathBuf,
        /// The tables that there are.
        tables: Vec<String>,
    },
    /// A file is of a table that the design does not store.
    #[error("{file}: the design has no rows from the table {table:?}")]
    NotStored {
        /// The file.
        file: String,
        /// The table of the workload.
        table: String,
    },
    /// Rows of a file cannot be read on.
    #[error("{0}")]
    Rows(String),
    /// A text is neither a statement nor the name of a query.
    #[error("{text:?} is neither SQL nor a query of the workload: expected {expected}")]
    NoQuery {
        /// The text.
        text: String,
        /// The names that there are.
        expected: String,
    },
    /// A query of the workload has no statement.
    #[error("the query {0:?} of the workload only says which columns it touches: write SQL")]
    ColumnsOnly(String),
    /// A workload has no query of a name.
    #[error("{} has no query {name:?}; expected {expected}", path.display())]
    UnknownQuery {
        /// The workload.
        path: PathBuf,
        /// The name.
        name: String,
        /// The names that there are.
        expected: String,
    },
    /// A workload has no table of a name.
    #[error("{} has no table `{name}`", path.display())]
    UnknownTable {
        /// The workload.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// Two data files would be one table.
    #[error("{} and {} would both be the table `{table}`: rename one of them", one.display(), other.display())]
    SameTable {
        /// A file.
        one: PathBuf,
        /// Another one.
        other: PathBuf,
        /// The table.
        table: String,
    },
    /// No table of a dump can be read.
    #[error("{}:{line}: no table of the dump could be read: {why}", path.display())]
    UnreadableDump {
        /// The dump.
        path: PathBuf,
        /// The line.
        line: u64,
        /// Why.
        why: String,
    },
    /// A dump declares nothing.
    #[error("{} declares no table: give a dump that has CREATE TABLE statements, as `pg_dump`, `mysqldump` and `sqlite3 .dump` write them", .0.display())]
    EmptyDump(PathBuf),
    /// The cost `store` was asked for, and the store is not calibrated.
    #[error(
        "the cost `store` needs prices that were measured, and there are none for this store: run `tablesmith calibrate{}` first, or choose another cost with --cost",
        option(.0.as_ref())
    )]
    NotCalibrated(Option<String>),
    /// A workload has no table of a name.
    #[error("the workload has no table `{name}`; it has {}", tables.join(", "))]
    NoSuchTable {
        /// The name.
        name: String,
        /// The tables that there are.
        tables: Vec<String>,
    },
    /// Weights that make no sense.
    #[error("--weights: {0}")]
    Weights(String),
    /// No key of a table is known.
    #[error(
        "no key of table `{0}` is known: name the columns that identify a row with --id, or as `key` in the workload"
    )]
    NoKey(String),
    /// A table has no column of a name.
    #[error("table `{table}` has no column `{column}`: it has {}", columns.join(", "))]
    NoColumn {
        /// The table.
        table: String,
        /// The name.
        column: String,
        /// The columns that there are.
        columns: Vec<String>,
    },
    /// No table of a workload has data.
    #[error("no table of {} has data: name its file, as data = \"events.csv\"", .0.display())]
    NoTableWithData(PathBuf),
    /// A table has no data.
    #[error("table `{0}` has no data: name its file in workload.toml, as data = \"{0}.csv\"")]
    NoData(String),
    /// A table has no data to load.
    #[error("table `{0}` has no data to load: name its file in workload.toml, as data = \"{0}.csv\"")]
    NoDataToLoad(String),
    /// No rows to judge keys with.
    #[error("{0}: there are no rows to judge: give a file that has some")]
    NoRows(String),
    /// No strategy suits a table.
    #[error("{table}: {}", reasons.join("; "))]
    NoStrategy {
        /// The table.
        table: String,
        /// Why each is left out.
        reasons: Vec<String>,
    },
    /// A table has no time series.
    #[error("table `{0}` has no [table.time]")]
    NoSeries(String),
    /// No table of a workload has a time series.
    #[error(
        "no table of {} has readings over time: say so with [table.time], column = \"at\" and entity = [\"station\"]", .0.display()
    )]
    NoTableWithSeries(PathBuf),
    /// There are no data points in the data.
    #[error("{table}: there is no reading in the data{}", suffix(why.as_ref()))]
    NoReadings {
        /// The table.
        table: String,
        /// Why the first row was left out.
        why: Option<String>,
    },
    /// There is nothing to replay.
    #[error(
        "there is nothing to replay: the workload needs a [log] whose test part has statements on its tables, or [[query]] entries{}",
        bracketed(notes)
    )]
    NothingToReplay {
        /// What was left out.
        notes: Vec<String>,
    },
    /// Two designs have one name.
    #[error(
        "two designs are called `{0}`: a design is called as its file, so give the files different names"
    )]
    SameDesignName(String),
    /// An expectation is about a design that is not measured.
    #[error("--expect names `{name}`, which is not among the designs {}", designs.join(", "))]
    UnknownDesign {
        /// The name.
        name: String,
        /// The designs that there are.
        designs: Vec<String>,
    },
    /// A parameter has two values.
    #[error("the parameter {0:?} is given twice: give it one value")]
    ParameterTwice(String),
    /// The output cannot be written.
    #[error("cannot write the output: {0}")]
    Output(io::Error),
    /// The operating system refused something that every operation needs.
    #[error("the operating system refused: {0}")]
    System(io::Error),
    /// The work was cancelled.
    #[error("interrupted")]
    Cancelled,
}

/// What a library refused.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum Cause {
    /// Reading or writing records.
    Access(#[from] AccessError),
    /// Answering a statement.
    Answer(Box<AnswerError>),
    /// Creating or altering tables.
    Apply(#[from] ApplyError),
    /// A design, parsed against its workload.
    Design(#[from] DesignError),
    /// A dump.
    Dump(#[from] DumpError),
    /// A change of a design's file.
    Edit(#[from] EditError),
    /// Generated data.
    Generate(#[from] GenerateError),
    /// A query log.
    Log(#[from] LogError),
    /// A name.
    Name(#[from] NameError),
    /// A data file, measured.
    Profile(#[from] ProfileError),
    /// The rows of a data file.
    Rows(#[from] RowsError),
    /// A layout of a time series.
    Series(#[from] SeriesLayoutError),
    /// What keys are judged with.
    Setup(#[from] SetupError),
    /// A row key.
    Key(#[from] KeyError),
    /// A simulated load.
    Simulate(#[from] SimulateError),
    /// A table of a design.
    Table(#[from] TableError),
    /// Tables designed from queries.
    Tables(#[from] TablesError),
    /// Time-series layouts, measured.
    Time(#[from] TimeError),
    /// A design that is measured.
    Trial(Box<TrialError>),
    /// A design that is written to.
    Writer(#[from] WriterError),
}

impl AppError {
    /// Who has to do something about it.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::Store(_) | Self::System(_) | Self::Output(_) => ErrorClass::Store,
            Self::Cancelled => ErrorClass::Cancelled,
            _ => ErrorClass::Input,
        }
    }

    /// What a library refused about a file or a table.
    pub fn about<E: Into<Cause>>(at: impl Display) -> impl Fn(E) -> Self {
        move |error| Self::Invalid { at: Some(at.to_string()), cause: Box::new(error.into()) }
    }

    /// What a library refused about a file.
    pub fn in_file<E: Into<Cause>>(path: &Path) -> impl Fn(E) -> Self {
        Self::about(path.display())
    }

    /// What a library refused.
    pub fn refused<E: Into<Cause>>(error: E) -> Self {
        Self::Invalid { at: None, cause: Box::new(error.into()) }
    }
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<AccessError> for AppError {
    fn from(error: AccessError) -> Self {
        match error {
            AccessError::Store(StoreError::TableNotFound(table)) => Self::NoTables(table),
            AccessError::Store(error) => Self::Store(error),
            error => Self::refused(error),
        }
    }
}

impl From<AnswerError> for AppError {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Store(error) | AnswerError::Access(AccessError::Store(error)) => {
                AccessError::Store(error).into()
            }
            // The disk is full or the directory is closed: nothing is wrong with the statement.
            error @ AnswerError::Spill { .. } => Self::Store(StoreError::Io(error.to_string())),
            error => Self::refused(Cause::Answer(Box::new(error))),
        }
    }
}

impl From<TrialError> for AppError {
    fn from(error: TrialError) -> Self {
        error.into_store().map_or_else(|error| Self::refused(Cause::Trial(Box::new(error))), Self::Store)
    }
}

impl From<TimeError> for AppError {
    fn from(error: TimeError) -> Self {
        match error {
            TimeError::Store(error) => Self::Store(error),
            TimeError::Stopped => Self::Cancelled,
            error @ TimeError::Layout { .. } => Self::refused(error),
        }
    }
}

impl From<ProfileError> for AppError {
    fn from(error: ProfileError) -> Self {
        Self::Data(error)
    }
}

macro_rules! refused_by {
    ($($error:ty),*) => {
        $(impl From<$error> for AppError {
            fn from(error: $error) -> Self {
                Self::refused(error)
            }
        })*
    };
}

refused_by!(
    ApplyError,
    DesignError,
    DumpError,
    GenerateError,
    LogError,
    NameError,
    RowsError,
    SeriesLayoutError
);

fn prefix(at: Option<&String>) -> String {
    at.map(|at| format!("{at}: ")).unwrap_or_default()
}

fn suffix(why: Option<&String>) -> String {
    why.map(|why| format!(": {why}")).unwrap_or_default()
}

fn bracketed(notes: &[String]) -> String {
    if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) }
}

fn option(store: Option<&String>) -> String {
    store.map(|store| format!(" --store {store}")).unwrap_or_default()
}

fn place(error: &serde_json::Error) -> String {
    match error.line() {
        0 => String::new(),
        line => format!(":{line}:{}", error.column()),
    }
}

/// The problems of a file, each drawn at its place.
fn drawn(path: &Path, text: &str, problems: &[Problem]) -> String {
    let draw = |problem: &Problem| {
        let line = text.lines().nth(problem.line.saturating_sub(1)).unwrap_or_default();
        let about = text.get(problem.span.clone()).unwrap_or_default();
        let pointer = Pointer {
            path: &path.display(),
            line: problem.line as u64,
            column: problem.column as u64,
            width: about.lines().next().unwrap_or_default().chars().count(),
            text: line,
            message: &problem.message,
            expected: &problem.expected,
        };
        pointer.draw()
    };
    problems.iter().map(draw).collect::<Vec<_>>().join("\n\n")
}

/// A statement that is not understood, drawn at its place.
fn statement(sql: &str, error: &StatementError) -> String {
    let message = match &error.problem {
        StatementProblem::NoValue { name, .. } => format!("{}, as --param {name}=VALUE", error.problem),
        problem => problem.to_string(),
    };
    let Some(position) = error.position else { return message };
    let line = usize::try_from(position.line.saturating_sub(1)).ok().and_then(|line| sql.lines().nth(line));
    let pointer = Pointer {
        path: &"sql",
        line: position.line,
        column: position.column,
        width: usize::try_from(position.chars).unwrap_or(1),
        text: line.unwrap_or_default(),
        message: &message,
        expected: "",
    };
    pointer.draw()
}

/// A data file that cannot be used, drawn at its place where there is one.
fn data(error: &ProfileError) -> String {
    let ProfileError::Shape { path, misfit } = error else { return error.to_string() };
    let Misfit { line, column, text, message, expected } = &**misfit;
    let pointer =
        Pointer { path: &path.display(), line: *line, column: *column, width: 1, text, message, expected };
    pointer.draw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_use_and_failing_stores_differ() {
        let unreadable = AppError::Unreadable {
            kind: InputKind::Script,
            path: "a.hbsh".into(),
            error: io::ErrorKind::NotFound.into(),
        };
        assert_eq!(unreadable.class(), ErrorClass::Input);
        assert!(unreadable.to_string().starts_with("cannot read the script a.hbsh: "), "{unreadable}");
        assert_eq!(AppError::from(StoreError::Locked("held".into())).class(), ErrorClass::Store);
        assert_eq!(AppError::Cancelled.class(), ErrorClass::Cancelled);
    }
}
