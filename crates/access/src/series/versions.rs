//! The time is the version of the cell.

use bytes::Bytes;
use tablesmith_model::{Cell, TimeRange, Timestamp};
use tablesmith_store::ReadOptions;

use super::SeriesError;
use super::columns::Columns;
use super::decode::{Gathered, Wanted};
use super::tall::name_columns;
use super::window::Window;

/// As many versions as can be asked for: HBase counts them with a sign.
pub(super) const ALL_VERSIONS: u32 = i32::MAX as u32;

/// Where a cell of a reading goes: its qualifier and version.
pub(super) fn place(qualifier: Bytes, at: i64) -> (Bytes, Option<Timestamp>) {
    (qualifier, Some(at))
}

/// Whether a time can be a version. The greatest number stands for "now".
pub(super) fn can_be_version(at: i64) -> bool {
    (0..i64::MAX).contains(&at)
}

/// Reads the versions of a window; `None` when it has none.
pub(super) fn options(columns: &Columns, metrics: &[usize], window: Window) -> Option<ReadOptions> {
    let (from_ms, until_ms) = (window.first.max(0), window.last.saturating_add(1));
    let mut options = ReadOptions {
        versions: ALL_VERSIONS,
        time_range: TimeRange::new(from_ms, until_ms).ok()?,
        ..ReadOptions::default()
    };
    name_columns(columns, metrics, &mut options);
    Some(options)
}

pub(super) fn gather(
    columns: &Columns,
    cell: &Cell,
    _start: i64,
    wanted: &Wanted,
    gathered: &mut Gathered,
) -> Result<(), SeriesError> {
    columns.gather_one(cell, &cell.qualifier, cell.timestamp, wanted, gathered)
}
