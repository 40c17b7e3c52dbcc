//! Filters: what is evaluated beside the data, so that only what is wanted travels.
//!
//! A [`Filter`] is a plain value with HBase's meaning.

use std::ops::BitOr;

use bytes::Bytes;

use crate::Timestamp;

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

/// Flags of a regular expression, as Java's `Pattern` numbers them. Combine them with `|`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RegexFlags(pub i32);

impl RegexFlags {
    /// None at all: a dot does not fit the end of a line.
    pub const NONE: Self = Self(0);
    /// In any case, of ASCII letters.
    pub const CASE_INSENSITIVE: Self = Self(2);
    /// `^` and `$` fit at the ends of each line.
    pub const MULTILINE: Self = Self(8);
    /// A dot fits the end of a line too. HBase's default.
    pub const DOT_ALL: Self = Self(32);
    /// Together with [`Self::CASE_INSENSITIVE`]: in any case, of all letters.
    pub const UNICODE_CASE: Self = Self(64);
}

impl BitOr for RegexFlags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What a value is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Comparator {
    /// Byte by byte.
    Binary(Bytes),
    /// Byte by byte, as far as these bytes go.
    BinaryPrefix(Bytes),
    /// These bytes with those at an offset of the value.
    BinaryComponent {
        /// These bytes.
        bytes: Bytes,
        /// Where they are in the value.
        offset: u32,
    },
    /// As a decimal number of any size, in HBase's encoding of Java's `BigDecimal`.
    BigDecimal {
        /// The digits without the point: big-endian, two's complement, at least one byte.
        unscaled: Bytes,
        /// How many of the digits stand behind the point.
        scale: i32,
    },
    /// Whether it contains this text, in any case.
    Substring(String),
    /// Whether a pattern of `java.util.regex` is found in it.
    Regex {
        /// The pattern.
        pattern: String,
        /// How it is read.
        flags: RegexFlags,
        /// The character set of the value, by Java's name.
        charset: String,
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

impl Comparator {
    /// A pattern in UTF-8 text whose dot fits everything, as HBase has it when nothing else is said.
    pub fn regex(pattern: impl Into<String>) -> Self {
        Self::Regex { pattern: pattern.into(), flags: RegexFlags::DOT_ALL, charset: "UTF-8".to_owned() }
    }

    /// The same in any case, of ASCII letters.
    pub fn regex_in_any_case(pattern: impl Into<String>) -> Self {
        let flags = RegexFlags::DOT_ALL | RegexFlags::CASE_INSENSITIVE;
        Self::Regex { pattern: pattern.into(), flags, charset: "UTF-8".to_owned() }
    }

    /// The decimal number `unscaled` × 10^-`scale`.
    pub fn decimal(unscaled: i128, scale: i32) -> Self {
        let bytes = unscaled.to_be_bytes();
        let sign = if unscaled < 0 { 0xFF } else { 0 };
        // Bytes that only repeat the sign are left out, as Java does, as long as the first one kept shows it.
        let repeated = (bytes.iter().zip(bytes.iter().skip(1)))
            .take_while(|(first, second)| **first == sign && (**second & 0x80) == (sign & 0x80))
            .count();
        Self::BigDecimal { unscaled: Bytes::copy_from_slice(bytes.get(repeated..).unwrap_or(&bytes)), scale }
    }
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

/// The filters that HBase ships, and [`Filter::Other`] for a cluster's own.
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
    /// The first cells of each row, up to the first column that has one of these qualifiers.
    FirstKeyValueMatchingQualifiers(Vec<Bytes>),
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
    /// A filter of the cluster's own, installed on its servers.
    Other {
        /// The full name of its class.
        class: String,
        /// What its `toByteArray` gives.
        serialized: Bytes,
    },
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
