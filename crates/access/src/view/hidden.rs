//! Rows that a stopped client was moving: as long as the old one exists, the new one is not seen.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use tablesmith_model::{Cell, TableName};
use tablesmith_store::{Filter, OpStats, ReadOptions, Row, Scanner, StoreError};

/// The cells of a record: a row's cells in some families, or one column of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecordCells {
    pub row: Bytes,
    pub families: Vec<Bytes>,
    /// The column, where a row holds many records.
    pub qualifier: Option<Bytes>,
}

impl RecordCells {
    /// Whether a cell of its row is one of them.
    pub fn has(&self, cell: &Cell) -> bool {
        self.families.contains(&cell.family)
            && self.qualifier.as_ref().is_none_or(|qualifier| *qualifier == cell.qualifier)
    }
}

/// The cells that are not seen, by table.
#[derive(Debug, Default)]
pub(crate) struct Hidden(HashMap<TableName, Vec<RecordCells>>);

impl Hidden {
    /// Hides a record.
    pub fn add(&mut self, table: TableName, cells: RecordCells) {
        self.0.entry(table).or_default().push(cells);
    }

    /// Whether nothing is hidden.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether something of a table is hidden.
    pub fn has(&self, table: &TableName) -> bool {
        !self.0.is_empty() && self.0.contains_key(table)
    }

    /// How many records of a table are hidden.
    pub fn len_of(&self, table: &TableName) -> u64 {
        self.0.get(table).map_or(0, |hidden| hidden.len() as u64)
    }

    /// Leaves hidden cells out of a row.
    pub fn leave_out(&self, table: &TableName, row: &mut Row) {
        if self.0.is_empty() {
            return;
        }
        for hidden in self.0.get(table).into_iter().flatten().filter(|hidden| hidden.row == row.row) {
            row.cells.retain(|cell| !hidden.has(cell));
        }
    }

    /// Reads as much more as may be hidden: what stops after some cells of a row could see nothing else.
    pub fn widen(&self, table: &TableName, read: &mut ReadOptions) {
        if !self.has(table) {
            return;
        }
        let more = u32::try_from(self.len_of(table)).unwrap_or(u32::MAX);
        read.max_results_per_family = read.max_results_per_family.map(|most| most.saturating_add(more));
        if read.filter == Some(Filter::FirstKeyOnly) {
            read.filter = None;
        }
    }
}

/// A scanner that leaves out what is hidden.
pub(super) struct HidingScanner {
    scanner: Box<dyn Scanner>,
    table: TableName,
    hidden: Arc<Hidden>,
    /// How many more rows are wanted.
    left: Option<u64>,
}

impl HidingScanner {
    pub fn new(scanner: Box<dyn Scanner>, table: TableName, hidden: Arc<Hidden>, limit: Option<u64>) -> Self {
        Self { scanner, table, hidden, left: limit }
    }
}

#[async_trait]
impl Scanner for HidingScanner {
    async fn next_rows(&mut self) -> Result<Vec<Row>, StoreError> {
        loop {
            let mut rows = self.scanner.next_rows().await?;
            if rows.is_empty() {
                return Ok(rows);
            }
            rows.iter_mut().for_each(|row| self.hidden.leave_out(&self.table, row));
            rows.retain(|row| !row.cells.is_empty());
            if let Some(left) = &mut self.left {
                rows.truncate(usize::try_from(*left).unwrap_or(usize::MAX));
                *left = left.saturating_sub(rows.len() as u64);
            }
            // An empty page would end the scan.
            if !rows.is_empty() || self.left == Some(0) {
                return Ok(rows);
            }
        }
    }

    fn stats(&self) -> OpStats {
        self.scanner.stats()
    }
}
