//! Why a filter cannot run.

/// What is wrong with a filter's arguments. HBase refuses the same with an `IllegalArgumentException`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FilterError {
    /// A pattern is not a regular expression that can be run.
    #[error("the pattern {pattern} is not a regular expression: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A number is greater than HBase's integers.
    #[error("{what} is at most {max}, this one is {number}")]
    NumberTooLarge {
        /// What the number is.
        what: &'static str,
        /// The number.
        number: u64,
        /// The greatest that is allowed.
        max: u64,
    },
    /// A timestamp is below zero.
    #[error("a timestamp is not negative: {timestamp}")]
    NegativeTimestamp {
        /// The timestamp.
        timestamp: i64,
    },
    /// The same prefix is given twice.
    #[error("the column prefixes of a filter must be distinct, {prefix} is repeated")]
    RepeatedPrefix {
        /// The prefix.
        prefix: String,
    },
    /// A fuzzy filter without a pattern.
    #[error("a fuzzy row filter needs at least one pattern")]
    NoPatterns,
    /// The key of a pattern and its mask differ in length.
    #[error("the key of a fuzzy pattern and its mask have the same length, {key} and {mask} have not")]
    MaskLength {
        /// The key.
        key: String,
        /// The mask.
        mask: String,
    },
    /// A filter of ranges without a range.
    #[error("a filter of row ranges needs at least one range")]
    NoRanges,
    /// A range ends before it starts.
    #[error("the row range from {start} to {stop} holds no row")]
    RangeBackwards {
        /// The first row.
        start: String,
        /// The last row.
        stop: String,
    },
    /// The operator that compares nothing, where something must be compared.
    #[error("a filter on the value of a single column needs an operator that compares")]
    NoOperator,
    /// A filter or comparator of HBase that is not evaluated here.
    #[error("{what} is evaluated by HBase alone")]
    Unsupported {
        /// What it is.
        what: String,
    },
    /// Filters stand inside each other too deep.
    #[error("filters stand inside each other at most {max} deep")]
    TooDeep {
        /// The deepest that is allowed.
        max: usize,
    },
}

impl FilterError {
    /// Refuses a number above `max`.
    pub(super) fn check_number(what: &'static str, number: u64, max: u64) -> Result<(), Self> {
        if number > max { Err(Self::NumberTooLarge { what, number, max }) } else { Ok(()) }
    }
}
