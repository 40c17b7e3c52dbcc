//! Scans of a real HBase: across regions, in pieces, backwards.

use std::time::Duration;

use hbase::{
    Action, Client, Comparator, CompareOp, Config, Filter, Mutation, Put, RowBound, Scan, Scanner, Table,
};

use hbase_testbed::{Cluster, OneJvm, Settings};

use crate::support::{FAMILY, connect, create, drop_table};

/// Rows 000000… with `cells` cells of `value_bytes` bytes each.
pub async fn fill(table: &Table, rows: usize, cells: usize, value_bytes: usize) {
    for portion in (0..rows).collect::<Vec<_>>().chunks(500) {
        let put = |row: &usize| {
            let value = vec![b'v'; value_bytes];
            let put = Put::new(format!("{row:06}"));
            Action::Mutate(Mutation::Put(
                (0..cells).fold(put, |put, cell| put.add(FAMILY, format!("{cell:04}"), value.clone())),
            ))
        };
        for result in table.batch(portion.iter().map(put).collect()).await {
            result.unwrap();
        }
    }
}

async fn keys(mut scanner: Scanner) -> Vec<String> {
    let mut keys = Vec::new();
    while let Some(row) = scanner.next_row().await.unwrap() {
        keys.push(String::from_utf8(row.key().to_vec()).unwrap());
    }
    keys
}

pub fn numbers(range: std::ops::Range<usize>) -> Vec<String> {
    range.map(|n| format!("{n:06}")).collect()
}

/// A server that may read little in one call sends a heartbeat when a filter leaves nothing of it. The pause after a heartbeat
/// that tells of no progress would be a retry.
#[tokio::test(flavor = "multi_thread")]
async fn heartbeats_tell_how_far_a_server_has_read() {
    let settings = Settings::default().with("hbase.server.scanner.max.result.size", 100_000);
    let cluster = OneJvm::start(&settings).unwrap_or_else(|error| panic!("{error}"));
    let client = Client::connect(&cluster.addresses().by_masters()).await.unwrap();
    let table = create(&client, "heartbeats", &[]).await;
    fill(&table, 3000, 1, 1000).await;
    client.admin().flush_table(table.name(), None).await.unwrap();
    for reversed in [false, true] {
        let before = client.metrics();
        let nothing = Filter::Value(CompareOp::Equal, Comparator::Binary("none".into()));
        let scan = Scan { reversed, ..Scan::all().filter(nothing) };
        assert_eq!(keys(table.scan(scan)).await, numbers(0..0));
        let after = client.metrics();
        let calls = after.calls - before.calls;
        assert!(calls > 10, "3 MB in blocks of 64 kB took {calls} calls");
        assert_eq!(after.retries, before.retries, "a heartbeat did not tell how far the server has read");
    }
    drop_table(&client.admin(), table.name()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ranges_limits_and_directions_across_regions() {
    let client = connect().await;
    let table = create(&client, "ranges", &["000100", "000200", "000300"]).await;
    fill(&table, 400, 1, 10).await;
    assert_eq!(keys(table.scan(Scan::all())).await, numbers(0..400));
    let mut backwards = numbers(0..400);
    backwards.reverse();
    assert_eq!(keys(table.scan(Scan::all().reversed())).await, backwards);
    assert_eq!(keys(table.scan(Scan::range("000099", "000301"))).await, numbers(99..301));
    assert_eq!(keys(table.scan(Scan::range("000050", "000100"))).await, numbers(50..100));
    assert_eq!(keys(table.scan(Scan::all().limit(250))).await, numbers(0..250));
    assert_eq!(keys(table.scan(Scan::all().limit(0))).await, numbers(0..0));
    let caching = Scan { caching: Some(7), ..Scan::all().limit(123) };
    assert_eq!(keys(table.scan(caching)).await, numbers(0..123));
    let bounds = |start: &'static str, stop: &'static str| Scan {
        start: RowBound::Excluded(start.into()),
        stop: RowBound::Included(stop.into()),
        ..Scan::all()
    };
    assert_eq!(keys(table.scan(bounds("000099", "000200"))).await, numbers(100..201));
    let mut reversed = numbers(100..300);
    reversed.reverse();
    assert_eq!(keys(table.scan(bounds("000300", "000100").reversed())).await, reversed);
    assert_eq!(keys(table.scan(bounds("000300", "000100").reversed().limit(3))).await, reversed[..3]);
    drop_table(&client.admin(), table.name()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn large_rows_come_whole_or_in_batches() {
    let client = connect().await;
    let table = create(&client, "large", &["000002"]).await;
    // Each row is larger than a portion, so the server sends it in pieces.
    fill(&table, 4, 60, 100_000).await;
    let mut scanner = table.scan(Scan::all());
    for row in 0..4 {
        let read = scanner.next_row().await.unwrap().unwrap();
        assert_eq!((read.shared_key(), read.cells.len()), (format!("{row:06}").into(), 60));
    }
    assert!(scanner.next_row().await.unwrap().is_none());
    let mut scanner = table.scan(Scan { batch: Some(25), ..Scan::all() });
    let mut sizes = Vec::new();
    while let Some(row) = scanner.next_row().await.unwrap() {
        sizes.push(row.cells.len());
    }
    assert_eq!(sizes, [25, 25, 10].repeat(4));
    drop_table(&client.admin(), table.name()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_keeps_its_scanner_and_little_memory() {
    let addresses = hbase_testbed::shared().unwrap();
    let mut config: Config = addresses.by_masters().parse().unwrap();
    config.scan_portion_bytes = 64 << 10;
    let client = Client::with_config(config).await.unwrap();
    let table = create(&client, "slow", &[]).await;
    fill(&table, 2000, 1, 1000).await;
    let before = client.metrics().bytes_received;
    let mut scanner = table.scan(Scan::all());
    assert!(!scanner.next_rows().await.unwrap().is_empty());
    tokio::time::sleep(Duration::from_secs(2)).await;
    let ahead = client.metrics().bytes_received - before;
    assert!(ahead < 5 * (64 << 10), "{ahead} bytes were read ahead");
    drop(scanner);
    drop_table(&client.admin(), table.name()).await;
}
