//! HBase's language alone, without our additions: what HBase's shell refuses is refused.

use super::error::{ParseError, Problem};
use crate::filter::{Comparator, Filter};

/// Reads a filter as HBase's shell does.
pub fn parse_hbase(text: &[u8]) -> Result<Filter, ParseError> {
    let filter = super::parse(text)?;
    match addition(&filter) {
        Some(what) => Err(Problem::NotInHBase { what }.at(0)),
        None => Ok(filter),
    }
}

/// What of a filter HBase's language cannot say.
fn addition(filter: &Filter) -> Option<&'static str> {
    match filter {
        Filter::FuzzyRow(_) => Some("FuzzyRowFilter"),
        Filter::MultiRowRange(_) => Some("MultiRowRangeFilter"),
        Filter::RandomRow(_) => Some("RandomRowFilter"),
        Filter::ColumnPaginationFrom { .. } => Some("ColumnPaginationFilter from a column on"),
        Filter::Timestamps { can_hint: true, .. } => Some("TimestampsFilter with hints"),
        Filter::ColumnRange { min, max, .. }
            if [min, max].into_iter().flatten().any(|end| end.is_empty()) =>
        {
            Some("the word EMPTY")
        }
        Filter::Row(_, value)
        | Filter::Family(_, value)
        | Filter::Qualifier(_, value)
        | Filter::Value(_, value) => comparator_addition(value),
        Filter::SingleColumnValue(condition) | Filter::SingleColumnValueExclude(condition) => {
            comparator_addition(&condition.comparator)
        }
        Filter::ColumnValue { comparator, .. } => comparator_addition(comparator),
        Filter::DependentColumn { value: Some((_, comparator)), .. } => comparator_addition(comparator),
        Filter::Skip(inner) | Filter::While(inner) => addition(inner),
        Filter::List(_, filters) => match filters.as_slice() {
            [] | [_] => Some("a list of fewer than two filters"),
            filters => filters.iter().find_map(addition),
        },
        _ => None,
    }
}

fn comparator_addition(comparator: &Comparator) -> Option<&'static str> {
    match comparator {
        Comparator::Null => Some("the comparator null"),
        Comparator::Long(_) => Some("the comparator long"),
        Comparator::Bit { .. } => Some("a bit comparator"),
        Comparator::BinaryComponent { .. } => Some("a comparator of a part"),
        Comparator::BigDecimal { .. } => Some("a comparator of decimal numbers"),
        Comparator::Binary(_)
        | Comparator::BinaryPrefix(_)
        | Comparator::Substring(_)
        | Comparator::Regex { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn additions_are_refused_at_any_depth() {
        for text in [
            "RandomRowFilter(0.5)",
            "ValueFilter(=, 'null:')",
            "SKIP ValueFilter(=, 'long:5')",
            "PageFilter(1) AND FuzzyRowFilter('ab', '\x00\x01')",
        ] {
            assert!(super::super::parse(text.as_bytes()).is_ok(), "{text}");
            assert!(parse_hbase(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn what_hbase_takes_is_taken() {
        for text in [
            "PrefixFilter('a') AND ValueFilter(=, 'binary:x')",
            "WHILE PageFilter(3)",
            "TimestampsFilter(1, 2)",
        ] {
            assert_eq!(parse_hbase(text.as_bytes()), super::super::parse(text.as_bytes()));
        }
    }
}
