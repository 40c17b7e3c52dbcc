//! Why a layout of readings makes no sense, and why a row is no reading.

use crate::value::ValueType;

/// Why readings cannot be laid out so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeriesLayoutError {
    /// The table says nothing about time.
    #[error(
        "the table {table:?} has no sequence: add [table.time] with the column that orders its rows and its entity"
    )]
    NoSequence {
        /// The table.
        table: String,
    },
    /// Nobody knows whose readings they are.
    #[error("the readings of table {table:?} have no entity: name the columns of the entity in [table.time]")]
    NoEntity {
        /// The table.
        table: String,
    },
    /// There is nothing to read.
    #[error("the readings of table {table:?} have no metrics: add a column that is neither entity nor time")]
    NoMetrics {
        /// The table.
        table: String,
    },
    /// A column does not exist.
    #[error("the table {table:?} has no column {column:?}")]
    NoColumn {
        /// The table.
        table: String,
        /// The column.
        column: String,
    },
    /// A column has two places.
    #[error(
        "the column {column:?} of table {table:?} is named twice: entity, time and metrics are different columns"
    )]
    Twice {
        /// The table.
        table: String,
        /// The column.
        column: String,
    },
    /// A column cannot order readings.
    #[error(
        "the column {column:?} of type {value_type} does not order readings: use a timestamp, a date or an int"
    )]
    NoTime {
        /// The column.
        column: String,
        /// Its type.
        value_type: ValueType,
    },
    /// A row for each reading, or not.
    #[error(
        "the layout {layout}: a row of one reading and the time in the row key go together, and only they"
    )]
    SpanOfDimension {
        /// The layout.
        layout: String,
    },
    /// Keys that begin with the time need a span.
    #[error(
        "the layout {layout} begins its keys with the time, but its rows hold all times: give rows a span"
    )]
    TimeFirstWithoutSpan {
        /// The layout.
        layout: String,
    },
    /// No buckets.
    #[error("the layout {layout} has no buckets: it needs at least 1")]
    NoBuckets {
        /// The layout.
        layout: String,
    },
    /// The span does not go with the column.
    #[error("the layout {layout}: rows of {column:?} take a span of at least 1, dates whole days")]
    BadSpan {
        /// The layout.
        layout: String,
        /// The column that orders readings.
        column: String,
    },
    /// A table of a design is no such layout.
    #[error("table {table:?} of the design does not hold readings in a way that is carried out: {why}")]
    NotASeries {
        /// The table of the design.
        table: String,
        /// What is in the way, and what to do.
        why: String,
    },
}

/// Why a row is no reading.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadingError {
    /// It has no time.
    #[error("the reading has no time: give {column:?} a value")]
    NoTime {
        /// The column.
        column: String,
    },
    /// Its time is not of a type that orders readings.
    #[error("{value} is no time of a reading: give {column:?} a timestamp, a date or an int")]
    NotATime {
        /// The column.
        column: String,
        /// The value as text.
        value: String,
    },
    /// Its number is the last there is, and nothing can come after it.
    #[error("{value} is no number of a reading: {column:?} must be less than 2^63 - 1")]
    TooGreat {
        /// The column.
        column: String,
        /// The number.
        value: i64,
    },
    /// Its time is finer than what is kept.
    #[error(
        "the time {value} has a fraction of a millisecond, which is not kept: round {column:?} to milliseconds"
    )]
    TooFine {
        /// The column.
        column: String,
        /// The time as text.
        value: String,
    },
}
