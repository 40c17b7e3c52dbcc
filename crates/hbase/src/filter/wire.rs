//! Filters.

use bytes::Bytes;
use hbase_types::{ColumnCondition, Comparator, CompareOp, Filter, ListOp, RowRange};
use prost::Message;

use super::{class_name, comparator_to_pb, compare_type};
use crate::pb;

/// A filter's message.
pub(crate) fn to_pb(filter: &Filter) -> pb::Filter {
    let (name, serialized) = named_message(filter);
    pb::Filter { name, serialized_filter: Some(serialized) }
}

/// The full name of the class and the filter's own message. One line a filter: a match that names them all.
fn named_message(filter: &Filter) -> (String, Bytes) {
    match filter {
        Filter::ColumnCountGet(limit) => shipped("ColumnCountGetFilter", column_count(*limit)),
        Filter::ColumnPagination { limit, offset } => {
            shipped("ColumnPaginationFilter", column_pagination(*limit, Some(*offset), None))
        }
        Filter::ColumnPaginationFrom { limit, column } => {
            shipped("ColumnPaginationFilter", column_pagination(*limit, None, Some(column)))
        }
        Filter::ColumnPrefix(prefix) => {
            shipped("ColumnPrefixFilter", pb::ColumnPrefixFilter { prefix: prefix.clone() })
        }
        Filter::ColumnRange { min, min_inclusive, max, max_inclusive } => {
            shipped("ColumnRangeFilter", column_range((min, *min_inclusive), (max, *max_inclusive)))
        }
        Filter::ColumnValue { family, qualifier, op, comparator } => {
            shipped("ColumnValueFilter", column_value(family, qualifier, *op, comparator))
        }
        Filter::DependentColumn { family, qualifier, drop_dependent, value } => {
            let message = dependent_column(family, qualifier, *drop_dependent, value.as_ref());
            shipped("DependentColumnFilter", message)
        }
        Filter::Family(op, comparator) => shipped("FamilyFilter", comparing(*op, comparator)),
        Filter::FirstKeyOnly => shipped("FirstKeyOnlyFilter", pb::FirstKeyOnlyFilter {}),
        Filter::FirstKeyValueMatchingQualifiers(qualifiers) => {
            let qualifiers = qualifiers.clone();
            shipped("FirstKeyValueMatchingQualifiersFilter", matching_qualifiers(qualifiers))
        }
        Filter::FuzzyRow(patterns) => shipped("FuzzyRowFilter", fuzzy_row(patterns)),
        Filter::InclusiveStop(row) => {
            shipped("InclusiveStopFilter", pb::InclusiveStopFilter { stop_row_key: Some(row.clone()) })
        }
        Filter::KeyOnly { length_as_value } => {
            shipped("KeyOnlyFilter", pb::KeyOnlyFilter { len_as_val: *length_as_value })
        }
        Filter::List(op, filters) => shipped("FilterList", list(*op, filters)),
        Filter::MultiRowRange(ranges) => shipped("MultiRowRangeFilter", multi_row_range(ranges)),
        Filter::MultipleColumnPrefix(prefixes) => {
            shipped("MultipleColumnPrefixFilter", column_prefixes(prefixes.clone()))
        }
        Filter::Page(rows) => shipped("PageFilter", page(*rows)),
        Filter::Prefix(prefix) => shipped("PrefixFilter", pb::PrefixFilter { prefix: Some(prefix.clone()) }),
        Filter::Qualifier(op, comparator) => shipped("QualifierFilter", comparing(*op, comparator)),
        Filter::RandomRow(chance) => shipped("RandomRowFilter", pb::RandomRowFilter { chance: *chance }),
        Filter::Row(op, comparator) => shipped("RowFilter", comparing(*op, comparator)),
        Filter::SingleColumnValue(condition) => shipped("SingleColumnValueFilter", single_column(condition)),
        Filter::SingleColumnValueExclude(condition) => {
            shipped("SingleColumnValueExcludeFilter", single_column_exclude(condition))
        }
        Filter::Skip(filter) => shipped("SkipFilter", pb::WrappingFilter { filter: to_pb(filter) }),
        Filter::Timestamps { timestamps, can_hint } => {
            shipped("TimestampsFilter", times(timestamps.clone(), *can_hint))
        }
        Filter::Value(op, comparator) => shipped("ValueFilter", comparing(*op, comparator)),
        Filter::While(filter) => shipped("WhileMatchFilter", pb::WrappingFilter { filter: to_pb(filter) }),
        Filter::Other { class, serialized } => (class.clone(), serialized.clone()),
    }
}

/// A filter that HBase ships.
fn shipped(class: &str, message: impl Message) -> (String, Bytes) {
    (class_name(class), message.encode_to_vec().into())
}

fn column_count(limit: u32) -> pb::ColumnCountGetFilter {
    pb::ColumnCountGetFilter { limit: as_int(limit) }
}

fn column_pagination(limit: u32, offset: Option<u32>, column: Option<&Bytes>) -> pb::ColumnPaginationFilter {
    pb::ColumnPaginationFilter {
        limit: as_int(limit),
        offset: offset.map(as_int),
        column_offset: column.cloned(),
    }
}

fn column_range(min: (&Option<Bytes>, bool), max: (&Option<Bytes>, bool)) -> pb::ColumnRangeFilter {
    pb::ColumnRangeFilter {
        min_column: min.0.clone(),
        min_column_inclusive: Some(min.1),
        max_column: max.0.clone(),
        max_column_inclusive: Some(max.1),
    }
}

fn column_value(
    family: &Bytes,
    qualifier: &Bytes,
    op: CompareOp,
    comparator: &Comparator,
) -> pb::ColumnValueFilter {
    pb::ColumnValueFilter {
        family: family.clone(),
        qualifier: qualifier.clone(),
        compare_op: compare_type(op).into(),
        comparator: comparator_to_pb(comparator),
    }
}

fn column_prefixes(mut prefixes: Vec<Bytes>) -> pb::MultipleColumnPrefixFilter {
    prefixes.sort_unstable();
    pb::MultipleColumnPrefixFilter { sorted_prefixes: prefixes }
}

fn comparing(op: CompareOp, comparator: &Comparator) -> pb::ComparingFilter {
    pb::ComparingFilter { compare_filter: comparison(op, Some(comparator)) }
}

fn matching_qualifiers(qualifiers: Vec<Bytes>) -> pb::FirstKeyValueMatchingQualifiersFilter {
    pb::FirstKeyValueMatchingQualifiersFilter { qualifiers }
}

fn page(rows: u64) -> pb::PageFilter {
    pb::PageFilter { page_size: i64::try_from(rows).unwrap_or(i64::MAX) }
}

fn times(timestamps: Vec<i64>, can_hint: bool) -> pb::TimestampsFilter {
    pb::TimestampsFilter { timestamps, can_hint: Some(can_hint) }
}

/// HBase counts in signed numbers. A limit beyond them is none in effect, since no row has so many columns.
fn as_int(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

fn comparison(op: CompareOp, comparator: Option<&Comparator>) -> pb::CompareFilter {
    pb::CompareFilter { compare_op: compare_type(op).into(), comparator: comparator.map(comparator_to_pb) }
}

fn dependent_column(
    family: &Bytes,
    qualifier: &Bytes,
    drop_dependent: bool,
    value: Option<&(CompareOp, Comparator)>,
) -> pb::DependentColumnFilter {
    let compare_filter = match value {
        Some((op, comparator)) => comparison(*op, Some(comparator)),
        None => comparison(CompareOp::NoOp, None),
    };
    pb::DependentColumnFilter {
        compare_filter,
        column_family: Some(family.clone()),
        column_qualifier: Some(qualifier.clone()),
        drop_dependent_column: Some(drop_dependent),
    }
}

fn single_column(condition: &ColumnCondition) -> pb::SingleColumnValueFilter {
    pb::SingleColumnValueFilter {
        column_family: Some(condition.family.clone()),
        column_qualifier: Some(condition.qualifier.clone()),
        compare_op: compare_type(condition.op).into(),
        comparator: comparator_to_pb(&condition.comparator),
        filter_if_missing: Some(condition.filter_if_missing),
        latest_version_only: Some(condition.latest_version_only),
    }
}

fn single_column_exclude(condition: &ColumnCondition) -> pb::SingleColumnValueExcludeFilter {
    pb::SingleColumnValueExcludeFilter { single_column_value_filter: single_column(condition) }
}

fn list(op: ListOp, filters: &[Filter]) -> pb::FilterList {
    let operator = match op {
        ListOp::All => pb::filter_list::Operator::MustPassAll,
        ListOp::One => pb::filter_list::Operator::MustPassOne,
    };
    pb::FilterList { operator: operator.into(), filters: filters.iter().map(to_pb).collect() }
}

fn multi_row_range(ranges: &[RowRange]) -> pb::MultiRowRangeFilter {
    pb::MultiRowRangeFilter { row_range_list: ranges.iter().map(row_range).collect() }
}

fn row_range(range: &RowRange) -> pb::RowRange {
    pb::RowRange {
        start_row: Some(range.start.clone()),
        start_row_inclusive: Some(range.start_inclusive),
        stop_row: Some(range.stop.clone()),
        stop_row_inclusive: Some(range.stop_inclusive),
    }
}

fn fuzzy_row(patterns: &[(Bytes, Bytes)]) -> pb::FuzzyRowFilter {
    pb::FuzzyRowFilter {
        fuzzy_keys_data: patterns.iter().map(fuzzy_pattern).collect(),
        is_mask_v2: Some(true),
    }
}

/// A pattern with its mask.
///
/// Servers work with a mask of their own (255: must fit; 0 in old versions, 2 in new ones: anything) and take a mask
/// that has no other bytes for one of that kind. One of zeroes alone, which says that the whole key must fit, would be
/// taken by an old server for "anything": it is sent in the servers' kind, which old and new ones read alike.
fn fuzzy_pattern((key, mask): &(Bytes, Bytes)) -> pb::BytesBytesPair {
    let all_fixed = mask.iter().all(|byte| *byte == 0);
    let mask = if all_fixed { vec![0xFF; mask.len()].into() } else { mask.clone() };
    pb::BytesBytesPair { first: key.clone(), second: mask }
}
