//! What is wrong with the text of a filter, and where.

use crate::filter::eval::FilterError;

/// The text is not a filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem} (at byte {offset} of the filter)")]
pub struct ParseError {
    /// The byte at which it was noticed, counted from 0.
    pub offset: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// What can be wrong with the text of a filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Nothing but blanks and parentheses.
    #[error("expected a filter such as PrefixFilter('abc'), found none")]
    NoFilter,
    /// Two filters without an operator between them.
    #[error("expected AND or OR between two filters")]
    NoOperatorBetween,
    /// An operator without what it works on.
    #[error("{operator} needs {needed}")]
    OperandMissing {
        /// The operator.
        operator: &'static str,
        /// What it needs.
        needed: &'static str,
    },
    /// A parenthesis closes nothing, or closes where an operator inside still waits.
    #[error(
        "the parenthesis does not match an open one, or closes over operators of different kinds: put \
         parentheses around each of them"
    )]
    Parenthesis,
    /// A parenthesis closes nothing, and two operators wait before it.
    #[error("the parenthesis does not match an open one")]
    OperatorLost,
    /// The argument list does not end.
    #[error("expected a closing parenthesis after the arguments of a filter, found the end")]
    OpenArguments,
    /// A filter without arguments in parentheses.
    #[error("expected the arguments of the filter in parentheses")]
    NoArguments,
    /// A text does not end.
    #[error("expected a closing quote")]
    OpenQuote,
    /// There is no such filter.
    #[error("there is no filter named {name}")]
    UnknownFilter {
        /// The name.
        name: String,
    },
    /// Too many or too few arguments.
    #[error("{filter} takes {expected}, found {found}")]
    ArgumentCount {
        /// The filter.
        filter: &'static str,
        /// How many it takes, in words.
        expected: &'static str,
        /// How many there are.
        found: usize,
    },
    /// An argument is of another kind.
    #[error("expected {expected}, found {found}")]
    Argument {
        /// What is expected.
        expected: &'static str,
        /// What there is.
        found: String,
    },
    /// An operator that such a comparator cannot serve.
    #[error("a substring or pattern is compared with = and != only")]
    OperatorForText,
    /// One of our additions, where HBase's language is asked for.
    #[error("HBase's filter language has no {what}")]
    NotInHBase {
        /// What it has not.
        what: &'static str,
    },
    /// The filter's own checks refuse the arguments.
    #[error("{0}")]
    Filter(#[from] FilterError),
}

impl Problem {
    /// The error of this problem at a byte.
    pub(super) fn at(self, offset: usize) -> ParseError {
        ParseError { offset, problem: self }
    }
}

impl ParseError {
    /// The name of the exception that HBase throws for such a text. It is the same for nearly all: its parser wraps
    /// what the filters' constructors throw.
    pub fn exception(&self) -> &'static str {
        match self.problem {
            Problem::OperatorLost => "EmptyStackException",
            _ => "IllegalArgumentException",
        }
    }
}
