//! Reads one portion of a strand.

use tablesmith_model::Cell;
use tablesmith_store::{OpStats, Row, Scanner, StoreError};

/// What was read.
pub(super) struct Portion {
    pub rows: Vec<Row>,
    /// Bytes of their cells.
    pub bytes: u64,
    /// To read on with.
    pub scanner: Option<Box<dyn Scanner>>,
    /// Whether nothing comes after it.
    pub is_last: bool,
    /// What the scanner cost up to now.
    pub stats: OpStats,
}

/// The next portion of a scanner that stays open.
pub(super) async fn next(mut scanner: Box<dyn Scanner>) -> Result<Portion, StoreError> {
    let rows = scanner.next_rows().await?;
    let (is_last, stats) = (rows.is_empty(), scanner.stats());
    Ok(Portion { bytes: bytes(&rows), rows, scanner: Some(scanner), is_last, stats })
}

/// All rows of a scanner that was opened for so many.
pub(super) async fn all(mut scanner: Box<dyn Scanner>, wanted: u64) -> Result<Portion, StoreError> {
    let mut rows = Vec::new();
    while (rows.len() as u64) < wanted {
        let more = scanner.next_rows().await?;
        if more.is_empty() {
            break;
        }
        rows.extend(more);
    }
    let (is_last, stats) = ((rows.len() as u64) < wanted, scanner.stats());
    Ok(Portion { bytes: bytes(&rows), rows, scanner: None, is_last, stats })
}

fn bytes(rows: &[Row]) -> u64 {
    rows.iter().flat_map(|row| &row.cells).map(Cell::size_bytes).sum()
}
