//! The reply to a scan call, taken apart.

use crate::cell::Row;
use crate::pb;
use crate::rpc::{CallError, Reply};
use crate::wire::WireError;
use crate::wire::cell_block::CellBlock;

/// A row or a piece of one.
#[derive(Debug)]
pub(crate) struct Piece {
    pub row: Row,
    /// More cells of the row may follow.
    pub partial: bool,
}

/// Reads rows and pieces of rows, and what else the reply says.
pub(crate) fn read(reply: Reply) -> Result<(pb::ScanResponse, Vec<Piece>), CallError> {
    let response = reply.read::<pb::ScanResponse>()?;
    if !response.results.is_empty() {
        return Err(CallError::Protocol("a scan's rows came outside of the cell block".to_owned()));
    }
    let mut block = CellBlock::new(reply.cells);
    let mut pieces = Vec::with_capacity(response.cells_per_result.len().min(1 << 16));
    for (index, count) in response.cells_per_result.iter().enumerate() {
        let cells = block.take(*count as usize)?;
        let key = cells.first().map(|cell| cell.row.clone()).unwrap_or_default();
        let partial = response.partial_flag_per_result.get(index).copied().unwrap_or_default();
        pieces.push(Piece { row: Row { key, cells }, partial });
    }
    if !block.is_empty() {
        return Err(WireError("a scan's reply has more cells than it says".to_owned()).into());
    }
    Ok((response, pieces))
}
