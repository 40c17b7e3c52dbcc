//! What every filter can be asked while it runs, and the registry that makes a runnable rule of a filter value.

use std::fmt::Debug;

use tablesmith_model::Cell;

use super::column_count_get::ColumnCountGet;
use super::column_pagination::{ColumnPagination, ColumnPaginationFrom};
use super::column_prefix::ColumnPrefix;
use super::column_range::ColumnRange;
use super::column_value::ColumnValue;
use super::dependent_column::DependentColumn;
use super::family::Family;
use super::first_key_only::FirstKeyOnly;
use super::fuzzy_row::FuzzyRow;
use super::inclusive_stop::InclusiveStop;
use super::key_only::KeyOnly;
use super::list_all::ListAll;
use super::list_one::ListOne;
use super::multi_row_range::MultiRowRange;
use super::multiple_column_prefix::MultipleColumnPrefix;
use super::page::Page;
use super::prefix::Prefix;
use super::qualifier::Qualifier;
use super::random_row::RandomRow;
use super::row::Row;
use super::single_column_value::SingleColumnValue;
use super::single_column_value_exclude::SingleColumnValueExclude;
use super::skip::Skip;
use super::timestamps::Timestamps;
use super::value::Value;
use super::while_match::WhileMatch;
use super::{FilterError, Hint, ReturnCode};
use crate::filter::{Filter, ListOp};

/// A filter with its state. The defaults are those of a filter that lets everything pass.
pub(super) trait Rule: Debug + Send {
    /// Forgets the row before.
    fn reset(&mut self) {}

    /// Whether the row is left out because of its key.
    fn row_key(&mut self, _row: &[u8]) -> bool {
        self.all_remaining()
    }

    /// Whether nothing more can pass.
    fn all_remaining(&self) -> bool {
        false
    }

    /// What to do with a cell.
    fn cell(&mut self, cell: &Cell) -> ReturnCode;

    /// What becomes of a cell that was taken.
    fn transform(&mut self, cell: Cell) -> Cell {
        cell
    }

    /// Whether whole rows are needed.
    fn has_filter_row(&self) -> bool {
        false
    }

    /// Removes cells of a row once all are known.
    fn row_cells(&mut self, _cells: &mut Vec<Cell>) {}

    /// Whether the row is left out after all.
    fn filter_row(&mut self) -> bool {
        false
    }

    /// Where to go on after [`ReturnCode::SeekHint`].
    fn hint(&mut self, _cell: &Cell) -> Option<Hint> {
        None
    }

    /// Whether the rule must see cells of this family to decide on a row.
    fn is_family_essential(&self, _family: &[u8]) -> bool {
        true
    }

    /// Whether the rule's purpose is to jump. A list in which all must pass asks such rules even when another one
    /// has already said no, for they may know a longer way.
    fn is_hinting(&self) -> bool {
        false
    }
}

/// Filters may stand inside each other so deep, not deeper: the way down is a recursion.
pub(in crate::filter) const MAX_DEPTH: usize = 128;

/// Makes a rule of a filter, checking its arguments.
pub(super) fn compile(filter: &Filter, reversed: bool) -> Result<Box<dyn Rule>, FilterError> {
    compile_at(filter, reversed, 0)
}

fn compile_at(filter: &Filter, reversed: bool, depth: usize) -> Result<Box<dyn Rule>, FilterError> {
    if depth >= MAX_DEPTH {
        return Err(FilterError::TooDeep { max: MAX_DEPTH });
    }
    // SKIP and WHILE do not tell the filter inside that the scan runs backwards: neither do HBase's.
    let inner = |filter: &Filter| compile_at(filter, false, depth + 1);
    Ok(match filter {
        Filter::Prefix(prefix) => Box::new(Prefix::new(prefix, reversed)),
        Filter::Page(rows) => Box::new(Page::new(*rows)?),
        Filter::ColumnPrefix(prefix) => Box::new(ColumnPrefix::new(prefix)),
        Filter::MultipleColumnPrefix(prefixes) => Box::new(MultipleColumnPrefix::new(prefixes)?),
        Filter::ColumnRange { min, min_inclusive, max, max_inclusive } => {
            Box::new(ColumnRange::new(min.clone(), *min_inclusive, max.clone(), *max_inclusive))
        }
        Filter::ColumnPagination { limit, offset } => Box::new(ColumnPagination::new(*limit, *offset)?),
        Filter::ColumnPaginationFrom { limit, column } => {
            Box::new(ColumnPaginationFrom::new(*limit, column)?)
        }
        Filter::ColumnCountGet(columns) => Box::new(ColumnCountGet::new(*columns)?),
        Filter::FirstKeyOnly => Box::new(FirstKeyOnly::default()),
        Filter::KeyOnly { length_as_value } => Box::new(KeyOnly::new(*length_as_value)),
        Filter::Row(op, comparator) => Box::new(Row::new(*op, comparator)?),
        Filter::Family(op, comparator) => Box::new(Family::new(*op, comparator)?),
        Filter::Qualifier(op, comparator) => Box::new(Qualifier::new(*op, comparator)?),
        Filter::Value(op, comparator) => Box::new(Value::new(*op, comparator)?),
        Filter::SingleColumnValue(condition) => Box::new(SingleColumnValue::new(condition)?),
        Filter::SingleColumnValueExclude(condition) => Box::new(SingleColumnValueExclude::new(condition)?),
        Filter::ColumnValue { family, qualifier, op, comparator } => {
            Box::new(ColumnValue::new(family, qualifier, *op, comparator)?)
        }
        Filter::Timestamps { timestamps, can_hint } => Box::new(Timestamps::new(timestamps, *can_hint)?),
        Filter::FuzzyRow(pairs) => Box::new(FuzzyRow::new(pairs, reversed)?),
        Filter::MultiRowRange(ranges) => Box::new(MultiRowRange::new(ranges, reversed)?),
        Filter::InclusiveStop(row) => Box::new(InclusiveStop::new(row, reversed)),
        Filter::RandomRow(chance) => Box::new(RandomRow::new(*chance)),
        Filter::Skip(filter) => Box::new(Skip::new(inner(filter)?)),
        Filter::While(filter) => Box::new(WhileMatch::new(inner(filter)?)),
        Filter::DependentColumn { family, qualifier, drop_dependent, value } => {
            Box::new(DependentColumn::new(family, qualifier, *drop_dependent, value.as_ref())?)
        }
        Filter::FirstKeyValueMatchingQualifiers(_) => {
            return Err(FilterError::Unsupported {
                what: "FirstKeyValueMatchingQualifiersFilter".to_owned(),
            });
        }
        Filter::Other { class, .. } => return Err(FilterError::Unsupported { what: class.clone() }),
        Filter::List(op, filters) => {
            let rules = filters.iter().map(|filter| compile_at(filter, reversed, depth + 1));
            let rules = rules.collect::<Result<Vec<_>, _>>()?;
            match op {
                ListOp::All => Box::new(ListAll::new(rules, reversed)),
                ListOp::One => Box::new(ListOne::new(rules, reversed)),
            }
        }
    })
}
