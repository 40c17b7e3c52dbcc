//! Filters: what a store evaluates beside its data, so that only what is wanted travels.
//!
//! A [`Filter`] is a plain value with HBase's meaning. [`language`] reads and prints the text people write after
//! `FILTER` in HBase's shell; [`eval`] runs a filter over rows and cells.

pub mod eval;
pub mod language;
#[cfg(test)]
mod testing;

use bytes::Bytes;
use tablesmith_model::Timestamp;

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `>=`
    GreaterOrEqual,
    /// `>`
    Greater,
    /// Nothing compares so.
    NoOp,
}

/// The bit operation of [`Comparator::Bit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitOp {
    /// Both.
    And,
    /// Either.
    Or,
    /// One, not both.
    Xor,
}

/// What a value is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Comparator {
    /// Byte by byte.
    Binary(Bytes),
    /// Byte by byte, as far as these bytes go.
    BinaryPrefix(Bytes),
    /// Whether it contains this text, in any case.
    Substring(String),
    /// Whether the pattern is found in it.
    Regex {
        /// The pattern.
        pattern: String,
        /// In any case.
        ignore_case: bool,
    },
    /// Whether the bits combined with these of the same length are not all zero.
    Bit {
        /// How they are combined.
        op: BitOp,
        /// These bits.
        bytes: Bytes,
    },
    /// Whether there is none. No cell fits; a check-and-mutate asks whether the value is missing or empty.
    Null,
    /// As an 8-byte big-endian integer.
    Long(i64),
}

/// How the filters of a list work together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListOp {
    /// All must pass (AND).
    All,
    /// One must pass (OR).
    One,
}

/// A range of row keys, for [`Filter::MultiRowRange`]. An empty key leaves its end open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowRange {
    /// The first row.
    pub start: Bytes,
    /// Whether it belongs to the range.
    pub start_inclusive: bool,
    /// The last row.
    pub stop: Bytes,
    /// Whether it belongs to the range.
    pub stop_inclusive: bool,
}

/// HBase's filters.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// Rows whose key begins so.
    Prefix(Bytes),
    /// So many rows of each region.
    Page(u64),
    /// Columns whose qualifier begins so.
    ColumnPrefix(Bytes),
    /// Columns whose qualifier begins with one of these.
    MultipleColumnPrefix(Vec<Bytes>),
    /// Columns from one qualifier to another; `None` leaves that end open.
    ColumnRange {
        /// The first qualifier.
        min: Option<Bytes>,
        /// Whether it belongs to the range.
        min_inclusive: bool,
        /// The last qualifier.
        max: Option<Bytes>,
        /// Whether it belongs to the range.
        max_inclusive: bool,
    },
    /// So many columns of each row, after some are left out by count.
    ColumnPagination {
        /// So many.
        limit: u32,
        /// Left out.
        offset: u32,
    },
    /// So many columns of each row, from a qualifier on.
    ColumnPaginationFrom {
        /// So many.
        limit: u32,
        /// The first.
        column: Bytes,
    },
    /// The first so many columns of a row, then nothing more.
    ColumnCountGet(u32),
    /// The first cell of each row.
    FirstKeyOnly,
    /// Cells without their value, or with its length in place of it.
    KeyOnly {
        /// The length as four bytes instead of nothing.
        length_as_value: bool,
    },
    /// Rows whose key compares so.
    Row(CompareOp, Comparator),
    /// Cells whose family compares so.
    Family(CompareOp, Comparator),
    /// Cells whose qualifier compares so.
    Qualifier(CompareOp, Comparator),
    /// Cells whose value compares so.
    Value(CompareOp, Comparator),
    /// Rows in which a column's value compares so.
    SingleColumnValue(ColumnCondition),
    /// The same, without that column in the answer.
    SingleColumnValueExclude(ColumnCondition),
    /// The one column, if its value compares so.
    ColumnValue {
        /// The family.
        family: Bytes,
        /// The column.
        qualifier: Bytes,
        /// The operator.
        op: CompareOp,
        /// The value.
        comparator: Comparator,
    },
    /// Cells of exactly these times.
    Timestamps {
        /// The times.
        timestamps: Vec<Timestamp>,
        /// Whether the reader may jump to the next of them.
        can_hint: bool,
    },
    /// Rows whose key fits a pattern: a key and, for each of its bytes, 0 if it must fit or 1 if it may be anything.
    FuzzyRow(Vec<(Bytes, Bytes)>),
    /// Rows in one of these ranges.
    MultiRowRange(Vec<RowRange>),
    /// Rows up to this one, which belongs to them.
    InclusiveStop(Bytes),
    /// Each row with this chance.
    RandomRow(f32),
    /// Leaves out a whole row when the filter would leave out any cell of it.
    Skip(Box<Filter>),
    /// Ends at the first thing the filter would leave out.
    While(Box<Filter>),
    /// Cells whose timestamp is that of another column in the row.
    DependentColumn {
        /// The other column's family.
        family: Bytes,
        /// The other column.
        qualifier: Bytes,
        /// Leave the other column itself out.
        drop_dependent: bool,
        /// What the other column's value must be, if anything.
        value: Option<(CompareOp, Comparator)>,
    },
    /// Several filters together.
    List(ListOp, Vec<Filter>),
}

/// What [`Filter::SingleColumnValue`] wants of a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ColumnCondition {
    /// The family.
    pub family: Bytes,
    /// The column.
    pub qualifier: Bytes,
    /// The operator.
    pub op: CompareOp,
    /// The value.
    pub comparator: Comparator,
    /// Leave out rows that do not have the column.
    pub filter_if_missing: bool,
    /// Look at the newest version only.
    pub latest_version_only: bool,
}
