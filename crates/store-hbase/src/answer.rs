//! What the client answers, in the store's words, with what it cost as far as the client knows.
//!
//! HBase does not tell how many cells it looked at. Without a filter that is what travels, as far as anyone outside can
//! see; with one it is unknown.

use std::time::{Duration, Instant};

use bytes::Bytes;
use tablesmith_model::Cell;
use tablesmith_store::wrap::Volume;
use tablesmith_store::{ActionAnswer, Answer, CheckOutcome, OpStats, Row};

pub(crate) fn row(row: hbase::Row) -> Row {
    row_at(row.shared_key(), row)
}

/// What was found of the row with this key, which may be nothing.
pub(crate) fn row_at(key: Bytes, row: hbase::Row) -> Row {
    Row { row: key, cells: row.cells.into_iter().map(cell).collect() }
}

fn cell(cell: hbase::Cell) -> Cell {
    Cell {
        row: cell.shared_row(),
        family: cell.shared_family(),
        qualifier: cell.shared_qualifier(),
        timestamp: cell.timestamp(),
        kind: cell.cell_type(),
        value: cell.shared_value(),
    }
}

pub(crate) fn checked(checked: hbase::Checked) -> CheckOutcome {
    let row = row(checked.row);
    CheckOutcome { success: checked.success, row: (!row.cells.is_empty()).then_some(row) }
}

/// The reply to an action on the row with this key.
pub(crate) fn action(key: Bytes, reply: hbase::ActionReply) -> ActionAnswer {
    match reply {
        hbase::ActionReply::Row(found) => ActionAnswer::Row(row_at(key, found)),
        hbase::ActionReply::Checked(outcome) => ActionAnswer::Checked(checked(outcome)),
    }
}

/// An answer of one region.
pub(crate) fn of_region<T>(value: T, looked_at: Option<Volume>, begun: Instant) -> Answer<T> {
    Answer { value, stats: stats(looked_at, Some(1), begun.elapsed()) }
}

pub(crate) fn stats(looked_at: Option<Volume>, regions: Option<u64>, time: Duration) -> OpStats {
    OpStats {
        cells: looked_at.map(|volume| volume.cells),
        bytes: looked_at.map(|volume| volume.bytes),
        regions,
        time: Some(time),
        ..OpStats::default()
    }
}

/// What a read looked at to find what travelled.
pub(crate) fn looked_at(has_filter: bool, travelled: Volume) -> Option<Volume> {
    (!has_filter).then_some(travelled)
}
