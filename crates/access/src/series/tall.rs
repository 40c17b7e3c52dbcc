//! The time is in the row key: a row a reading.

use bytes::Bytes;
use tablesmith_model::series::CellShape;
use tablesmith_model::{Cell, Timestamp};
use tablesmith_store::ReadOptions;

use super::SeriesError;
use super::columns::Columns;
use super::decode::{Gathered, Wanted};

/// Where a cell of a reading goes: its qualifier and version.
pub(super) fn place(qualifier: Bytes) -> (Bytes, Option<Timestamp>) {
    (qualifier, None)
}

/// Reads the metrics wanted.
pub(super) fn options(columns: &Columns, metrics: &[usize]) -> ReadOptions {
    let mut options = ReadOptions::default();
    name_columns(columns, metrics, &mut options);
    options
}

/// Names the columns of metrics, where each has a column of its own whatever its time.
pub(super) fn name_columns(columns: &Columns, metrics: &[usize], options: &mut ReadOptions) {
    if columns.shape == CellShape::Together {
        return options.columns.add_column(columns.family.clone(), columns.together.clone());
    }
    for metric in metrics.iter().filter_map(|index| columns.metrics.get(*index)) {
        options.columns.add_column(columns.family.clone(), metric.qualifier.clone());
    }
}

pub(super) fn gather(
    columns: &Columns,
    cell: &Cell,
    start: i64,
    wanted: &Wanted,
    gathered: &mut Gathered,
) -> Result<(), SeriesError> {
    columns.gather_one(cell, &cell.qualifier, start, wanted, gathered)
}
