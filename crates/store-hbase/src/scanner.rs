//! A scan's rows, a portion at a time.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use tablesmith_model::TableName;
use tablesmith_store::wrap::Volume;
use tablesmith_store::{OpStats, Row, Scanner, StoreError};

use crate::answer;
use crate::error::About;

/// A scan over the regions of a cluster.
pub(crate) struct ClusterScanner {
    rows: hbase::Scanner,
    table: TableName,
    has_filter: bool,
    travelled: Volume,
    /// What the reader waited, not what it did with the rows.
    waited: Duration,
    /// Until the last portion has come.
    more: bool,
}

impl ClusterScanner {
    pub(crate) fn new(rows: hbase::Scanner, table: TableName, has_filter: bool) -> Self {
        Self { rows, table, has_filter, travelled: Volume::default(), waited: Duration::ZERO, more: true }
    }
}

#[async_trait]
impl Scanner for ClusterScanner {
    async fn next_rows(&mut self) -> Result<Vec<Row>, StoreError> {
        if !self.more {
            return Ok(Vec::new());
        }
        let begun = Instant::now();
        let portion = self.rows.next_rows().await;
        self.waited += begun.elapsed();
        self.more = matches!(&portion, Ok(rows) if !rows.is_empty());
        let portion = portion.map_err(|error| About::Table(&self.table).failed(error))?;
        let rows: Vec<Row> = portion.into_iter().map(answer::row).collect();
        rows.iter().for_each(|row| self.travelled += Volume::of_row(row));
        Ok(rows)
    }

    fn stats(&self) -> OpStats {
        answer::stats(answer::looked_at(self.has_filter, self.travelled), None, self.waited)
    }
}
