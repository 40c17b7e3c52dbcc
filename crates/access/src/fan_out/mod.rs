//! A scan in the order of ids over keys that begin with a prefix.
//!
//! A prefix spreads rows over regions, and tears apart what follows each other by id. A fan-out reads the rows of every
//! prefix as a stream of its own (see [`Strand`](tablesmith_model::plan::Strand)) and merges the streams by id:
//!
//! ```text
//!  strands ──▶ streams: scan, portion, portion read ahead ──▶ merge ──▶ rows in the order of ids
//!                ▲                                              │
//!                └── choose.rs: who reads next ◀────────────────┘ a stream is dry
//! ```
//!
//! - Nothing is read before the first rows are asked for. With a limit a stream reads about its share of it, and more only
//!   when it turns out to have more than that.
//! - Portions are read by tasks of their own: streams of different servers at the same time, a few of each server.
//! - Memory is bounded: two portions a stream, and less where that would be too much ([`FanOutBounds`]). With more strands than
//!   may have an open scanner, every portion is a short scan.
//! - What regions do meanwhile (split, merge, move) is the business of the store's scanners, which go on where they were.

mod choose;
mod fetch;
mod merge;
mod request;
mod stream;

pub use request::{Begin, FanOutScan, Order};
pub use tablesmith_plan::rpc::FanOutBounds;

use std::collections::BTreeMap;

use async_trait::async_trait;
use tablesmith_model::TableName;
use tablesmith_model::plan::Strand;
use tablesmith_store::{OpStats, ReadOptions, RegionInfo, Row, Scanner, Store, StoreError};
use tokio::task::JoinSet;

use crate::error::AccessError;
use choose::next_to_read;
use fetch::Portion;
use merge::Merge;
use stream::{State, Stream};

/// Rows that are handed out at a time.
const OUT_ROWS: usize = 1_024;

/// Reads strands and merges them.
pub struct FanOut<'s> {
    store: &'s dyn Store,
    table: TableName,
    read: ReadOptions,
    order: Order,
    bounds: FanOutBounds,
    /// Rows of a page of each stream.
    page_rows: u32,
    /// Whether a scanner stays open between pages.
    stay_open: bool,
    /// Rows that are still wanted.
    left: Option<u64>,
    streams: Vec<Stream>,
    reading: JoinSet<(usize, bool, Result<Portion, StoreError>)>,
    merge: Merge,
    merging: Merging,
    calls: u64,
}

/// How far the merge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Merging {
    /// Not all first rows are there.
    NotBegun,
    /// All streams show a row, or have none.
    Ready,
    /// This stream must show its next row.
    WaitsFor(usize),
}

impl<'s> FanOut<'s> {
    /// Prepares a scan; the store is not yet asked.
    pub fn new(store: &'s dyn Store, table: &TableName, scan: FanOutScan) -> Result<Self, AccessError> {
        let strands = scan.strands_from_begin()?;
        let servers = Servers::of(&scan.regions);
        let falls = scan.order == Order::Falling;
        Ok(Self {
            store,
            table: table.clone(),
            merge: Merge::new(strands.iter(), falls),
            page_rows: u32::try_from(scan.bounds.page_rows_of(strands.len(), scan.limit)).unwrap_or(u32::MAX),
            stay_open: strands.len() <= scan.bounds.scanners,
            streams: strands.into_iter().map(|strand| servers.stream(strand)).collect(),
            read: scan.read,
            order: scan.order,
            bounds: scan.bounds,
            left: scan.limit,
            reading: JoinSet::new(),
            merging: Merging::NotBegun,
            calls: 0,
        })
    }

    /// Calls to the store up to now: scans that were opened, and portions.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    async fn next_portion(&mut self) -> Result<Vec<Row>, StoreError> {
        while self.left != Some(0) {
            self.start_reading().await?;
            let rows = if self.order == Order::Any { self.any_rows() } else { self.merged_rows() };
            if !rows.is_empty() {
                // While these are used, the next ones come.
                self.start_reading().await?;
                return Ok(rows);
            }
            if self.reading.is_empty() {
                break;
            }
            self.receive().await?;
        }
        Ok(Vec::new())
    }

    /// Lets streams read, as many as may.
    async fn start_reading(&mut self) -> Result<(), StoreError> {
        let buffered: usize = self.streams.iter().map(Stream::buffered_rows).sum();
        let ahead_bytes: u64 = self.streams.iter().map(Stream::ahead_bytes).sum();
        let wants_more = self.left.is_none_or(|left| (buffered as u64) < left);
        let ahead = wants_more && ahead_bytes < self.bounds.ahead_bytes;
        for index in next_to_read(&self.streams, &self.bounds, ahead) {
            let Some(stream) = self.streams.get_mut(index) else { continue };
            let (scanner, is_first) = match stream.scanner.take() {
                Some(scanner) => (scanner, false),
                None => {
                    let falls = self.order == Order::Falling;
                    let rows = u64::from(self.page_rows);
                    let limit = if self.stay_open { self.left } else { Some(rows) };
                    let (read, caching) = (self.read.clone(), Some(self.page_rows));
                    let scan = tablesmith_store::Scan { read, limit, caching, ..stream.scan(falls) };
                    // The first page comes with the answer to this call.
                    self.calls += 1;
                    (self.store.scan(&self.table, scan).await?, true)
                }
            };
            stream.state = State::Reading;
            let (rows, stay_open) = (self.page_rows, self.stay_open);
            self.reading.spawn(async move {
                let page = if stay_open {
                    fetch::next(scanner).await
                } else {
                    fetch::all(scanner, rows.into()).await
                };
                (index, is_first, page)
            });
        }
        Ok(())
    }

    /// Waits for a portion, and takes in all that are there.
    async fn receive(&mut self) -> Result<(), StoreError> {
        let mut next = self.reading.join_next().await;
        while let Some(done) = next {
            let (index, is_first, page) = done.map_err(|error| {
                StoreError::Io(format!("a scan ended before its time ({error}): begin it again"))
            })?;
            let page = page?;
            // That there is nothing more comes with the last page, too.
            self.calls += u64::from(!is_first && !page.rows.is_empty());
            if let Some(stream) = self.streams.get_mut(index) {
                stream.receive(page, self.order == Order::Falling);
            }
            next = self.reading.try_join_next();
        }
        Ok(())
    }

    /// The rows of one stream that has some.
    fn any_rows(&mut self) -> Vec<Row> {
        let mut rows = self.streams.iter_mut().find_map(Stream::next_portion).unwrap_or_default();
        if let Some(left) = &mut self.left {
            rows.truncate(usize::try_from(*left).unwrap_or(usize::MAX));
            *left -= rows.len() as u64;
        }
        rows
    }

    /// The rows that come next, until a stream is dry.
    fn merged_rows(&mut self) -> Vec<Row> {
        match self.merging {
            Merging::NotBegun if self.streams.iter().any(Stream::is_dry) => return Vec::new(),
            Merging::NotBegun => self.merge.begin(self.streams.iter_mut().map(Stream::next_row)),
            Merging::WaitsFor(index) => {
                let Some(stream) = self.streams.get_mut(index).filter(|stream| !stream.is_dry()) else {
                    return Vec::new();
                };
                self.merge.show(stream.next_row());
            }
            Merging::Ready => {}
        }
        self.merging = Merging::Ready;
        let most = self.left.map_or(OUT_ROWS, |left| usize::try_from(left).unwrap_or(OUT_ROWS).min(OUT_ROWS));
        let mut out = Vec::with_capacity(most);
        while out.len() < most {
            let Some((index, row)) = self.merge.take() else { break };
            out.push(row);
            let Some(stream) = self.streams.get_mut(index) else { break };
            match stream.next_row() {
                None if stream.state != State::Ended => {
                    self.merging = Merging::WaitsFor(index);
                    break;
                }
                next => self.merge.show(next),
            }
        }
        if let Some(left) = &mut self.left {
            *left -= out.len() as u64;
        }
        out
    }

    /// Ends all that is under way.
    fn close(&mut self) {
        self.left = Some(0);
        self.reading.abort_all();
        self.streams.iter_mut().for_each(|stream| stream.scanner = None);
    }
}

#[async_trait]
impl Scanner for FanOut<'_> {
    async fn next_rows(&mut self) -> Result<Vec<Row>, StoreError> {
        let rows = self.next_portion().await;
        if !matches!(&rows, Ok(rows) if !rows.is_empty()) || self.left == Some(0) {
            self.close();
        }
        rows
    }

    fn stats(&self) -> OpStats {
        let mut sum = OpStats::default();
        self.streams.iter().for_each(|stream| sum += stream.stats());
        sum
    }
}

/// The servers of regions, by number.
struct Servers<'r> {
    regions: &'r [RegionInfo],
    numbers: BTreeMap<&'r str, usize>,
}

impl<'r> Servers<'r> {
    fn of(regions: &'r [RegionInfo]) -> Self {
        let mut numbers = BTreeMap::new();
        for region in regions {
            let next = numbers.len();
            numbers.entry(region.server.as_str()).or_insert(next);
        }
        Self { regions, numbers }
    }

    /// The stream of a strand, on the server where the strand begins.
    fn stream(&self, strand: Strand) -> Stream {
        let region = self.regions.iter().find(|region| region.contains(&strand.range.start));
        let server = region.and_then(|region| self.numbers.get(region.server.as_str()).copied());
        Stream::new(strand, server)
    }
}
