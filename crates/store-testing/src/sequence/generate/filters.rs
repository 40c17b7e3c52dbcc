//! Filters of every kind, small enough to pass some and to stop some.

use bytes::Bytes;
use tablesmith_store::filter::{BitOp, ColumnCondition, Comparator, CompareOp, Filter, ListOp, RowRange};

use super::Maker;

/// How deep filters stand in filters.
const DEEPEST: u32 = 2;

impl Maker<'_> {
    /// Any filter.
    pub(super) fn filter(&mut self, table: usize) -> Filter {
        self.filter_within(table, DEEPEST)
    }

    fn filter_within(&mut self, table: usize, depth: u32) -> Filter {
        let deeper = depth.saturating_sub(1);
        if depth > 0 && self.percent(35) {
            return match self.below(8) {
                0 => self.skip(table, deeper),
                1 => Filter::While(Box::new(self.filter_within(table, deeper))),
                place => {
                    let op = if place < 5 { ListOp::All } else { ListOp::One };
                    // A server of HBase 2.6.1 may stumble over a list in a list that has no hint where to go on.
                    let inside = if self.config.spares_hbase { 0 } else { deeper };
                    let filters = (0..self.number(4)).map(|_| self.filter_within(table, inside)).collect();
                    Filter::List(op, filters)
                }
            };
        }
        match self.below(3) {
            0 => self.row_filter(),
            1 => self.column_filter(table),
            _ => self.cell_filter(table),
        }
    }

    /// A server of HBase 2.6.1 may not come to an end with ranges of rows inside a skip.
    fn skip(&mut self, table: usize, depth: u32) -> Filter {
        let inner = self.filter_within(table, depth);
        if self.config.spares_hbase && has_row_ranges(&inner) { inner } else { Filter::Skip(Box::new(inner)) }
    }

    fn row_filter(&mut self) -> Filter {
        match self.below(7) {
            0 => Filter::Prefix(self.prefix_of(|maker| maker.row())),
            1 => Filter::Page(self.below(3)),
            2 => Filter::Row(self.operator(), self.comparator(|maker| maker.row())),
            3 => Filter::FuzzyRow((0..1 + self.number(2)).map(|_| self.fuzzy()).collect()),
            4 => Filter::MultiRowRange((0..1 + self.number(2)).map(|_| self.row_range()).collect()),
            5 => Filter::InclusiveStop(self.key()),
            _ => Filter::RandomRow(if self.percent(70) { 2.0 } else { -1.0 }),
        }
    }

    fn column_filter(&mut self, table: usize) -> Filter {
        match self.below(11) {
            0 => Filter::ColumnPrefix(self.prefix_of(|maker| maker.qualifier())),
            1 => Filter::MultipleColumnPrefix((0..1 + self.number(2)).map(|_| self.qualifier()).collect()),
            2 => Filter::ColumnRange {
                min: self.maybe(70, |maker| maker.qualifier()),
                min_inclusive: self.percent(50),
                max: self.maybe(70, |maker| maker.qualifier()),
                max_inclusive: self.percent(50),
            },
            3 => Filter::ColumnPagination { limit: self.between(0, 2), offset: self.between(0, 2) },
            4 => Filter::ColumnPaginationFrom { limit: self.between(0, 2), column: self.qualifier() },
            5 => Filter::ColumnCountGet(self.between(0, 3)),
            6 => Filter::FirstKeyOnly,
            7 => Filter::Family(self.operator(), self.comparator(|maker| maker.family(table))),
            8 => Filter::Qualifier(self.operator(), self.comparator(|maker| maker.qualifier())),
            9 => Filter::DependentColumn {
                family: self.family(table),
                qualifier: self.qualifier(),
                drop_dependent: self.percent(50),
                value: self.maybe(50, |maker| (maker.operator(), maker.comparator(|maker| maker.value()))),
            },
            _ => Filter::KeyOnly { length_as_value: self.percent(50) },
        }
    }

    fn cell_filter(&mut self, table: usize) -> Filter {
        match self.below(8) {
            0..3 => Filter::Value(self.operator(), self.comparator(|maker| maker.value())),
            3 | 4 => Filter::SingleColumnValue(self.column_condition(table)),
            5 => Filter::SingleColumnValueExclude(self.column_condition(table)),
            6 => Filter::ColumnValue {
                family: self.family(table),
                qualifier: self.qualifier(),
                op: self.compare_op(),
                comparator: self.comparator(|maker| maker.value()),
            },
            _ => Filter::Timestamps {
                timestamps: (0..self.number(4)).map(|_| self.timestamp()).collect(),
                can_hint: self.percent(50),
            },
        }
    }

    fn column_condition(&mut self, table: usize) -> ColumnCondition {
        ColumnCondition {
            family: self.family(table),
            qualifier: self.qualifier(),
            op: self.compare_op(),
            comparator: self.comparator(|maker| maker.value()),
            filter_if_missing: self.percent(50),
            latest_version_only: self.percent(50),
        }
    }

    /// An operator, rarely the one with which nothing compares.
    fn operator(&mut self) -> CompareOp {
        if self.percent(3) { CompareOp::NoOp } else { self.compare_op() }
    }

    /// Compares with something that may well be there.
    fn comparator(&mut self, draw: impl Fn(&mut Self) -> Bytes) -> Comparator {
        let bytes = draw(self);
        match self.below(12) {
            0..6 => Comparator::Binary(bytes),
            6 | 7 => Comparator::BinaryPrefix(self.prefix_of(draw)),
            8 => Comparator::Substring(String::from_utf8_lossy(&bytes).to_uppercase()),
            9 => {
                let pattern = format!("^{}", String::from_utf8_lossy(&bytes));
                match self.percent(50) {
                    false => Comparator::regex(pattern),
                    true => Comparator::regex_in_any_case(pattern),
                }
            }
            10 => {
                let op = match self.below(3) {
                    0 => BitOp::And,
                    1 => BitOp::Or,
                    _ => BitOp::Xor,
                };
                Comparator::Bit { op, bytes }
            }
            _ => Comparator::Null,
        }
    }

    fn prefix_of(&mut self, draw: impl Fn(&mut Self) -> Bytes) -> Bytes {
        let bytes = draw(self);
        let keep = self.number(bytes.len() + 1);
        bytes.slice(..keep)
    }

    /// A key and, for each of its bytes, whether it must fit.
    fn fuzzy(&mut self) -> (Bytes, Bytes) {
        let key = self.key();
        let mask: Vec<u8> = key.iter().map(|_| u8::from(self.percent(50))).collect();
        (key, mask.into())
    }

    fn row_range(&mut self) -> RowRange {
        let (one, other) = (self.key(), self.key());
        let (start, stop) = if one <= other { (one, other) } else { (other, one) };
        RowRange { start, start_inclusive: self.percent(70), stop, stop_inclusive: self.percent(70) }
    }
}

fn has_row_ranges(filter: &Filter) -> bool {
    match filter {
        Filter::MultiRowRange(_) => true,
        Filter::Skip(inner) | Filter::While(inner) => has_row_ranges(inner),
        Filter::List(_, filters) => filters.iter().any(has_row_ranges),
        _ => false,
    }
}
