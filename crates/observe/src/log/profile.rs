//! What a log says: templates with their counts, and what could not be understood.

use tablesmith_model::workload::Touched;
use tablesmith_sql::{Dialect, SqlError, Statement};

use super::format::Format;
use super::queries::Part;

/// What was read from a log.
#[derive(Debug, Clone)]
pub struct LogProfile {
    /// The format that the log was read as.
    pub format: Format,
    /// The dialect that its statements were read as.
    pub dialect: Dialect,
    /// The templates, the most frequent first; equally frequent ones in the order of the log.
    pub templates: Vec<Template>,
    /// Calls in the log.
    pub statements: u64,
    /// Lines in the log.
    pub lines: u64,
    /// Calls whose template was too rare to be kept, when there are more templates than are kept.
    pub rare_statements: u64,
    /// Calls of statements about other tables.
    pub other_tables: u64,
    /// Calls of statements that read and write no rows: `BEGIN`, `SET` and the like.
    pub without_rows: u64,
    /// Places that cannot be understood, and calls of statements that cannot.
    pub not_understood: u64,
    /// The first of these places.
    pub not_understood_places: Vec<Place>,
    /// Calls of statements that are too long to be read: none of them is in a template.
    pub too_long: u64,
    /// The first of them, with their sizes and the limit.
    pub too_long_places: Vec<Place>,
    /// Lines or entries that are no statements and need not be: connections, errors, durations.
    pub passed_over: u64,
    /// The first and the last time in the log, in milliseconds since 1970; `None` when it has no times.
    pub times_ms: Option<(i64, i64)>,
    /// The slices of time that [`Template::slices`] counts.
    pub slices: TimeSlices,
}

/// A place in a log that cannot be understood, or is too long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The line, counted from 1.
    pub line: u64,
    /// What stands there, shortened.
    pub excerpt: String,
    /// Why it is left out.
    pub why: String,
}

/// Slices of time of equal width. In a log without times the place in the log stands for the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeSlices {
    /// Where the first begins: milliseconds since 1970, or the place in the log.
    pub start: i64,
    /// How wide each is, in milliseconds or places.
    pub width: i64,
    /// How many there are.
    pub count: usize,
}

/// All calls that differ in values only.
#[derive(Debug, Clone)]
pub struct Template {
    /// The statement without its values; for calls that are only known by their columns, these.
    pub text: String,
    /// What is asked.
    pub asks: Asked,
    /// A sample of the calls, chosen by chance; empty for totals and for calls known only by their columns.
    pub sample: Vec<Call>,
    /// Calls.
    pub count: u64,
    /// Calls in each slice of time.
    pub slices: Vec<u64>,
    /// Calls in each part of the log by time: training, validation, test.
    pub parts: [u64; 3],
    /// The line of the first call.
    pub line: u64,
    /// The first and the last time, in milliseconds since 1970, where the log says them.
    pub times_ms: Option<(i64, i64)>,
    /// Rows of one call on average, where the log says it.
    pub rows: Option<f64>,
    /// Milliseconds of one call on average, where the log says it.
    pub mean_ms: Option<f64>,
}

/// A call with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The statement.
    pub sql: String,
    /// The part of the log that it is of.
    pub part: Part,
}

/// What the calls of a template ask.
#[derive(Debug, Clone)]
pub enum Asked {
    /// A statement.
    Sql {
        /// The first call with its values; the template where that is very long.
        example: String,
        /// What it needs of each table, or why that is not known.
        statement: Result<Statement, SqlError>,
    },
    /// The columns of one table.
    Columns(Touched),
}

impl Template {
    /// What the statement needs of each table, where it is one and is understood.
    pub fn statement(&self) -> Option<&Statement> {
        match &self.asks {
            Asked::Sql { statement: Ok(statement), .. } => Some(statement),
            Asked::Sql { .. } | Asked::Columns(_) => None,
        }
    }

    /// Calls in a part of the log.
    pub fn calls_in(&self, part: Part) -> u64 {
        let [training, validation, test] = self.parts;
        match part {
            Part::Training => training,
            Part::Validation => validation,
            Part::Test => test,
        }
    }

    /// Why the statement says nothing about the known tables.
    pub fn error(&self) -> Option<&SqlError> {
        match &self.asks {
            Asked::Sql { statement: Err(error), .. } => Some(error),
            Asked::Sql { .. } | Asked::Columns(_) => None,
        }
    }
}

impl LogProfile {
    /// The templates that say something about the known tables.
    pub fn understood(&self) -> impl Iterator<Item = &Template> {
        self.templates.iter().filter(|template| template.error().is_none())
    }
}
