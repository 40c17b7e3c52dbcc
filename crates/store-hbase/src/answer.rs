//! What the client answers, in the store's words, with what it cost as far as the client knows.
//!
//! HBase does not tell how many cells it looked at: cells and bytes are those that travelled.

use std::time::Instant;

use tablesmith_model::{Cell, CellKind};
use tablesmith_store::wrap::Volume;
use tablesmith_store::{ActionAnswer, Answer, CheckOutcome, OpStats, Row};

pub(crate) fn row(row: hbase::Row) -> Row {
    Row { row: row.key, cells: row.cells.into_iter().map(cell).collect() }
}

fn cell(cell: hbase::Cell) -> Cell {
    Cell {
        row: cell.row,
        family: cell.family,
        qualifier: cell.qualifier,
        timestamp: cell.timestamp,
        kind: match cell.cell_type {
            hbase::CellType::Put => CellKind::Put,
            hbase::CellType::Delete => CellKind::Delete,
            hbase::CellType::DeleteFamilyVersion => CellKind::DeleteFamilyVersion,
            hbase::CellType::DeleteColumn => CellKind::DeleteColumn,
            hbase::CellType::DeleteFamily => CellKind::DeleteFamily,
        },
        value: cell.value,
    }
}

pub(crate) fn checked(checked: hbase::Checked) -> CheckOutcome {
    let row = row(checked.row);
    CheckOutcome { success: checked.success, row: (!row.cells.is_empty()).then_some(row) }
}

pub(crate) fn action(reply: hbase::ActionReply) -> ActionAnswer {
    match reply {
        hbase::ActionReply::Row(found) => ActionAnswer::Row(row(found)),
        hbase::ActionReply::Checked(outcome) => ActionAnswer::Checked(checked(outcome)),
    }
}

/// An answer of one region.
pub(crate) fn of_region<T>(value: T, travelled: Volume, begun: Instant) -> Answer<T> {
    Answer { value, stats: stats(travelled, Some(1), begun) }
}

pub(crate) fn stats(travelled: Volume, regions: Option<u64>, begun: Instant) -> OpStats {
    OpStats {
        cells: Some(travelled.cells),
        bytes: Some(travelled.bytes),
        regions,
        time: Some(begun.elapsed()),
        ..OpStats::default()
    }
}
