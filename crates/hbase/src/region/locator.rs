//! Finds regions: from what is known, else from `hbase:meta`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use bytes::Bytes;
use prost::Message;

use super::cache::Seek;
use super::meta::{MetaRow, compare_rows, question, regions_from, rows_at_once};
use super::{Location, strip_magic};
use crate::attempts::Attempts;
use crate::cell::Row;
use crate::cluster::Cluster;
use crate::config::how_to_raise;
use crate::metrics::Counters;
use crate::rpc::{CallError, CallOptions, CallOrigin, Service, Step, Target, region_specifier};
use crate::scan::portion;
use crate::wire::{ReplyError, WireError};
use crate::{Error, TableName, pb};

/// The priority that HBase gives to calls about its own tables.
const META_PRIORITY: u32 = 200;

/// One lock a table, so that many callers that miss the same region ask once.
#[derive(Default)]
pub(crate) struct Lookups(Mutex<HashMap<TableName, Arc<tokio::sync::Mutex<()>>>>);

/// Some rows of `hbase:meta`.
struct MetaRows {
    rows: Vec<Row>,
    /// Whether the question has more of them.
    has_more: bool,
    /// Who sent them.
    origin: CallOrigin,
}

/// How far the regions of a table are read.
#[derive(Default)]
struct Reading {
    regions: Vec<MetaRow>,
    /// How many rows were read, also of regions that are no more.
    rows: usize,
    /// The last one of them.
    last_row: Option<Bytes>,
}

impl Reading {
    /// Takes the next row. Rows that do not come in order, or do not end, would be read for ever.
    fn add(&mut self, row: &Row, rows_max: usize) -> Result<(), ReplyError> {
        if self.last_row.as_ref().is_some_and(|last| compare_rows(row.key(), last).is_le()) {
            let key = String::from_utf8_lossy(row.key()).into_owned();
            return Err(WireError(format!("row {key} of hbase:meta comes again, or out of order")).into());
        }
        self.last_row = Some(row.shared_key());
        if let Some(entry) = MetaRow::read(row)?
            && !entry.region.offline
        {
            self.regions.push(entry);
        }
        self.rows += 1;
        if self.rows > rows_max {
            let how = how_to_raise("answer_entries_max", rows_max);
            return Err(ReplyError::TooLarge(format!("it lists more than {rows_max} regions; {how}")));
        }
        Ok(())
    }
}

impl Lookups {
    fn of_table(&self, table: &TableName) -> Arc<tokio::sync::Mutex<()>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(table.clone()).or_default().clone()
    }
}

impl Cluster {
    /// Where the region wanted is; asks until it is known or the time is up.
    pub async fn locate(
        &self,
        table: &TableName,
        seek: Seek<'_>,
        attempts: &mut Attempts<'_>,
    ) -> Result<Arc<Location>, Error> {
        if let Some(known) = self.cache.find(table, seek) {
            return Ok(known);
        }
        loop {
            // After a failure the reason may be that the table is disabled: that does not heal by itself.
            if attempts.failed_count() > 0 && !table.is_meta() && self.is_disabled(table, attempts).await? {
                return Err(Error::TableNotEnabled(table.clone()));
            }
            let meta = match self.meta_location(attempts.deadline()).await {
                Ok(meta) if table.is_meta() => return Ok(meta),
                Ok(meta) => meta,
                Err(error) => {
                    attempts.failed(error, None).await?;
                    continue;
                }
            };
            match self.look_up(table, seek, &meta, attempts.attempt_deadline()).await {
                Ok(Some(location)) => return Ok(location),
                Ok(None) => return Err(Error::TableNotFound(table.clone())),
                Err(error) => drop(attempts.failed(error, Some(&meta)).await?),
            }
        }
    }

    /// One question to meta; `None`: there is no such table.
    async fn look_up(
        &self,
        table: &TableName,
        seek: Seek<'_>,
        meta: &Arc<Location>,
        deadline: Instant,
    ) -> Result<Option<Arc<Location>>, CallError> {
        let lock = self.lookups.of_table(table);
        let _alone = lock.lock().await;
        if let Some(known) = self.cache.find(table, seek) {
            return Ok(Some(known));
        }
        let MetaRows { rows, origin, .. } =
            self.scan_meta(meta, question(table, seek), rows_at_once(), deadline).await?;
        if rows.is_empty() {
            return Ok(None);
        }
        let mut found = None;
        for row in &rows {
            let Some(entry) = MetaRow::read(row).map_err(|error| origin.refuse(error))? else { continue };
            if entry.region.offline || entry.region.table != *table {
                continue;
            }
            let wanted = seek.found_in(&entry.region);
            let name = String::from_utf8_lossy(&entry.region.name).into_owned();
            match entry.location() {
                Some(location) if wanted => found = Some(self.cache.insert(location)),
                // What is known already may be newer than this answer.
                Some(location) if self.cache.find(table, Seek::Row(&location.region.start)).is_none() => {
                    self.cache.insert(location);
                }
                None if wanted => {
                    return Err(CallError::NoServer(format!("region {name} is served by nobody now")));
                }
                _ => {}
            }
        }
        // In the middle of a split or merge no row may fit for a moment.
        let gap = || CallError::NoServer(format!("hbase:meta has no region of {table} for the row now"));
        found.map(Some).ok_or_else(gap)
    }

    /// All regions of a table in key order, fresh from meta, with or without a server.
    pub async fn all_regions(
        &self,
        table: &TableName,
        attempts: &mut Attempts<'_>,
    ) -> Result<Vec<MetaRow>, Error> {
        let mut reading = Reading::default();
        loop {
            let meta = match self.meta_location(attempts.deadline()).await {
                Ok(meta) => meta,
                Err(error) => {
                    attempts.failed(error, None).await?;
                    continue;
                }
            };
            match self.read_regions(table, &meta, &mut reading, attempts.attempt_deadline()).await {
                Ok(true) => return Ok(reading.regions),
                Ok(false) if Instant::now() < attempts.deadline() => attempts.answered(),
                Ok(false) => {
                    let why = format!("hbase:meta has more than {} rows about {table}", reading.rows);
                    attempts.failed(CallError::NotDone(why), Some(&meta)).await?;
                }
                Err(error) => drop(attempts.failed(error, Some(&meta)).await?),
            }
        }
    }

    /// Adds the next regions; true when there are no more.
    async fn read_regions(
        &self,
        table: &TableName,
        meta: &Arc<Location>,
        reading: &mut Reading,
        deadline: Instant,
    ) -> Result<bool, CallError> {
        const ROWS: u32 = 1000;
        let mut scan = regions_from(table, b"");
        if let Some(last) = &reading.last_row {
            (scan.start_row, scan.include_start_row) = (Some(last.clone()), Some(false));
        }
        let MetaRows { rows, has_more, origin } = self.scan_meta(meta, scan, ROWS, deadline).await?;
        for row in &rows {
            reading.add(row, self.config.answer_entries_max).map_err(|error| origin.refuse(error))?;
        }
        Ok(!has_more)
    }

    /// One call: opens a scanner, takes up to `rows` rows, closes it. A server that is busy stops earlier, perhaps before
    /// the first row: that is no answer.
    async fn scan_meta(
        &self,
        meta: &Arc<Location>,
        scan: pb::Scan,
        rows: u32,
        deadline: Instant,
    ) -> Result<MetaRows, CallError> {
        Counters::add(&self.counters.lookups, 1);
        let connection = self.pool.connection(&meta.address, Service::Client).await?;
        let request = pb::ScanRequest {
            region: Some(region_specifier(meta.region.name.clone())),
            scan: Some(scan),
            number_of_rows: Some(rows),
            close_scanner: Some(true),
            ..pb::ScanRequest::default()
        };
        let options = CallOptions { deadline, priority: Some(META_PRIORITY) };
        let reply = connection.call("Scan", &request, options).await?;
        let origin = reply.origin.clone();
        let (head, portion) = portion::read(reply)?;
        let rows = portion.into_rows().map_err(|error| origin.refuse(error))?;
        let has_more = head.more_results_in_region == Some(true);
        if rows.is_empty() && has_more {
            return Err(CallError::NoServer("hbase:meta had no time for the question".to_owned()));
        }
        Ok(MetaRows { rows, has_more, origin })
    }

    async fn is_disabled(&self, table: &TableName, attempts: &mut Attempts<'_>) -> Result<bool, Error> {
        match self.table_state(table, attempts).await {
            Ok(state) => Ok(state.is_some_and(|state| state != pb::table_state::State::Enabled)),
            // The question was only in case: the attempt that follows has its own troubles with meta.
            Err(_) => Ok(false),
        }
    }

    /// What meta says of a table's state; `None`: nothing, there is no such table.
    pub async fn table_state(
        &self,
        table: &TableName,
        attempts: &Attempts<'_>,
    ) -> Result<Option<pb::table_state::State>, CallError> {
        let meta = self.meta_location(attempts.deadline()).await?;
        let connection = self.pool.connection(&meta.address, Service::Client).await?;
        let column = pb::Column { family: "table".into(), qualifier: vec!["state".into()] };
        let get = pb::Get { row: table.to_string().into(), column: vec![column], ..pb::Get::default() };
        let target = Target { region_name: meta.region.name.clone(), step: Arc::new(Step::Get(get)) };
        let Some(result) = connection.ask(vec![target], attempts.attempt_deadline()).await.pop() else {
            return Ok(None);
        };
        let Some(cell) = result?.cells.into_iter().next() else { return Ok(None) };
        // Written by HBase without the magic bytes; taken with them too.
        let message = strip_magic(cell.value()).unwrap_or(cell.value());
        let origin = CallOrigin { call: "Get", address: meta.address.clone() };
        let state = pb::TableState::decode(message).map_err(|error| origin.refuse(WireError::from(error)))?;
        Ok(Some(state.state()))
    }
}
