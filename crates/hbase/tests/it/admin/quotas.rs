//! Quotas, on a cluster that has them: a server refuses, the client waits as long as it is told and asks again.

use std::time::{Duration, Instant};

use hbase::{Action, Client, Counted, Mutation, Put, Scan, Table};
use hbase_testbed::{Cluster, OneJvm, Settings};

use crate::support::{FAMILY, connect, create, drop_table, table_name};

const PER_SECOND: u64 = 200;
/// Servers read quotas so often here.
const REFRESH_MS: u64 = 500;

/// Writes rows in batches of 50, all into the first region or half of them into the second.
async fn write(table: &Table, rows: u64, both: bool) -> Duration {
    let begun = Instant::now();
    for batch in 0..rows / 50 {
        let put = |row: u64| {
            let half = if both && row.is_multiple_of(2) { "z" } else { "a" };
            let key = format!("{half}{:08}", batch * 50 + row);
            Action::Mutate(Mutation::Put(Put::new(key).add(FAMILY, "q", "v")))
        };
        for outcome in table.batch((0..50).map(put).collect()).await {
            outcome.unwrap();
        }
    }
    begun.elapsed()
}

/// Makes the servers hear of the table, and lets them read the quotas and fill up what they may take at once.
async fn settle(table: &Table) {
    write(table, 50, true).await;
    tokio::time::sleep(Duration::from_millis(2 * REFRESH_MS + 1_000)).await;
}

async fn rows(table: &Table) -> u64 {
    table.aggregate(Scan::all()).row_count().await.unwrap()
}

async fn compare_one_server_with_two(client: &Client, table: &Table) {
    settle(table).await;
    // A second's worth goes at once, 600 rows take three seconds; from two servers twice as much at once and half as long.
    let one = write(table, 800, false).await.as_secs_f64();
    assert!((2.7..4.5).contains(&one), "{one} s on one server");
    let retries = client.metrics().retries;
    assert!(retries > 3, "the client was refused and asked again: {retries}");
    settle(table).await;
    let two = write(table, 800, true).await.as_secs_f64();
    assert!((0.8..2.3).contains(&two), "{two} s on two servers");
    assert_eq!(rows(table).await, 800 + 400, "half of the second rows were there already");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_server_takes_as_much_as_its_quota_allows() {
    let settings = Settings { region_servers: 2, ..Settings::default() }
        .with("hbase.quota.enabled", true)
        .with("hbase.quota.refresh.period", REFRESH_MS);
    let cluster = OneJvm::start(&settings).unwrap_or_else(|error| panic!("{error}"));
    let client = Client::connect(&cluster.addresses().by_masters()).await.unwrap();
    let admin = client.admin();
    let of_table = create(&client, "quota_table", &["m"]).await;
    let places = of_table.regions().await.unwrap();
    assert_ne!(places[0].server, places[1].server, "each region has a server of its own");
    admin.throttle_table(of_table.name(), Counted::Writes, PER_SECOND).await.unwrap();
    compare_one_server_with_two(&client, &of_table).await;
    admin.unthrottle_table(of_table.name()).await.unwrap();

    let of_servers = create(&client, "quota_servers", &["m"]).await;
    admin.throttle_servers(Counted::Writes, PER_SECOND).await.unwrap();
    compare_one_server_with_two(&client, &of_servers).await;
    admin.unthrottle_servers().await.unwrap();
    settle(&of_servers).await;
    let free = write(&of_servers, 800, false).await;
    assert!(free < Duration::from_secs(2), "nothing is limited any more: {free:?}");
    for table in [of_table, of_servers] {
        drop_table(&admin, table.name()).await;
    }
}

#[tokio::test]
async fn a_cluster_without_quotas_says_so() {
    let admin = connect().await.admin();
    let error = admin.throttle_table(&table_name("quota"), Counted::Reads, 1).await.unwrap_err();
    assert!(error.to_string().contains("quota support disabled"), "{error}");
}
