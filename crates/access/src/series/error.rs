//! Why readings are not written or read.

use tablesmith_model::key::{KeyEncodeError, KeyError};
use tablesmith_model::series::{ReadingError, SeriesLayoutError};
use tablesmith_model::value::CellError;
use tablesmith_model::{NameError, SettingError};
use tablesmith_store::StoreError;

use crate::error::{AccessError, LayoutError};

/// Why work on readings did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum SeriesError {
    /// The design names a table that is not there.
    #[error(
        "the rows of table {table:?} of the design are from {from:?}, which the workload does not have: name one of its tables"
    )]
    NoTable {
        /// The table of the workload.
        from: String,
        /// The table of the design.
        table: String,
    },
    /// A table's name is none that a store takes.
    #[error("the design's table {table:?}: {error}")]
    Name {
        /// The name.
        table: String,
        /// What is wrong with it.
        error: NameError,
    },
    /// What depends on entities alone is laid out in a way that cannot be.
    #[error(transparent)]
    Fixed(Box<LayoutError>),
    /// The layout makes no sense for its table.
    #[error(transparent)]
    Layout(#[from] SeriesLayoutError),
    /// The key does not go with the columns.
    #[error("the key of the layout: {0}")]
    Key(#[from] KeyError),
    /// A family's setting is refused.
    #[error("the family {family:?}: {source}")]
    Setting {
        /// The family.
        family: String,
        /// What is wrong.
        source: SettingError,
    },
    /// The store refused or failed. Some readings of the same call may be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A reading is of another shape.
    #[error(
        "a reading has {given} values for its {what}, {wanted} are needed: give one for each column, null where there is none"
    )]
    Shape {
        /// Entity or metrics.
        what: &'static str,
        /// How many there are.
        given: usize,
        /// How many there should be.
        wanted: usize,
    },
    /// There is no such metric.
    #[error("{metric:?} is no metric of this layout, which has {known}")]
    NoMetric {
        /// What was asked for.
        metric: String,
        /// The metrics there are.
        known: String,
    },
    /// A number is no time of the column.
    #[error(
        "{at} is no time of {column:?}: a timestamp lies in the years 1 to 9999, a date is a day's beginning, a number is \
             less than 2^63 - 1"
    )]
    NoTime {
        /// The number.
        at: i64,
        /// The column.
        column: String,
    },
    /// A time that cannot be a version.
    #[error(
        "{at} cannot be the version of a cell, which is not negative: keep times before 1970 in a layout that is tall, wide \
             or packed"
    )]
    NoVersion {
        /// The time.
        at: String,
    },
    /// A time between those that the versions of a row are kept for.
    #[error(
        "{at} lies between two versions of its row: VERSIONS = {versions} keeps times at distances of {step} from the row's \
             beginning, and would drop others; set VERSIONS = {needed} to keep them all"
    )]
    BetweenVersions {
        /// The time.
        at: String,
        /// Versions that the family keeps.
        versions: u32,
        /// The distance, in milliseconds or numbers.
        step: u64,
        /// Versions that would be enough for all times.
        needed: u64,
    },
    /// An entity has no key.
    #[error("the reading gets no row key: {0}")]
    RowKey(#[from] KeyEncodeError),
    /// A value does not go into a cell.
    #[error("the metric {metric:?}: {source}")]
    Cell {
        /// The metric.
        metric: String,
        /// What is wrong.
        source: CellError,
    },
    /// A metric is no number.
    #[error("{metric:?} is of type {value_type}, which has no sum: aggregate a metric of numbers")]
    NotANumber {
        /// The metric.
        metric: String,
        /// Its type.
        value_type: String,
    },
    /// A packed cell is full.
    #[error(
        "the packed cell of the row {row} would have {bytes} bytes, more than the {most} that HBase takes: use a shorter span"
    )]
    TooLarge {
        /// The row's key, as HBase prints bytes.
        row: String,
        /// Bytes it would have.
        bytes: usize,
        /// Bytes it can have.
        most: usize,
    },
    /// Others write all the time.
    #[error("the row {row} was changed by others {attempts} times in a row: write again when they are done")]
    Contended {
        /// The row's key, as HBase prints bytes.
        row: String,
        /// How often it was tried.
        attempts: usize,
    },
    /// What is in the table does not read as the layout says.
    #[error("the row {row} was not written with this layout: {reason}")]
    Foreign {
        /// The row's key, as HBase prints bytes.
        row: String,
        /// What is wrong.
        reason: String,
    },
    /// A row is no reading.
    #[error(transparent)]
    Reading(#[from] ReadingError),
    /// A scan over several ranges failed.
    #[error(transparent)]
    Access(#[from] AccessError),
}
