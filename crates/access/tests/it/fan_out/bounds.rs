//! What a fan-out costs: calls at a time, rows that are read for a limit, scans that stay open.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tablesmith_access::{Begin, FanOut, FanOutBounds, FanOutScan, Order, strands};
use tablesmith_model::value::KeyEncoding;
use tablesmith_store::wrap::{Intercept, Op, Outcome, Wrapped};
use tablesmith_store::{RegionInfo, Scanner, Store, StoreError};

use super::table::{Events, Id, keys, scan};
use crate::stores::memory;

/// Sees how many portions are on their way at a time, altogether and from each server.
#[derive(Default)]
struct Watch(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    regions: Vec<RegionInfo>,
    now: BTreeMap<String, usize>,
    most_of_server: usize,
    most: usize,
    scans: usize,
    rows: usize,
}

#[async_trait]
impl Intercept for Watch {
    type Ticket = Option<String>;

    async fn before(&self, _: &dyn Store, op: &Op<'_>) -> Result<Self::Ticket, StoreError> {
        let server = {
            let mut seen = self.0.lock().unwrap();
            match op {
                Op::Scan(..) => {
                    seen.scans += 1;
                    None
                }
                Op::NextRows { scan, .. } => {
                    let start = scan.start.row().cloned().unwrap_or_default();
                    let region = seen.regions.iter().find(|region| region.contains(&start));
                    let server = region.map(|region| region.server.clone()).unwrap_or_default();
                    *seen.now.entry(server.clone()).or_default() += 1;
                    seen.most_of_server = seen.most_of_server.max(seen.now[&server]);
                    seen.most = seen.most.max(seen.now.values().sum());
                    Some(server)
                }
                _ => None,
            }
        };
        // Others come to their turn while this call is on its way.
        tokio::task::yield_now().await;
        Ok(server)
    }

    async fn after(&self, ticket: Self::Ticket, outcome: Outcome<'_>) -> Result<(), StoreError> {
        let mut seen = self.0.lock().unwrap();
        if let Some(server) = ticket {
            *seen.now.get_mut(&server).unwrap() -= 1;
        }
        if let Outcome::Rows(rows) = outcome {
            seen.rows += rows.len();
        }
        Ok(())
    }
}

/// A thousand rows under 16 prefixes on two servers.
async fn watched() -> (Wrapped<Watch>, Events) {
    let store = Wrapped::new(Arc::new(memory()), Watch::default());
    let key = ["md5_mod(user, at, 16)", "user", "at"].map(str::to_owned);
    let rows: Vec<(Id, i64)> = (0..1_000).map(|at| (("u".to_owned(), at), 0)).collect();
    let splits = vec![vec![8]];
    let events = Events::new(&store, "events", &key, KeyEncoding::Binary, splits, rows).await;
    let regions = store.regions(&events.name).await.unwrap();
    assert_ne!(regions[0].server, regions[1].server);
    *store.intercept().0.lock().unwrap() = Seen { regions, ..Seen::default() };
    (store, events)
}

#[tokio::test]
async fn servers_are_read_at_the_same_time_and_none_too_much() {
    let (store, events) = watched().await;
    let regions = store.regions(&events.name).await.unwrap();
    let bounds = FanOutBounds { calls: 5, calls_per_server: 3, page_rows: 10, ..FanOutBounds::default() };
    let request = FanOutScan { regions, ..scan(&events.strands(&[]), Order::Rising, Begin::First, bounds) };
    assert_eq!(keys(&store, &events.name, request).await.len(), 1_000);
    let seen = store.intercept().0.lock().unwrap();
    assert_eq!((seen.most, seen.most_of_server), (5, 3));
}

#[tokio::test]
async fn a_limit_reads_little_more_than_it_wants() {
    let (store, events) = watched().await;
    for (limit, most) in [(1, 16), (10, 70), (100, 250)] {
        store.intercept().0.lock().unwrap().rows = 0;
        let request = FanOutScan { limit: Some(limit), ..FanOutScan::new(events.strands(&[])) };
        assert_eq!(keys(&store, &events.name, request).await.len() as u64, limit);
        let read = store.intercept().0.lock().unwrap().rows;
        assert!(read <= most, "{read} rows were read for {limit}");
    }
}

#[tokio::test]
async fn nothing_is_read_before_rows_are_asked_for() {
    let (store, events) = watched().await;
    let mut fan_out = FanOut::new(&store, &events.name, FanOutScan::new(events.strands(&[]))).unwrap();
    assert_eq!(store.intercept().0.lock().unwrap().scans, 0);
    assert!(!fan_out.next_rows().await.unwrap().is_empty());
    assert_eq!(store.intercept().0.lock().unwrap().scans, 16);
    let (calls, stats) = (fan_out.calls(), fan_out.stats());
    // The first page of a scan comes with the call that opens it.
    assert!((16..32).contains(&calls) && stats.cells.is_some_and(|cells| cells > 0), "{calls} {stats:?}");
}

#[tokio::test]
async fn more_strands_than_scanners_are_read_by_short_scans() {
    let (store, events) = watched().await;
    let bounds = FanOutBounds { scanners: 4, first_rows: 160, ..FanOutBounds::default() };
    let request = scan(&events.strands(&[]), Order::Falling, Begin::First, bounds);
    assert_eq!(keys(&store, &events.name, request).await.len(), 1_000);
    let scans = store.intercept().0.lock().unwrap().scans;
    assert!((100..150).contains(&scans), "{scans} scans of ten rows");
}

#[tokio::test]
async fn a_store_that_fails_ends_the_scan_with_its_error() {
    let (store, events) = watched().await;
    let mut fan_out = FanOut::new(&store, &events.name, FanOutScan::new(events.strands(&[]))).unwrap();
    store.disable_table(&events.name).await.unwrap();
    let error = fan_out.next_rows().await.unwrap_err();
    assert!(matches!(error, StoreError::TableNotEnabled(_)), "{error}");
    assert!(fan_out.next_rows().await.unwrap().is_empty());
}

#[tokio::test]
async fn more_prefixes_than_can_be_merged_are_refused() {
    let store = memory();
    let key = ["md5_mod(user, at, 1000000)", "user", "at"].map(str::to_owned);
    let rows: Vec<(Id, i64)> = vec![(("u".to_owned(), 1), 0)];
    let events = Events::new(&store, "events", &key, KeyEncoding::Binary, Vec::new(), rows).await;
    let error = strands(&events.layout, &[]).unwrap_err().to_string();
    assert!(error.contains("over 1000000 prefixes, too many"), "{error}");
}
