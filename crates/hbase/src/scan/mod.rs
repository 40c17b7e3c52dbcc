//! Scans: rows across regions, through splits, moves and dead servers, without losing, repeating or reordering one.
//!
//! ```text
//!  scanner (user) ◀── one portion waits ── task: opens, reads on, renews the lease, opens again after a failure
//! ```
//! The task is at most one portion ahead of the reader, so a slow reader holds a bounded amount of memory.

mod assembler;
mod counts;
mod plan;
pub(crate) mod portion;
mod rows;
mod task;

use std::sync::Arc;

use tokio::sync::mpsc;

use crate::cluster::Cluster;
use crate::wire::WireError;
use crate::{Error, Row, Scan, TableName};
use rows::Rows;

/// So many rows are handed out at a time at most: they stay in a processor's cache until they are used.
const ROWS_AT_A_TIME: usize = 1024;

/// The rows of a scan. Dropping it ends the scan and frees the server's scanner.
pub struct Scanner {
    portions: mpsc::Receiver<Result<Rows, Error>>,
    rows: Rows,
}

impl Scanner {
    pub(crate) fn start(cluster: Arc<Cluster>, table: TableName, scan: Scan) -> Self {
        let (sender, portions) = mpsc::channel(1);
        tokio::spawn(task::run(cluster, table, scan, sender));
        Self { portions, rows: Rows::default() }
    }

    /// The next rows; empty when there are no more.
    pub async fn next_rows(&mut self) -> Result<Vec<Row>, Error> {
        let Some(first) = self.next_row().await? else { return Ok(Vec::new()) };
        let mut rows = Vec::with_capacity(ROWS_AT_A_TIME);
        rows.push(first);
        self.rows.read_up_to(ROWS_AT_A_TIME, &mut rows).map_err(unreadable)?;
        Ok(rows)
    }

    /// The next row.
    pub async fn next_row(&mut self) -> Result<Option<Row>, Error> {
        loop {
            if let Some(row) = self.rows.next_row().map_err(unreadable)? {
                return Ok(Some(row));
            }
            match self.portions.recv().await {
                Some(portion) => self.rows = portion?,
                None => return Ok(None),
            }
        }
    }
}

/// Portions are checked when they come: this is for what a check could not see, such as an unknown type of cell.
fn unreadable(error: WireError) -> Error {
    Error::Protocol(error.0)
}
