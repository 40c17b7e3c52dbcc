//! The task behind a scanner: reads portion after portion and gets over failures.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::{Permit, Sender};

use super::assembler::{Assembler, Reached};
use super::plan::{Next, ScanProgress, Start, next};
use super::portion::{self, Portion};
use super::rows::Rows;
use crate::attempts::Attempts;
use crate::cluster::Cluster;
use crate::metrics::Counters;
use crate::region::Location;
use crate::request::reads;
use crate::retry::Remedy;
use crate::retry_report::Purpose;
use crate::rpc::{CallError, CallOptions, CallOrigin, Connection, Service, region_specifier};
use crate::{Error, Scan, TableName, pb};

/// Until a server says how long it keeps a scanner.
const LEASE: Duration = Duration::from_secs(60);

/// Reads a whole scan into the channel.
pub(super) async fn run(
    cluster: Arc<Cluster>,
    table: TableName,
    scan: Scan,
    portions: Sender<Result<Rows, Error>>,
) {
    let mut reader = Reader {
        cluster: &cluster,
        table: &table,
        assembler: Assembler::new(scan.batch, cluster.config.row_bytes_max),
        progress: ScanProgress::default(),
        start: Start::of(&scan),
        scan: &scan,
        open: None,
        ended: scan.limit == Some(0),
    };
    while !reader.ended {
        let rows = tokio::select! {
            rows = reader.next_portion() => rows,
            () = portions.closed() => break,
        };
        let failed = rows.is_err();
        if matches!(&rows, Ok(rows) if rows.is_empty()) {
            continue;
        }
        match reader.wait_for_reader(&portions).await {
            Some(permit) => permit.send(rows),
            None => break,
        }
        if failed {
            break;
        }
    }
    reader.close().await;
}

/// What a scan tells that ends because its server brings nothing.
fn standstill(location: &Location) -> String {
    format!(
        "{} sends heartbeats for region {} without rows and without reading on; if its disks are slow, raise \
         operation_timeout_ms",
        location.address,
        location.region.encoded_name()
    )
}

struct Reader<'a> {
    cluster: &'a Cluster,
    table: &'a TableName,
    scan: &'a Scan,
    assembler: Assembler,
    progress: ScanProgress,
    /// Where the next scanner begins, if nothing has been handed out since.
    start: Start,
    open: Option<Open>,
    ended: bool,
}

/// A scanner that a server keeps for us.
struct Open {
    connection: Arc<Connection>,
    location: Arc<Location>,
    id: u64,
    next_call: u64,
    lease: Duration,
}

impl Reader<'_> {
    /// The next rows, over all failures; may be empty although there are more, when the server has read on (pieces of a
    /// large row, rows that a filter leaves out).
    async fn next_portion(&mut self) -> Result<Rows, Error> {
        let purpose = Purpose::of_table("scan", self.table);
        let mut attempts = Attempts::new(self.cluster, purpose, self.cluster.config.operation_timeout);
        loop {
            let location = match &self.open {
                Some(open) => open.location.clone(),
                None => {
                    self.cluster
                        .locate(self.table, self.start.seek(self.scan.reversed), &mut attempts)
                        .await?
                }
            };
            let answer = self.call(&location, &attempts).await;
            let failure = match answer.and_then(|answer| self.take(&location, answer)) {
                Ok(Some(rows)) => return Ok(rows),
                // Asked again at once it would say the same, as often as there is time for.
                Ok(None) => CallError::Standstill(standstill(&location)),
                Err(failure) => failure,
            };
            let remedy = attempts.failed(failure, Some(&location)).await?;
            // A server that was only too busy still has the scanner, and has not seen this call.
            if !matches!(remedy, Remedy::BackOff | Remedy::Wait(_)) {
                self.begin_again();
            }
        }
    }

    async fn call(
        &mut self,
        location: &Arc<Location>,
        attempts: &Attempts<'_>,
    ) -> Result<(pb::ScanResponse, Portion), CallError> {
        let options = CallOptions { deadline: attempts.attempt_deadline(), priority: None };
        let (connection, request) = match &self.open {
            Some(open) => (open.connection.clone(), self.next_request(open)),
            None => {
                let connection = self.cluster.pool.connection(&location.address, Service::Client).await?;
                (connection, self.open_request(location))
            }
        };
        let reply = connection.call("Scan", &request, options).await?;
        let (response, portion) = portion::read(reply)?;
        match &mut self.open {
            Some(open) => open.next_call += 1,
            None => self.note_open(connection, location.clone(), &response),
        }
        Ok((response, portion))
    }

    fn note_open(
        &mut self,
        connection: Arc<Connection>,
        location: Arc<Location>,
        response: &pb::ScanResponse,
    ) {
        let lease = response.ttl.map_or(LEASE, |ttl_ms| Duration::from_millis(ttl_ms.into()));
        self.open = (response.scanner_id).map(|id| Open { connection, location, id, next_call: 0, lease });
    }

    /// Makes rows of a reply, and decides how to go on; `None` when the server has not read on.
    fn take(
        &mut self,
        location: &Location,
        answer: (pb::ScanResponse, Portion),
    ) -> Result<Option<Rows>, CallError> {
        let (response, portion) = answer;
        let is_empty = portion.len() == 0;
        let mut rows = self.assembler.add(portion).map_err(|error| {
            let origin = CallOrigin { call: "Scan", address: location.address.clone() };
            origin.refuse(error)
        })?;
        let next = next(self.scan, &location.region, &response);
        if is_empty && next == Next::SameScanner && !self.progress.is_shown_by(self.scan, &response) {
            return Ok(None);
        }
        if next != Next::SameScanner {
            // The server has closed the scanner by itself.
            self.open = None;
            rows = rows.and(self.assembler.end_region());
        }
        match next {
            Next::SameScanner => {}
            Next::Region(start) => self.start = start,
            Next::End => self.ended = true,
        }
        self.ended |= self.rows_left() == Some(0);
        Ok(Some(rows))
    }

    /// After a failure: the next call opens a scanner behind what was handed out.
    fn begin_again(&mut self) {
        if self.open.take().is_some() {
            Counters::add(&self.cluster.counters.scanners_reopened, 1);
        }
        let reached = self.assembler.reached().clone();
        if self.is_behind(&reached) {
            self.start = self.start.clone().after(&reached);
        }
        self.assembler.begin_again();
        self.progress.begin_again();
    }

    /// Whether what was handed out lies behind the place where the next scanner would begin. Not so when a region was
    /// read to its end: then the next one begins further on.
    fn is_behind(&self, reached: &Reached) -> bool {
        let row = match reached {
            Reached::Nothing => return false,
            Reached::Row(row) => &**row,
            Reached::Cell(cell) => cell.row(),
        };
        self.start.row.is_empty()
            || if self.scan.reversed { row <= self.start.row } else { row >= self.start.row }
    }

    fn rows_left(&self) -> Option<u64> {
        self.scan.limit.map(|limit| limit.saturating_sub(self.assembler.rows_complete()))
    }

    fn open_request(&self, location: &Location) -> pb::ScanRequest {
        let mut scan = reads::scan(self.scan, self.cluster.config.scan_portion_bytes);
        scan.start_row = Some(self.start.row.clone());
        scan.include_start_row = Some(self.start.include);
        scan.need_cursor_result = Some(true);
        pb::ScanRequest {
            region: Some(region_specifier(location.region.name.clone())),
            scan: Some(scan),
            ..self.request()
        }
    }

    fn next_request(&self, open: &Open) -> pb::ScanRequest {
        pb::ScanRequest { scanner_id: Some(open.id), next_call_seq: Some(open.next_call), ..self.request() }
    }

    fn request(&self) -> pb::ScanRequest {
        pb::ScanRequest {
            number_of_rows: Some(self.scan.caching.unwrap_or(i32::MAX as u32)),
            client_handles_partials: Some(true),
            client_handles_heartbeats: Some(true),
            limit_of_rows: self.rows_left().map(|rows| rows.min(i32::MAX as u64) as u32),
            ..pb::ScanRequest::default()
        }
    }

    /// Waits until there is room for a portion, and keeps the scanner alive meanwhile. `None`: nobody reads any more.
    async fn wait_for_reader<'p, T>(&mut self, portions: &'p Sender<T>) -> Option<Permit<'p, T>> {
        loop {
            let half = self.open.as_ref().map_or(LEASE, |open| open.lease / 2);
            match tokio::time::timeout(half, portions.reserve()).await {
                Ok(permit) => return permit.ok(),
                Err(_) => self.renew().await,
            }
        }
    }

    /// A failure needs no care here: the next call finds the scanner gone and opens another one.
    async fn renew(&mut self) {
        let Some(open) = &mut self.open else { return };
        let request = pb::ScanRequest {
            scanner_id: Some(open.id),
            number_of_rows: Some(0),
            next_call_seq: Some(open.next_call),
            renew: Some(true),
            ..pb::ScanRequest::default()
        };
        open.next_call += 1;
        let deadline = std::time::Instant::now() + self.cluster.config.rpc_timeout;
        drop(open.connection.call("Scan", &request, CallOptions { deadline, priority: None }).await);
    }

    /// Lets the server forget the scanner, if it still has it.
    async fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let request = pb::ScanRequest {
            scanner_id: Some(open.id),
            number_of_rows: Some(0),
            close_scanner: Some(true),
            ..pb::ScanRequest::default()
        };
        let deadline = std::time::Instant::now() + self.cluster.config.rpc_timeout;
        drop(open.connection.call("Scan", &request, CallOptions { deadline, priority: None }).await);
    }
}
