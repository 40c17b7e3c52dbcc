//! What was encoded, decoded again.

use bytes::Bytes;
use hbase_types::{ColumnCondition, Comparator, CompareOp, Filter, ListOp, RowRange};
use prost::Message;

use super::{comparator_to_pb, to_pb};
use crate::pb;

fn decoded<M: Message + Default>(filter: &Filter, class: &str) -> M {
    let message = to_pb(filter);
    assert_eq!(message.name, format!("org.apache.hadoop.hbase.filter.{class}"));
    M::decode(message.serialized_filter.unwrap()).unwrap()
}

fn binary(text: &'static str) -> Comparator {
    Comparator::Binary(text.into())
}

#[test]
fn filters_of_columns() {
    let message: pb::ColumnCountGetFilter = decoded(&Filter::ColumnCountGet(3), "ColumnCountGetFilter");
    assert_eq!(message.limit, 3);
    let message: pb::ColumnCountGetFilter =
        decoded(&Filter::ColumnCountGet(u32::MAX), "ColumnCountGetFilter");
    assert_eq!(message.limit, i32::MAX);
    let by_count = Filter::ColumnPagination { limit: 2, offset: 0 };
    let message: pb::ColumnPaginationFilter = decoded(&by_count, "ColumnPaginationFilter");
    assert_eq!((message.limit, message.offset, message.column_offset), (2, Some(0), None));
    let from = Filter::ColumnPaginationFrom { limit: 2, column: "".into() };
    let message: pb::ColumnPaginationFilter = decoded(&from, "ColumnPaginationFilter");
    assert_eq!((message.limit, message.offset, message.column_offset), (2, None, Some(Bytes::new())));
    let message: pb::ColumnPrefixFilter = decoded(&Filter::ColumnPrefix("p".into()), "ColumnPrefixFilter");
    assert_eq!(message.prefix, "p");
    let prefixes = Filter::MultipleColumnPrefix(vec!["b".into(), "a".into()]);
    let message: pb::MultipleColumnPrefixFilter = decoded(&prefixes, "MultipleColumnPrefixFilter");
    assert_eq!(message.sorted_prefixes, ["a", "b"]);
    let range =
        Filter::ColumnRange { min: Some("a".into()), min_inclusive: false, max: None, max_inclusive: true };
    let message: pb::ColumnRangeFilter = decoded(&range, "ColumnRangeFilter");
    assert_eq!((message.min_column.as_deref(), message.max_column), (Some(&b"a"[..]), None));
    assert_eq!((message.min_column_inclusive, message.max_column_inclusive), (Some(false), Some(true)));
    let qualifiers = Filter::FirstKeyValueMatchingQualifiers(vec!["q".into()]);
    let message: pb::FirstKeyValueMatchingQualifiersFilter =
        decoded(&qualifiers, "FirstKeyValueMatchingQualifiersFilter");
    assert_eq!(message.qualifiers, ["q"]);
}

#[test]
fn filters_that_compare() {
    let filters = [
        (Filter::Row(CompareOp::Less, binary("v")), "RowFilter", pb::CompareType::Less),
        (Filter::Family(CompareOp::LessOrEqual, binary("v")), "FamilyFilter", pb::CompareType::LessOrEqual),
        (Filter::Qualifier(CompareOp::NotEqual, binary("v")), "QualifierFilter", pb::CompareType::NotEqual),
        (Filter::Value(CompareOp::Greater, binary("v")), "ValueFilter", pb::CompareType::Greater),
    ];
    for (filter, class, op) in filters {
        let message: pb::ComparingFilter = decoded(&filter, class);
        assert_eq!(message.compare_filter.compare_op(), op);
        assert_eq!(message.compare_filter.comparator, Some(comparator_to_pb(&binary("v"))));
    }
}

#[test]
fn filters_of_one_column() {
    let condition = ColumnCondition {
        family: "f".into(),
        qualifier: "q".into(),
        op: CompareOp::GreaterOrEqual,
        comparator: binary("v"),
        filter_if_missing: true,
        latest_version_only: false,
    };
    let message: pb::SingleColumnValueFilter =
        decoded(&Filter::SingleColumnValue(condition.clone()), "SingleColumnValueFilter");
    assert_eq!(message.compare_op(), pb::CompareType::GreaterOrEqual);
    assert_eq!((message.filter_if_missing, message.latest_version_only), (Some(true), Some(false)));
    assert_eq!(message.comparator, comparator_to_pb(&binary("v")));
    let exclude: pb::SingleColumnValueExcludeFilter =
        decoded(&Filter::SingleColumnValueExclude(condition), "SingleColumnValueExcludeFilter");
    assert_eq!(exclude.single_column_value_filter, message);
    let value = Filter::ColumnValue {
        family: "f".into(),
        qualifier: "q".into(),
        op: CompareOp::Equal,
        comparator: Comparator::Null,
    };
    let message: pb::ColumnValueFilter = decoded(&value, "ColumnValueFilter");
    assert_eq!((&message.family[..], &message.qualifier[..]), (&b"f"[..], &b"q"[..]));
    assert_eq!(
        (message.compare_op(), message.comparator),
        (pb::CompareType::Equal, comparator_to_pb(&Comparator::Null))
    );
}

#[test]
fn a_dependent_column_may_have_any_value() {
    let filter = |value| Filter::DependentColumn {
        family: "f".into(),
        qualifier: "q".into(),
        drop_dependent: true,
        value,
    };
    let message: pb::DependentColumnFilter = decoded(&filter(None), "DependentColumnFilter");
    assert_eq!(message.compare_filter.compare_op(), pb::CompareType::NoOp);
    assert_eq!((message.compare_filter.comparator, message.drop_dependent_column), (None, Some(true)));
    let message: pb::DependentColumnFilter =
        decoded(&filter(Some((CompareOp::Equal, binary("v")))), "DependentColumnFilter");
    assert_eq!(message.compare_filter.compare_op(), pb::CompareType::Equal);
    assert_eq!(message.compare_filter.comparator, Some(comparator_to_pb(&binary("v"))));
}

#[test]
fn filters_of_rows() {
    let message: pb::PrefixFilter = decoded(&Filter::Prefix("r".into()), "PrefixFilter");
    assert_eq!(message.prefix.unwrap(), "r");
    let message: pb::PageFilter = decoded(&Filter::Page(u64::MAX), "PageFilter");
    assert_eq!(message.page_size, i64::MAX);
    let message: pb::InclusiveStopFilter = decoded(&Filter::InclusiveStop("r".into()), "InclusiveStopFilter");
    assert_eq!(message.stop_row_key.unwrap(), "r");
    let message: pb::RandomRowFilter = decoded(&Filter::RandomRow(0.25), "RandomRowFilter");
    assert_eq!(message.chance, 0.25);
    let range = RowRange { start: "a".into(), start_inclusive: true, stop: "".into(), stop_inclusive: false };
    let message: pb::MultiRowRangeFilter =
        decoded(&Filter::MultiRowRange(vec![range]), "MultiRowRangeFilter");
    let range = &message.row_range_list[0];
    assert_eq!((range.start_row.as_deref(), range.stop_row.as_deref()), (Some(&b"a"[..]), Some(&b""[..])));
    assert_eq!((range.start_row_inclusive, range.stop_row_inclusive), (Some(true), Some(false)));
}

#[test]
fn a_mask_of_zeroes_alone_is_sent_as_old_servers_read_it() {
    let patterns = vec![("ab".into(), "\0\x01".into()), ("cd".into(), "\0\0".into())];
    let message: pb::FuzzyRowFilter = decoded(&Filter::FuzzyRow(patterns), "FuzzyRowFilter");
    let masks: Vec<&[u8]> = message.fuzzy_keys_data.iter().map(|pair| &pair.second[..]).collect();
    assert_eq!(masks, [&[0, 1], &[255, 255]]);
    assert_eq!(message.is_mask_v2, Some(true));
}

#[test]
fn filters_of_cells() {
    decoded::<pb::FirstKeyOnlyFilter>(&Filter::FirstKeyOnly, "FirstKeyOnlyFilter");
    let message: pb::KeyOnlyFilter = decoded(&Filter::KeyOnly { length_as_value: true }, "KeyOnlyFilter");
    assert!(message.len_as_val);
    let times = Filter::Timestamps { timestamps: vec![3, 1], can_hint: true };
    let message: pb::TimestampsFilter = decoded(&times, "TimestampsFilter");
    assert_eq!((message.timestamps, message.can_hint), (vec![3, 1], Some(true)));
}

#[test]
fn filters_hold_filters() {
    let page = || Filter::Page(1);
    let list = Filter::List(
        ListOp::One,
        vec![Filter::List(ListOp::All, vec![page()]), Filter::Skip(Box::new(page()))],
    );
    let message: pb::FilterList = decoded(&list, "FilterList");
    assert_eq!(message.operator(), pb::filter_list::Operator::MustPassOne);
    let inner = pb::FilterList::decode(message.filters[0].serialized_filter.clone().unwrap()).unwrap();
    assert_eq!((inner.operator(), inner.filters.len()), (pb::filter_list::Operator::MustPassAll, 1));
    let skip = pb::WrappingFilter::decode(message.filters[1].serialized_filter.clone().unwrap()).unwrap();
    assert_eq!(skip.filter, to_pb(&page()));
    let message: pb::WrappingFilter = decoded(&Filter::While(Box::new(page())), "WhileMatchFilter");
    assert_eq!(message.filter, to_pb(&page()));
}

#[test]
fn a_cluster_s_own_filter_is_sent_as_it_is() {
    let message = to_pb(&Filter::Other { class: "com.example.F".to_owned(), serialized: "x".into() });
    assert_eq!((message.name.as_str(), message.serialized_filter), ("com.example.F", Some("x".into())));
}
