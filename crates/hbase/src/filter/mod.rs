//! Filters: what a region server evaluates beside its data, so that only what is wanted travels.

mod comparator;
#[cfg(test)]
mod tests;
mod wire;

use bytes::Bytes;

pub use comparator::{BitOp, Comparator, CompareOp, RegexFlags};

/// The filters that HBase ships, and [`Filter::Other`] for a cluster's own.
///
/// A filter is sent as it is; what makes no sense (a range that ends before it starts, a pattern that is none) is
/// refused by the server.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// The first so many columns of a row, then nothing more.
    ColumnCountGet(u32),
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
    /// Columns whose qualifier begins so.
    ColumnPrefix(Bytes),
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
    /// Cells whose family compares so.
    Family(CompareOp, Comparator),
    /// The first cell of each row.
    FirstKeyOnly,
    /// The first cells of each row, up to the first column that has one of these qualifiers.
    FirstKeyValueMatchingQualifiers(Vec<Bytes>),
    /// Rows whose key fits a pattern: a key and, for each of its bytes, 0 if it must fit or 1 if it may be anything.
    FuzzyRow(Vec<(Bytes, Bytes)>),
    /// Rows up to this one, which belongs to them.
    InclusiveStop(Bytes),
    /// Cells without their value, or with its length in place of it.
    KeyOnly {
        /// The length as four bytes instead of nothing.
        length_as_value: bool,
    },
    /// Several filters together.
    List(ListOp, Vec<Filter>),
    /// Rows in one of these ranges.
    MultiRowRange(Vec<RowRange>),
    /// Columns whose qualifier begins with one of these.
    MultipleColumnPrefix(Vec<Bytes>),
    /// So many rows of each region.
    Page(u64),
    /// Rows whose key begins so.
    Prefix(Bytes),
    /// Cells whose qualifier compares so.
    Qualifier(CompareOp, Comparator),
    /// Each row with this chance.
    RandomRow(f32),
    /// Rows whose key compares so.
    Row(CompareOp, Comparator),
    /// Rows in which a column's value compares so.
    SingleColumnValue(ColumnCondition),
    /// The same, without that column in the answer.
    SingleColumnValueExclude(ColumnCondition),
    /// Leaves out a whole row when the filter would leave out any cell of it.
    Skip(Box<Filter>),
    /// Cells of exactly these times.
    Timestamps {
        /// The times.
        timestamps: Vec<i64>,
        /// Whether the server may jump to the next of them.
        can_hint: bool,
    },
    /// Cells whose value compares so.
    Value(CompareOp, Comparator),
    /// Ends at the first thing the filter would leave out.
    While(Box<Filter>),
    /// A filter of the cluster's own, installed on its servers.
    Other {
        /// The full name of its class.
        class: String,
        /// What its `toByteArray` gives.
        serialized: Bytes,
    },
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

/// The full name of a filter's or comparator's class.
fn class_name(class: &str) -> String {
    format!("org.apache.hadoop.hbase.filter.{class}")
}
