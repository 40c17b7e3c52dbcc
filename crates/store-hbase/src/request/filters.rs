//! Filters and comparators.

use tablesmith_store::Filter;
use tablesmith_store::filter::{BitOp, ColumnCondition, Comparator, CompareOp, ListOp, RowRange};

pub(crate) fn filter(filter: &Filter) -> hbase::Filter {
    match filter {
        Filter::Prefix(prefix) => hbase::Filter::Prefix(prefix.clone()),
        Filter::Page(rows) => hbase::Filter::Page(*rows),
        Filter::ColumnPrefix(prefix) => hbase::Filter::ColumnPrefix(prefix.clone()),
        Filter::MultipleColumnPrefix(prefixes) => hbase::Filter::MultipleColumnPrefix(prefixes.clone()),
        Filter::ColumnRange { min, min_inclusive, max, max_inclusive } => hbase::Filter::ColumnRange {
            min: min.clone(),
            min_inclusive: *min_inclusive,
            max: max.clone(),
            max_inclusive: *max_inclusive,
        },
        Filter::ColumnPagination { limit, offset } => {
            hbase::Filter::ColumnPagination { limit: *limit, offset: *offset }
        }
        Filter::ColumnPaginationFrom { limit, column } => {
            hbase::Filter::ColumnPaginationFrom { limit: *limit, column: column.clone() }
        }
        Filter::ColumnCountGet(limit) => hbase::Filter::ColumnCountGet(*limit),
        Filter::FirstKeyOnly => hbase::Filter::FirstKeyOnly,
        Filter::KeyOnly { length_as_value } => hbase::Filter::KeyOnly { length_as_value: *length_as_value },
        Filter::Row(op, with) => hbase::Filter::Row(compare_op(*op), comparator(with)),
        Filter::Family(op, with) => hbase::Filter::Family(compare_op(*op), comparator(with)),
        Filter::Qualifier(op, with) => hbase::Filter::Qualifier(compare_op(*op), comparator(with)),
        Filter::Value(op, with) => hbase::Filter::Value(compare_op(*op), comparator(with)),
        Filter::SingleColumnValue(on) => hbase::Filter::SingleColumnValue(column_condition(on)),
        Filter::SingleColumnValueExclude(on) => hbase::Filter::SingleColumnValueExclude(column_condition(on)),
        Filter::ColumnValue { family, qualifier, op, comparator: with } => hbase::Filter::ColumnValue {
            family: family.clone(),
            qualifier: qualifier.clone(),
            op: compare_op(*op),
            comparator: comparator(with),
        },
        Filter::Timestamps { timestamps, can_hint } => {
            hbase::Filter::Timestamps { timestamps: timestamps.clone(), can_hint: *can_hint }
        }
        Filter::FuzzyRow(patterns) => hbase::Filter::FuzzyRow(patterns.clone()),
        Filter::MultiRowRange(ranges) => hbase::Filter::MultiRowRange(ranges.iter().map(row_range).collect()),
        Filter::InclusiveStop(row) => hbase::Filter::InclusiveStop(row.clone()),
        Filter::RandomRow(chance) => hbase::Filter::RandomRow(*chance),
        Filter::Skip(inner) => hbase::Filter::Skip(Box::new(self::filter(inner))),
        Filter::While(inner) => hbase::Filter::While(Box::new(self::filter(inner))),
        Filter::DependentColumn { family, qualifier, drop_dependent, value } => {
            hbase::Filter::DependentColumn {
                family: family.clone(),
                qualifier: qualifier.clone(),
                drop_dependent: *drop_dependent,
                value: value.as_ref().map(|(op, with)| (compare_op(*op), comparator(with))),
            }
        }
        Filter::List(op, filters) => {
            let op = match op {
                ListOp::All => hbase::ListOp::All,
                ListOp::One => hbase::ListOp::One,
            };
            hbase::Filter::List(op, filters.iter().map(self::filter).collect())
        }
    }
}

pub(crate) fn compare_op(op: CompareOp) -> hbase::CompareOp {
    match op {
        CompareOp::Less => hbase::CompareOp::Less,
        CompareOp::LessOrEqual => hbase::CompareOp::LessOrEqual,
        CompareOp::Equal => hbase::CompareOp::Equal,
        CompareOp::NotEqual => hbase::CompareOp::NotEqual,
        CompareOp::GreaterOrEqual => hbase::CompareOp::GreaterOrEqual,
        CompareOp::Greater => hbase::CompareOp::Greater,
        CompareOp::NoOp => hbase::CompareOp::NoOp,
    }
}

pub(crate) fn comparator(comparator: &Comparator) -> hbase::Comparator {
    match comparator {
        Comparator::Binary(bytes) => hbase::Comparator::Binary(bytes.clone()),
        Comparator::BinaryPrefix(bytes) => hbase::Comparator::BinaryPrefix(bytes.clone()),
        Comparator::Substring(text) => hbase::Comparator::Substring(text.clone()),
        Comparator::Regex { pattern, ignore_case } => {
            let any_case =
                if *ignore_case { hbase::RegexFlags::CASE_INSENSITIVE } else { hbase::RegexFlags::NONE };
            hbase::Comparator::Regex {
                pattern: pattern.clone(),
                flags: hbase::RegexFlags::DOT_ALL | any_case,
                charset: "UTF-8".to_owned(),
            }
        }
        Comparator::Bit { op, bytes } => hbase::Comparator::Bit { op: bit_op(*op), bytes: bytes.clone() },
        Comparator::Null => hbase::Comparator::Null,
        Comparator::Long(number) => hbase::Comparator::Long(*number),
    }
}

fn bit_op(op: BitOp) -> hbase::BitOp {
    match op {
        BitOp::And => hbase::BitOp::And,
        BitOp::Or => hbase::BitOp::Or,
        BitOp::Xor => hbase::BitOp::Xor,
    }
}

fn row_range(range: &RowRange) -> hbase::RowRange {
    hbase::RowRange {
        start: range.start.clone(),
        start_inclusive: range.start_inclusive,
        stop: range.stop.clone(),
        stop_inclusive: range.stop_inclusive,
    }
}

fn column_condition(condition: &ColumnCondition) -> hbase::ColumnCondition {
    hbase::ColumnCondition {
        family: condition.family.clone(),
        qualifier: condition.qualifier.clone(),
        op: compare_op(condition.op),
        comparator: comparator(&condition.comparator),
        filter_if_missing: condition.filter_if_missing,
        latest_version_only: condition.latest_version_only,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_read_as_hbase_s_filter_language_reads_them() {
        let flags =
            |ignore_case| match comparator(&Comparator::Regex { pattern: "a".to_owned(), ignore_case }) {
                hbase::Comparator::Regex { flags, .. } => flags.0,
                other => panic!("{other:?}"),
            };
        assert_eq!((flags(false), flags(true)), (32, 34));
    }

    #[test]
    fn filters_stay_in_filters() {
        let inner = Filter::Skip(Box::new(Filter::List(ListOp::One, vec![Filter::Page(3)])));
        let wanted = hbase::Filter::List(hbase::ListOp::One, vec![hbase::Filter::Page(3)]);
        assert_eq!(filter(&inner), hbase::Filter::Skip(Box::new(wanted)));
    }
}
