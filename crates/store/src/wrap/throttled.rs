//! Makes calls wait as they would for region servers of a given capacity: a hot server shows without a cluster.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use tablesmith_model::TableName;
use tokio::time::{Instant, sleep_until};

use super::bucket::Bucket;
use super::intercept::{Intercept, Outcome};
use super::op::Op;
use super::region_cache::{RegionCache, server_of, servers_between};
use crate::{Aggregate, RegionInfo, Scan, Select, Store, StoreError};

/// A capacity for each region server, in requests a second.
///
/// As HBase counts requests: a call about a row is one, each element of a batch is one, a scan pays one for each
/// portion and region that the portion passes, an aggregation one for each region. Calls about tables, regions and
/// namespaces are free. A call to several servers waits for the slowest of them.
#[derive(Debug)]
pub struct Throttled {
    requests_per_second: f64,
    burst_requests: u32,
    regions: RegionCache,
    servers: Mutex<BTreeMap<String, Server>>,
}

#[derive(Debug)]
struct Server {
    bucket: Bucket,
    used: ServerUse,
}

/// What a server was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerUse {
    /// Requests up to now.
    pub requests: u64,
    /// The time that callers had to wait for it, added up.
    pub waited: Duration,
}

impl Throttled {
    /// Servers that do so many requests a second, not more than `burst_requests` of them at once.
    pub fn new(requests_per_second: f64, burst_requests: u32) -> Self {
        Self {
            requests_per_second,
            burst_requests,
            regions: RegionCache::default(),
            servers: Mutex::default(),
        }
    }

    /// What each server was asked for up to now.
    pub fn use_by_server(&self) -> BTreeMap<String, ServerUse> {
        let servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        servers.iter().map(|(name, server)| (name.clone(), server.used)).collect()
    }

    /// Forgets where regions are; calls made past this store may have moved them.
    pub fn forget_regions(&self) {
        self.regions.forget();
    }

    /// Takes a request from each server named and waits until all have time for it.
    async fn pay<'a>(&self, servers: impl IntoIterator<Item = &'a str>) {
        let mut requests: BTreeMap<&str, u32> = BTreeMap::new();
        for server in servers {
            *requests.entry(server).or_default() += 1;
        }
        let now = Instant::now();
        let ready = requests.into_iter().map(|(server, requests)| self.take(server, requests, now)).max();
        if let Some(ready) = ready.filter(|&ready| ready > now) {
            sleep_until(ready).await;
        }
    }

    fn take(&self, name: &str, requests: u32, now: Instant) -> Instant {
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        let server = servers.entry(name.to_owned()).or_insert_with(|| Server {
            bucket: Bucket::new(self.requests_per_second, self.burst_requests, now),
            used: ServerUse::default(),
        });
        let ready = server.bucket.take(requests, now);
        server.used.requests += u64::from(requests);
        server.used.waited += ready - now;
        ready
    }

    /// The regions of a table. When the store does not tell them the call itself will fail for the same reason, and
    /// its error is the one to show.
    async fn regions(&self, store: &dyn Store, table: &TableName) -> Arc<Vec<RegionInfo>> {
        self.regions.regions(store, table).await.unwrap_or_default()
    }
}

/// What a portion of a scan pays for is known when it is there.
#[derive(Debug)]
pub struct Fetching {
    regions: Arc<Vec<RegionInfo>>,
    scan: Scan,
    last_row: Option<Bytes>,
}

#[async_trait]
impl Intercept for Throttled {
    type Ticket = (bool, Option<Fetching>);

    async fn before(&self, store: &dyn Store, op: &Op<'_>) -> Result<Self::Ticket, StoreError> {
        let mut fetching = None;
        match *op {
            Op::Admin(..) | Op::Scan(..) => {}
            Op::NextRows { table, scan, last_row } => {
                let regions = self.regions(store, table).await;
                fetching = Some(Fetching { regions, scan: scan.clone(), last_row: last_row.cloned() });
            }
            Op::Aggregate(table, Aggregate { scan, .. }) | Op::Select(table, Select { scan, .. }) => {
                let regions = self.regions(store, table).await;
                self.pay(servers_between(&regions, scan, None, None)).await;
            }
            Op::AtomicBatch(batch) => {
                for (table, mutations) in &batch.writes {
                    let regions = self.regions(store, table).await;
                    self.pay(mutations.iter().filter_map(|one| server_of(&regions, one.row()))).await;
                }
            }
            _ => {
                if let Some(table) = op.table() {
                    let regions = self.regions(store, table).await;
                    self.pay(op.rows().into_iter().filter_map(|row| server_of(&regions, row))).await;
                }
            }
        }
        Ok((op.kind().moves_regions(), fetching))
    }

    async fn after(&self, (moved, fetching): Self::Ticket, outcome: Outcome<'_>) -> Result<(), StoreError> {
        if moved {
            self.regions.forget();
        }
        if let Some(Fetching { regions, scan, last_row }) = fetching {
            let reached = match outcome {
                Outcome::Rows(rows) => rows.last().map(|row| &row.row),
                _ => None,
            };
            self.pay(servers_between(&regions, &scan, last_row.as_ref(), reached)).await;
        }
        Ok(())
    }
}
