//! Faults under load, on separate processes: a killed region server, changing regions, a restarted master, a bad
//! network. No acknowledged write is lost, counters are exact, a scan is complete, in order and without repeats.
//!
//! One test, so that the cluster starts once. `TABLESMITH_SOAK=1` makes ten rounds of it.

mod load;

use std::sync::Arc;
use std::time::{Duration, Instant};

use hbase::{Client, Config, HostPort, Location, TableName};
use hbase_testbed::proxy::{Condition, ProxySet, Reaction, Rule};
use hbase_testbed::{Cluster, Distributed, Settings};

use crate::random::seeded;
use load::{Amount, Load};

const ROUNDS: usize = 1;
const SOAK_ROUNDS: usize = 10;
/// Every operation ends within this time, whatever happens.
const DEADLINE: Duration = Duration::from_secs(90);

#[tokio::test(flavor = "multi_thread")]
async fn faults_lose_nothing() {
    let mut random = seeded();
    let cluster = Arc::new(start().await);
    let client = Client::with_config(config(&cluster)).await.unwrap();
    let load = Load::prepare(&client).await;
    let rounds = if std::env::var_os("TABLESMITH_SOAK").is_some() { SOAK_ROUNDS } else { ROUNDS };
    for round in 0..rounds {
        println!("round {round}: a region server is killed");
        let victim = random.usize(..3);
        load.run(&client, Amount::LARGE, kill_region_server(cluster.clone(), victim)).await;
        blocking(&cluster, move |cluster| {
            cluster.start_region_server(victim).unwrap();
            cluster.wait_for_region_servers(3, Duration::from_secs(60)).unwrap();
        })
        .await;
        println!("round {round}: regions are split, moved and merged");
        load.run(&client, Amount::SMALL, change_regions(client.clone(), load.tables())).await;
        println!("round {round}: the master is restarted");
        load.run(&client, Amount::SMALL, restart_master(cluster.clone())).await;
        println!("round {round}: the network cuts, delays and truncates");
        bad_network(&cluster, &load, random.u64(..)).await;
    }
}

async fn start() -> Distributed {
    let start = || Distributed::start(&Settings::default()).unwrap_or_else(|error| panic!("{error}"));
    tokio::task::spawn_blocking(start).await.unwrap()
}

fn config(cluster: &Distributed) -> Config {
    let mut config: Config = cluster.addresses().by_masters().parse().unwrap();
    config.operation_timeout = DEADLINE;
    config
}

/// The testbed blocks; the load goes on meanwhile.
async fn blocking(cluster: &Arc<Distributed>, work: impl FnOnce(&Distributed) + Send + 'static) {
    let cluster = cluster.clone();
    tokio::task::spawn_blocking(move || work(&cluster)).await.unwrap();
}

async fn kill_region_server(cluster: Arc<Distributed>, victim: usize) {
    tokio::time::sleep(Duration::from_millis(700)).await;
    blocking(&cluster, move |cluster| cluster.kill_region_server(victim).unwrap()).await;
}

async fn restart_master(cluster: Arc<Distributed>) {
    tokio::time::sleep(Duration::from_millis(300)).await;
    blocking(&cluster, |cluster| cluster.restart_master().unwrap()).await;
}

/// Of the table that is written and of the one that is scanned.
async fn change_regions(client: Client, tables: [TableName; 2]) {
    tokio::time::sleep(Duration::from_millis(300)).await;
    let admin = client.admin();
    for table in tables {
        let regions = async || all_regions(&client, &table).await;
        for location in regions().await.into_iter().take(2) {
            let middle = [&location.region.start[..], b"05"].concat();
            admin.split_region(&location.region.encoded_name(), Some(middle.into())).await.unwrap();
        }
        for location in regions().await.into_iter().take(3) {
            admin.move_region(&location.region.encoded_name(), None).await.unwrap();
        }
        let names: Vec<String> =
            regions().await.iter().take(4).map(|found| found.region.encoded_name()).collect();
        for pair in names.chunks(2) {
            admin.merge_regions(pair, false).await.unwrap();
        }
    }
}

/// All regions of a table: on a busy machine those of a server that died may still have no other one.
async fn all_regions(client: &Client, table: &TableName) -> Vec<Location> {
    let deadline = Instant::now() + Duration::from_secs(120);
    loop {
        let regions = client.table_named(table.clone()).regions().await.unwrap();
        let starts = regions.iter().skip(1).map(|next| &next.region.start);
        let ends = regions.iter().map(|region| &region.region.end);
        let is_whole = regions.first().is_some_and(|first| first.region.start.is_empty())
            && regions.last().is_some_and(|last| last.region.end.is_empty())
            && starts.zip(ends).all(|(start, end)| start == end);
        if is_whole {
            return regions;
        }
        assert!(Instant::now() < deadline, "regions of {table} are served by nobody: {regions:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn bad_network(cluster: &Arc<Distributed>, load: &Load, seed: u64) {
    let proxies = Arc::new(ProxySet::new(seed, Vec::new()));
    let mut config = config(cluster);
    config.rpc_timeout = Duration::from_secs(3);
    let translating = proxies.clone();
    config.translate = Some(Arc::new(move |address: &HostPort| {
        let proxy = translating.translate(&address.host, address.port).unwrap();
        HostPort::new(proxy.ip().to_string(), proxy.port())
    }));
    let client = Client::with_config(config).await.unwrap();
    let chance = |chance, then| Rule::new(Condition::Chance(chance), then);
    proxies.set_rules(vec![
        chance(0.004, Reaction::Cut),
        chance(0.004, Reaction::Truncate),
        chance(0.02, Reaction::Delay(Duration::from_millis(40))),
        chance(0.0005, Reaction::Stall),
    ]);
    load.run(&client, Amount::SMALL, async {}).await;
    let counts = proxies.counts();
    println!("{counts:?}, {:?}", client.metrics());
    assert!(client.metrics().retries > 0, "the network was too good: {counts:?}");
}
