//! Scans: rows across regions, through splits, moves and dead servers, without losing, repeating or reordering one.
//!
//! ```text
//!  scanner (user) ◀── one portion waits ── task: opens, reads on, renews the lease, opens again after a failure
//! ```
//! The task is at most one portion ahead of the reader, so a slow reader holds a bounded amount of memory.

mod assembler;
mod plan;
pub(crate) mod portion;
mod task;

use std::sync::Arc;

use tokio::sync::mpsc;

use crate::cluster::Cluster;
use crate::{Error, Row, Scan, TableName};

/// The rows of a scan, a portion at a time. Dropping it ends the scan and frees the server's scanner.
pub struct Scanner {
    portions: mpsc::Receiver<Result<Vec<Row>, Error>>,
    rest: std::vec::IntoIter<Row>,
}

impl Scanner {
    pub(crate) fn start(cluster: Arc<Cluster>, table: TableName, scan: Scan) -> Self {
        let (sender, portions) = mpsc::channel(1);
        tokio::spawn(task::run(cluster, table, scan, sender));
        Self { portions, rest: Vec::new().into_iter() }
    }

    /// The next rows; empty when there are no more.
    pub async fn next_rows(&mut self) -> Result<Vec<Row>, Error> {
        let rest: Vec<Row> = self.rest.by_ref().collect();
        if !rest.is_empty() {
            return Ok(rest);
        }
        self.portions.recv().await.unwrap_or_else(|| Ok(Vec::new()))
    }

    /// The next row.
    pub async fn next_row(&mut self) -> Result<Option<Row>, Error> {
        loop {
            if let Some(row) = self.rest.next() {
                return Ok(Some(row));
            }
            match self.portions.recv().await {
                Some(portion) => self.rest = portion?.into_iter(),
                None => return Ok(None),
            }
        }
    }
}
