//! The time is in the qualifier, as the offset from the row's beginning.

use std::collections::BTreeSet;

use bytes::Bytes;
use tablesmith_model::series::CellShape;
use tablesmith_model::{Cell, Timestamp};
use tablesmith_store::filter::{Comparator, CompareOp, ListOp};
use tablesmith_store::{Filter, ReadOptions};

use super::SeriesError;
use super::columns::Columns;
use super::decode::{Gathered, Wanted, foreign};
use super::window::Window;

/// Where a cell of a reading goes: its qualifier and version.
pub(super) fn place(columns: &Columns, qualifier: &Bytes, at: i64) -> (Bytes, Option<Timestamp>) {
    let mut bytes = offset_bytes(columns, at);
    if columns.shape == CellShape::EachMetric {
        bytes.extend_from_slice(qualifier);
    }
    (bytes.into(), None)
}

/// Reads the offsets of a window, where that is known to lie in one row, and the metrics wanted.
pub(super) fn options(columns: &Columns, metrics: &[usize], window: Option<Window>) -> ReadOptions {
    let mut options = ReadOptions::default();
    options.columns.add_family(columns.family.clone());
    let mut filters = Vec::new();
    if let Some(window) = window {
        // A qualifier goes on behind its offset, so the offset after the last one ends the range.
        let after = columns.offsets.offset(window.last).checked_add(1);
        filters.push(Filter::ColumnRange {
            min: Some(offset_bytes(columns, window.first).into()),
            min_inclusive: true,
            max: after.and_then(|after| qualifier_bytes(columns, after)).map(Bytes::from),
            max_inclusive: false,
        });
    }
    filters.extend(names(columns, metrics));
    options.filter = match filters.len() {
        0 | 1 => filters.pop(),
        _ => Some(Filter::List(ListOp::All, filters)),
    };
    options
}

/// Lets through the columns of some metrics, and perhaps others: a store finds names inside qualifiers, in any case, and
/// only for letters of ASCII is that the same everywhere.
fn names(columns: &Columns, metrics: &[usize]) -> Option<Filter> {
    if columns.shape == CellShape::Together || metrics.len() >= columns.metrics.len() {
        return None;
    }
    let named: Vec<&str> = metrics
        .iter()
        .filter_map(|index| columns.metrics.get(*index))
        .map(|metric| metric.name.as_str())
        .collect();
    let contains =
        |name: &&str| Filter::Qualifier(CompareOp::Equal, Comparator::Substring((*name).to_owned()));
    match named.as_slice() {
        names if !names.iter().all(|name| name.is_ascii()) => None,
        [name] => Some(contains(name)),
        names => Some(Filter::List(ListOp::One, names.iter().map(contains).collect())),
    }
}

/// Only the columns of some times, in rows that may begin anywhere: times of different rows can have one offset.
pub(super) fn at_times(columns: &Columns, times: &[i64]) -> Filter {
    let offsets: BTreeSet<Bytes> = times.iter().map(|at| offset_bytes(columns, *at).into()).collect();
    Filter::MultipleColumnPrefix(offsets.into_iter().collect())
}

fn offset_bytes(columns: &Columns, at: i64) -> Vec<u8> {
    let mut bytes = Vec::new();
    columns.offsets.write_qualifier(columns.offsets.offset(at), &mut bytes);
    bytes
}

/// An offset as qualifiers begin with it; `None` when it has more bytes than they.
fn qualifier_bytes(columns: &Columns, offset: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    columns.offsets.write_qualifier(offset, &mut bytes);
    let fits = columns.offsets.read_qualifier(&bytes).is_some_and(|(read, _)| read == offset);
    fits.then_some(bytes)
}

pub(super) fn gather(
    columns: &Columns,
    cell: &Cell,
    start: i64,
    wanted: &Wanted,
    gathered: &mut Gathered,
) -> Result<(), SeriesError> {
    let (at, rest) = time_of(columns, cell, start)?;
    let qualifier =
        if columns.shape == CellShape::Together && rest.is_empty() { &columns.together } else { rest };
    columns.gather_one(cell, qualifier, at, wanted, gathered)
}

/// The time of a cell, and what its qualifier has behind it.
pub(super) fn time_of<'c>(
    columns: &Columns,
    cell: &'c Cell,
    start: i64,
) -> Result<(i64, &'c [u8]), SeriesError> {
    let read = columns.offsets.read_qualifier(&cell.qualifier);
    let read = read.and_then(|(offset, rest)| Some((columns.offsets.at(start, offset)?, rest)));
    read.ok_or_else(|| foreign(cell, &"the qualifier does not begin with an offset"))
}
