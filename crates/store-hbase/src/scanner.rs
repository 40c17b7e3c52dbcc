//! A scan's rows, a portion at a time.

use std::time::Instant;

use async_trait::async_trait;
use tablesmith_model::TableName;
use tablesmith_store::wrap::Volume;
use tablesmith_store::{OpStats, Row, Scanner, StoreError};

use crate::answer;
use crate::error::About;

/// A scan over the regions of a cluster. The client reads one portion ahead, whatever the reader does.
pub(crate) struct ClusterScanner {
    rows: hbase::Scanner,
    table: TableName,
    travelled: Volume,
    begun: Instant,
    /// Until the last portion has come.
    more: bool,
}

impl ClusterScanner {
    pub(crate) fn new(rows: hbase::Scanner, table: TableName) -> Self {
        Self { rows, table, travelled: Volume::default(), begun: Instant::now(), more: true }
    }
}

#[async_trait]
impl Scanner for ClusterScanner {
    async fn next_rows(&mut self) -> Result<Vec<Row>, StoreError> {
        if !self.more {
            return Ok(Vec::new());
        }
        let portion = self.rows.next_rows().await;
        self.more = matches!(&portion, Ok(rows) if !rows.is_empty());
        let portion = portion.map_err(|error| About::Table(&self.table).failed(error))?;
        let rows: Vec<Row> = portion.into_iter().map(answer::row).collect();
        rows.iter().for_each(|row| self.travelled += Volume::of_row(row));
        Ok(rows)
    }

    fn stats(&self) -> OpStats {
        answer::stats(self.travelled, None, self.begun)
    }
}
