//! The reply to a scan call, taken apart.

use crate::cell::Row;
use crate::pb;
use crate::rpc::{CallError, Reply};
use crate::wire::WireError;
use crate::wire::cell_block::CellBlock;

/// Rows and pieces of rows.
#[derive(Debug, Default)]
pub(crate) struct Portion {
    pub rows: Vec<Row>,
    /// For each row whether more cells of it may follow; shorter than `rows` when the last ones are whole.
    pub partial: Vec<bool>,
}

/// Reads rows and pieces of rows, and what else the reply says.
pub(crate) fn read(reply: Reply) -> Result<(pb::ScanResponse, Portion), CallError> {
    let mut response = reply.read::<pb::ScanResponse>()?;
    if !response.results.is_empty() {
        return Err(CallError::Protocol("a scan's rows came outside of the cell block".to_owned()));
    }
    let mut block = CellBlock::new(reply.cells);
    let mut rows = Vec::with_capacity(response.cells_per_result.len().min(1 << 16));
    for count in &response.cells_per_result {
        let cells = block.take(*count as usize)?;
        let key = cells.first().map(|cell| cell.row.clone()).unwrap_or_default();
        rows.push(Row { key, cells });
    }
    if !block.is_empty() {
        return Err(WireError("a scan's reply has more cells than it says".to_owned()).into());
    }
    let partial = std::mem::take(&mut response.partial_flag_per_result);
    Ok((response, Portion { rows, partial }))
}
