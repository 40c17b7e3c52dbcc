//! Why a statement is not understood whole, and where.

use std::fmt;

use sqlparser::ast::Spanned;
use sqlparser::tokenizer::{Location, Span};
use tablesmith_model::value::{ParseError, ValueType};

/// Why a statement cannot be answered as it is written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{problem}{}", at(.position))]
pub struct StatementError {
    /// What is wrong.
    pub problem: Problem,
    /// Where in the text, as far as that is known.
    pub position: Option<SourcePosition>,
}

/// A place in a text of SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourcePosition {
    /// The line, from 1 on.
    pub line: u64,
    /// The character in the line, from 1 on.
    pub column: u64,
    /// How many characters of the line, at least 1.
    pub chars: u64,
}

/// What is wrong with a statement.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    /// The parser does not take it.
    #[error("this is no SQL that can be read: {0}")]
    NotSql(String),
    /// There is nothing in it, or more than one statement.
    #[error("one statement is answered at a time, and this text has {0}")]
    Statements(usize),
    /// A part of SQL that is not carried out.
    #[error("{construct} is not supported: {instead}")]
    Unsupported {
        /// The part, as SQL calls it.
        construct: String,
        /// What to do instead.
        instead: String,
    },
    /// No such table.
    #[error("there is no table {name:?}{}", suggested(.nearest))]
    NoTable {
        /// The name.
        name: String,
        /// A table with a similar name.
        nearest: Option<String>,
    },
    /// No such column.
    #[error("there is no column {name:?} in {tables}{}", suggested(.nearest))]
    NoColumn {
        /// The name.
        name: String,
        /// Where it was looked for.
        tables: String,
        /// A column with a similar name.
        nearest: Option<String>,
    },
    /// Several tables have the column.
    #[error("{name:?} can be a column of {tables}: write the table before it")]
    Ambiguous {
        /// The name.
        name: String,
        /// The tables.
        tables: String,
    },
    /// Two tables go by one name.
    #[error("{0:?} names two tables of the query: give one of them an alias")]
    SameAlias(String),
    /// A literal that is no value of its column.
    #[error("{column}: {source}")]
    Literal {
        /// The column.
        column: String,
        /// Why.
        source: ParseError,
    },
    /// A value that a column cannot hold.
    #[error("{value} does not fit into the column {column:?}, which is of type {value_type}")]
    NoRoom {
        /// The column.
        column: String,
        /// The value.
        value: String,
        /// The column's type.
        value_type: ValueType,
    },
    /// A parameter without a value.
    #[error("the parameter {text} has no value: give it one")]
    NoValue {
        /// The parameter in the text.
        text: String,
        /// The name that its value goes by.
        name: String,
    },
    /// A value for a parameter that is not there.
    #[error("the statement has no parameter {name:?}{}", suggested(.nearest))]
    NoParameter {
        /// The name.
        name: String,
        /// A parameter with a similar name.
        nearest: Option<String>,
    },
    /// A parameter's value is no number of rows.
    #[error("{0:?} is no number of rows")]
    NoAmount(String),
    /// Values that cannot be compared.
    #[error("values of type {one} and of type {two} cannot be compared")]
    Types {
        /// The type of the one.
        one: ValueType,
        /// The type of the other.
        two: ValueType,
    },
    /// A function of a column whose type does not allow it.
    #[error("{function} needs numbers, and {column} is of type {value_type}")]
    NoNumbers {
        /// The function.
        function: &'static str,
        /// The column.
        column: String,
        /// Its type.
        value_type: ValueType,
    },
    /// A column that stands beside aggregates and is in no group.
    #[error("{0:?} has many values in a group: put it into GROUP BY, or into MIN or MAX")]
    NotGrouped(String),
    /// A row with too few or too many values.
    #[error("{columns} columns are named, and the row has {values} values")]
    Values {
        /// Columns.
        columns: usize,
        /// Values.
        values: usize,
    },
}

impl StatementError {
    /// A problem at a position.
    pub(crate) fn new(problem: Problem, position: Option<SourcePosition>) -> Self {
        Self { problem, position }
    }

    /// A part of SQL that is not executed.
    pub(crate) fn unsupported(
        construct: impl Into<String>,
        instead: &str,
        position: Option<SourcePosition>,
    ) -> Self {
        let problem = Problem::Unsupported { construct: construct.into(), instead: instead.to_owned() };
        Self { problem, position }
    }

    /// An expression that is not executed.
    pub(crate) fn computed(construct: String, position: Option<SourcePosition>) -> Self {
        Self::unsupported(construct, "use columns, values and parameters", position)
    }
}

impl SourcePosition {
    /// Where a part of the tree is.
    pub(crate) fn of(part: &impl Spanned) -> Option<Self> {
        Self::of_span(part.span())
    }

    /// Where a span of the text is; its first line when it has several.
    pub(crate) fn of_span(span: Span) -> Option<Self> {
        let mut position = Self::at(span.start)?;
        if span.end.line == span.start.line {
            position.chars = span.end.column.saturating_sub(span.start.column).max(1);
        }
        Some(position)
    }

    /// A single character; line 0 is nowhere.
    pub(crate) fn at(location: Location) -> Option<Self> {
        let Location { line, column } = location;
        (line > 0).then_some(Self { line, column, chars: 1 })
    }
}

fn at(position: &Option<SourcePosition>) -> String {
    position.map(|position| format!(" (at {position})")).unwrap_or_default()
}

fn suggested(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!("; did you mean {name:?}?")).unwrap_or_default()
}

impl fmt::Display for SourcePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, character {}", self.line, self.column)
    }
}
