//! Quotas, on a cluster that has them: a server refuses, the client waits as long as it is told and asks again.
//!
//! Refusals and grants are counted. Seconds only say how much a server may have granted at most: a slow machine takes longer
//! and may be granted more, never less.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hbase::{Action, Client, Config, Counted, HostPort, Mutation, Put, RetryReport, Table};
use hbase_testbed::{Cluster, OneJvm, Settings};

use crate::support::{FAMILY, connect, create, drop_table, table_name};

/// Writes that a server takes in a second, and at once.
const PER_SECOND: u64 = 20;
/// Servers read quotas so often here.
const REFRESH_MS: u64 = 500;
/// What takes so many batches does not happen.
const BATCHES_MAX: u64 = 2_000;

/// How often each server has refused.
#[derive(Clone, Default)]
struct Refusals(Arc<Mutex<HashMap<HostPort, usize>>>);

impl Refusals {
    fn note(&self, report: &RetryReport<'_>) {
        if let (Some("RpcThrottlingException"), Some(server)) = (report.failure.exception(), report.server) {
            *self.0.lock().unwrap().entry(server.clone()).or_default() += 1;
        }
    }

    fn by(&self, server: &HostPort) -> usize {
        self.0.lock().unwrap().get(server).copied().unwrap_or_default()
    }

    fn all(&self) -> usize {
        self.0.lock().unwrap().values().sum()
    }
}

/// A region of a table with two, and the server that has it.
struct Half<'a> {
    table: &'a Table,
    refusals: &'a Refusals,
    prefix: &'static str,
    server: HostPort,
    written: u64,
}

impl Half<'_> {
    /// Writes new rows, with all the refusals that this takes.
    async fn write(&mut self, rows: u64) {
        let put = |row: u64| {
            let key = format!("{}{row:08}", self.prefix);
            Action::Mutate(Mutation::Put(Put::new(key).add(FAMILY, "q", "v")))
        };
        let puts = (self.written..self.written + rows).map(put).collect();
        for outcome in self.table.batch(puts).await {
            outcome.unwrap();
        }
        self.written += rows;
    }

    /// Writes until the server refuses. A server that has not heard of a quota yet takes everything.
    async fn write_until_refused(&mut self) {
        let before = self.refusals.by(&self.server);
        for _ in 0..BATCHES_MAX {
            self.write(PER_SECOND).await;
            if self.refusals.by(&self.server) > before {
                return;
            }
        }
        panic!("{} takes all that comes", self.server);
    }
}

/// Each server has its own quota, and takes no more than that.
async fn see_limits(table: &Table, refusals: &Refusals) {
    let places = table.regions().await.unwrap();
    assert_ne!(places[0].server, places[1].server, "each region has a server of its own");
    let half = |prefix, place: usize| {
        let server = places[place].address.clone();
        Half { table, refusals, prefix, server, written: 0 }
    };
    let (mut one, mut other) = (half("a", 0), half("z", 1));
    // Now both servers have read the quota; and the other has its second's worth again after a second, or later.
    one.write_until_refused().await;
    other.write_until_refused().await;
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    one.write_until_refused().await;
    let before = refusals.by(&other.server);
    other.write(PER_SECOND / 2).await;
    assert_eq!(refusals.by(&other.server), before, "what one server has had is not taken from the other");
    let (begun, before) = (Instant::now(), one.written);
    for _ in 0..4 {
        one.write(PER_SECOND).await;
    }
    let granted = one.written - before;
    let most = PER_SECOND as f64 * (1.0 + begun.elapsed().as_secs_f64());
    assert!(granted as f64 <= most, "{granted} rows were granted, at most {most} may be");
    let rows = table.aggregate(hbase::Scan::all()).row_count().await.unwrap();
    assert_eq!(rows, one.written + other.written, "what was refused was written in the end, and once");
}

/// Writes until a server takes five times its quota without a refusal: it has heard that there is none any more.
async fn see_no_limits(table: &Table, refusals: &Refusals) {
    let server = table.regions().await.unwrap()[0].address.clone();
    let mut half = Half { table, refusals, prefix: "a", server, written: 0 };
    for _ in 0..BATCHES_MAX {
        let before = refusals.all();
        for _ in 0..5 {
            half.write(PER_SECOND).await;
        }
        if refusals.all() == before {
            return;
        }
    }
    panic!("{} still refuses", half.server);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_server_takes_as_much_as_its_quota_allows() {
    let settings = Settings { region_servers: 2, ..Settings::default() }
        .with("hbase.quota.enabled", true)
        .with("hbase.quota.refresh.period", REFRESH_MS);
    let cluster = OneJvm::start(&settings).unwrap_or_else(|error| panic!("{error}"));
    let mut config: Config = cluster.addresses().by_masters().parse().unwrap();
    let refusals = Refusals::default();
    let noting = refusals.clone();
    config.retry_observer = Some(Arc::new(move |report: &RetryReport<'_>| noting.note(report)));
    let client = Client::with_config(config).await.unwrap();
    let admin = client.admin();

    let of_table = create(&client, "quota_table", &["m"]).await;
    admin.throttle_table(of_table.name(), Counted::Writes, PER_SECOND).await.unwrap();
    see_limits(&of_table, &refusals).await;
    admin.unthrottle_table(of_table.name()).await.unwrap();

    let of_servers = create(&client, "quota_servers", &["m"]).await;
    admin.throttle_servers(Counted::Writes, PER_SECOND).await.unwrap();
    see_limits(&of_servers, &refusals).await;
    admin.unthrottle_servers().await.unwrap();
    see_no_limits(&of_servers, &refusals).await;
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
