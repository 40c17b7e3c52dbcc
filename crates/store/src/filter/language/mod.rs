//! The filter language: the text that people write after `FILTER` in HBase's shell.
//!
//! ```text
//! filter  = Name ( argument, … )                      PrefixFilter('abc')
//!         | SKIP filter | WHILE filter                bind strongest
//!         | filter AND filter                         then this
//!         | filter OR filter                          then this
//!         | ( filter )
//! argument = 'text' | number | true | false | < | <= | = | != | >= | >
//! ```
//!
//! Text is bytes; a quote in it is written twice, everything else stands for itself. A value to compare with names its
//! comparator: `'binary:abc'`, `'binaryprefix:abc'`, `'substring:abc'`, `'regexstring:a.c'`, `'regexstringnocase:a.c'`.
//!
//! What HBase's parser takes means here what it means there, and what it refuses is refused, down to its oddities: the
//! byte behind a closing quote is not looked at, an open parenthesis need not be closed, an AND or OR that waits for
//! another operator inside parentheses is lost and the text refused: `(a AND SKIP b)`.
//!
//! So that every [`Filter`] can be written, the language has these additions, each of which HBase refuses:
//!
//! | text | meaning |
//! |---|---|
//! | `'null:'`, `'long:5'`, `'bitand:…'`, `'bitor:…'`, `'bitxor:…'` | the other comparators |
//! | `LESS`, `LESS_OR_EQUAL`, `EQUAL`, `NOT_EQUAL`, `GREATER_OR_EQUAL`, `GREATER`, `NO_OP` | operators as words, which go with every comparator; signs other than `=` and `!=` do not go with a substring or pattern |
//! | `FuzzyRowFilter('key', 'mask', …)` | bytes 0 (must fit) and 1 (anything) in the mask |
//! | `MultiRowRangeFilter('start', true, 'stop', false, …)` | `true`: that row belongs to the range |
//! | `RandomRowFilter(0.5)` | |
//! | `ColumnPaginationFilter(5, 'column')` | from a column on |
//! | `TimestampsFilter(1, 2, true)` | may jump |
//! | `ColumnRangeFilter(EMPTY, …)` | the empty qualifier as a bound, whereas `''` leaves that end open |
//! | `ALL filter`, `ONE filter` | a list (AND, OR) of one; they bind as SKIP does |
//! | `FilterList(ALL)`, `FilterList(ONE)` | a list of none |

mod arguments;
mod comparison;
mod error;
mod expression;
mod keyword;
mod print;
mod registry;
mod strict;
#[cfg(test)]
mod tests;

pub use error::{ParseError, Problem};
pub use print::print;
pub use strict::parse_hbase;

use super::Filter;

/// Reads a filter, additions included; [`parse_hbase`] leaves them out.
pub fn parse(text: &[u8]) -> Result<Filter, ParseError> {
    expression::parse(text)
}
