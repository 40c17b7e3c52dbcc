//! A filter as text that reads back to the same filter.

use std::fmt::Display;

use super::comparison::{self, Pairing};
use super::keyword::Keyword;
use crate::filter::eval::{FilterError, FilterRun};
use crate::filter::{ColumnCondition, Comparator, CompareOp, Filter, ListOp};

/// Prints a filter. HBase understands the text as far as its language can express the filter; the additions are in
/// the module's description. A filter with arguments that make no sense has no text.
pub fn print(filter: &Filter) -> Result<Vec<u8>, FilterError> {
    FilterRun::new(filter, false)?;
    let mut text = Vec::new();
    print_filter(filter, &mut text);
    Ok(text)
}

fn print_filter(filter: &Filter, text: &mut Vec<u8>) {
    match filter {
        Filter::Skip(inner) => print_prefixed(Keyword::Skip, inner, text),
        Filter::While(inner) => print_prefixed(Keyword::While, inner, text),
        Filter::List(op, filters) => match (op, filters.as_slice()) {
            (_, []) => print_leaf(filter, text),
            (ListOp::All, [only]) => print_prefixed(Keyword::All, only, text),
            (ListOp::One, [only]) => print_prefixed(Keyword::One, only, text),
            (ListOp::All, filters) => print_joined(Keyword::And, filters, text),
            (ListOp::One, filters) => print_joined(Keyword::Or, filters, text),
        },
        leaf => print_leaf(leaf, text),
    }
}

fn print_prefixed(keyword: Keyword, inner: &Filter, text: &mut Vec<u8>) {
    text.extend_from_slice(keyword.text().as_bytes());
    text.push(b' ');
    print_operand(inner, text);
}

fn print_joined(keyword: Keyword, filters: &[Filter], text: &mut Vec<u8>) {
    for (at, filter) in filters.iter().enumerate() {
        if at > 0 {
            text.extend_from_slice(format!(" {} ", keyword.text()).as_bytes());
        }
        print_operand(filter, text);
    }
}

/// Everything with an operator in it gets parentheses, so that no two operators meet: HBase's parser cannot have that
/// inside of parentheses.
fn print_operand(filter: &Filter, text: &mut Vec<u8>) {
    let has_operator = match filter {
        Filter::Skip(_) | Filter::While(_) => true,
        Filter::List(_, filters) => !filters.is_empty(),
        _ => false,
    };
    if has_operator {
        text.push(b'(');
    }
    print_filter(filter, text);
    if has_operator {
        text.push(b')');
    }
}

fn print_leaf(filter: &Filter, text: &mut Vec<u8>) {
    text.extend_from_slice(name(filter).as_bytes());
    text.push(b'(');
    for (at, argument) in arguments(filter).iter().enumerate() {
        if at > 0 {
            text.extend_from_slice(b", ");
        }
        argument.print(text);
    }
    text.push(b')');
}

/// The name of a filter in the language.
fn name(filter: &Filter) -> &str {
    match filter {
        Filter::Prefix(_) => "PrefixFilter",
        Filter::Page(_) => "PageFilter",
        Filter::ColumnPrefix(_) => "ColumnPrefixFilter",
        Filter::MultipleColumnPrefix(_) => "MultipleColumnPrefixFilter",
        Filter::ColumnRange { .. } => "ColumnRangeFilter",
        Filter::ColumnPagination { .. } | Filter::ColumnPaginationFrom { .. } => "ColumnPaginationFilter",
        Filter::ColumnCountGet(_) => "ColumnCountGetFilter",
        Filter::FirstKeyOnly => "FirstKeyOnlyFilter",
        Filter::KeyOnly { .. } => "KeyOnlyFilter",
        Filter::Row(..) => "RowFilter",
        Filter::Family(..) => "FamilyFilter",
        Filter::Qualifier(..) => "QualifierFilter",
        Filter::Value(..) => "ValueFilter",
        Filter::SingleColumnValue(_) => "SingleColumnValueFilter",
        Filter::SingleColumnValueExclude(_) => "SingleColumnValueExcludeFilter",
        Filter::ColumnValue { .. } => "ColumnValueFilter",
        Filter::Timestamps { .. } => "TimestampsFilter",
        Filter::FuzzyRow(_) => "FuzzyRowFilter",
        Filter::MultiRowRange(_) => "MultiRowRangeFilter",
        Filter::InclusiveStop(_) => "InclusiveStopFilter",
        Filter::RandomRow(_) => "RandomRowFilter",
        Filter::Skip(_) => Keyword::Skip.text(),
        Filter::While(_) => Keyword::While.text(),
        Filter::DependentColumn { .. } => "DependentColumnFilter",
        Filter::List(..) => "FilterList",
        // These two have no text: they are refused before.
        Filter::FirstKeyValueMatchingQualifiers(_) => "FirstKeyValueMatchingQualifiersFilter",
        Filter::Other { class, .. } => class,
    }
}

/// One argument.
enum Argument<'a> {
    Quoted(&'a [u8]),
    Comparator(&'a Comparator),
    Bare(String),
}

use Argument::Quoted;

impl Argument<'_> {
    fn print(&self, text: &mut Vec<u8>) {
        match self {
            Self::Quoted(bytes) => quote(bytes, text),
            Self::Comparator(comparator) => quote(&comparison::print_comparator(comparator), text),
            Self::Bare(word) => text.extend_from_slice(word.as_bytes()),
        }
    }
}

fn quote(bytes: &[u8], text: &mut Vec<u8>) {
    text.push(b'\'');
    for &byte in bytes {
        if byte == b'\'' {
            text.push(b'\'');
        }
        text.push(byte);
    }
    text.push(b'\'');
}

fn bare<'a>(word: impl Display) -> Argument<'a> {
    Argument::Bare(word.to_string())
}

/// A bound of a column range: the language takes empty quotes for no bound.
fn bound(column: Option<&[u8]>) -> Argument<'_> {
    match column {
        Some([]) => bare("EMPTY"),
        column => Quoted(column.unwrap_or_default()),
    }
}

/// The arguments of a filter that has no filters inside.
fn arguments(filter: &Filter) -> Vec<Argument<'_>> {
    match filter {
        Filter::FirstKeyOnly
        | Filter::KeyOnly { length_as_value: false }
        | Filter::FirstKeyValueMatchingQualifiers(_)
        | Filter::Other { .. }
        | Filter::Skip(_)
        | Filter::While(_) => vec![],
        Filter::KeyOnly { length_as_value: true } => vec![bare(true)],
        Filter::Prefix(bytes) | Filter::ColumnPrefix(bytes) | Filter::InclusiveStop(bytes) => {
            vec![Quoted(bytes)]
        }
        Filter::MultipleColumnPrefix(prefixes) => prefixes.iter().map(|prefix| Quoted(prefix)).collect(),
        Filter::Page(rows) => vec![bare(rows)],
        Filter::ColumnCountGet(columns) => vec![bare(columns)],
        Filter::RandomRow(chance) => vec![bare(chance)],
        Filter::ColumnRange { min, min_inclusive, max, max_inclusive } => {
            vec![bound(min.as_deref()), bare(min_inclusive), bound(max.as_deref()), bare(max_inclusive)]
        }
        Filter::ColumnPagination { limit, offset } => vec![bare(limit), bare(offset)],
        Filter::ColumnPaginationFrom { limit, column } => vec![bare(limit), Quoted(column)],
        Filter::Row(op, value)
        | Filter::Family(op, value)
        | Filter::Qualifier(op, value)
        | Filter::Value(op, value) => compared(vec![], *op, value, Pairing::Sensible),
        Filter::SingleColumnValue(condition) | Filter::SingleColumnValueExclude(condition) => {
            condition_arguments(condition)
        }
        Filter::ColumnValue { family, qualifier, op, comparator } => {
            compared(vec![Quoted(family), Quoted(qualifier)], *op, comparator, Pairing::Sensible)
        }
        Filter::DependentColumn { family, qualifier, drop_dependent, value } => {
            let column = vec![Quoted(family), Quoted(qualifier), bare(drop_dependent)];
            match value {
                None => column,
                Some((op, value)) => compared(column, *op, value, Pairing::Any),
            }
        }
        Filter::Timestamps { timestamps, can_hint } => {
            timestamps.iter().map(bare).chain(can_hint.then(|| bare(true))).collect()
        }
        Filter::FuzzyRow(pairs) => pairs.iter().flat_map(|(key, mask)| [Quoted(key), Quoted(mask)]).collect(),
        Filter::MultiRowRange(ranges) => {
            let bounds = ranges.iter().map(|range| {
                let start = [Quoted(&range.start), bare(range.start_inclusive)];
                start.into_iter().chain([Quoted(&range.stop), bare(range.stop_inclusive)])
            });
            bounds.flatten().collect()
        }
        Filter::List(ListOp::All, _) => vec![bare("ALL")],
        Filter::List(ListOp::One, _) => vec![bare("ONE")],
    }
}

fn compared<'a>(
    mut before: Vec<Argument<'a>>,
    op: CompareOp,
    value: &'a Comparator,
    pairing: Pairing,
) -> Vec<Argument<'a>> {
    before.extend([bare(comparison::print_operator(op, value, pairing)), Argument::Comparator(value)]);
    before
}

fn condition_arguments(condition: &ColumnCondition) -> Vec<Argument<'_>> {
    let column = vec![Quoted(&condition.family), Quoted(&condition.qualifier)];
    let mut all = compared(column, condition.op, &condition.comparator, Pairing::Sensible);
    all.extend([bare(condition.filter_if_missing), bare(condition.latest_version_only)]);
    all
}
