//! Administration over a network that loses replies: everything happens, and happens once.

use std::sync::Arc;
use std::time::Duration;

use hbase::{
    Client, Compaction, Config, FamilySchema, Get, HostPort, Namespace, Scan, SnapshotKind, TableName,
    TableSchema,
};
use hbase_testbed::proxy::{Condition, Direction, ProxySet, Reaction, Rule};

use crate::random::seeded;
use crate::support::{FAMILY, drop_table, keys, put, unique_name};

/// A client whose connections go through the proxies.
async fn connect(proxies: &Arc<ProxySet>) -> Client {
    let addresses = hbase_testbed::shared().unwrap_or_else(|error| panic!("{error}"));
    let mut config: Config = addresses.by_masters().parse().unwrap();
    config.admin_timeout = Duration::from_secs(120);
    let translating = proxies.clone();
    config.translate = Some(Arc::new(move |address: &HostPort| {
        let proxy = translating.translate(&address.host, address.port).unwrap();
        HostPort::new(proxy.ip().to_string(), proxy.port())
    }));
    Client::with_config(config).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_reply_makes_nothing_happen_twice() {
    let proxies = Arc::new(ProxySet::new(seeded().u64(..), Vec::new()));
    let client = connect(&proxies).await;
    let reply_is_lost =
        Condition::All(vec![Condition::Direction(Direction::ToClient), Condition::Chance(0.2)]);
    proxies.set_rules(vec![Rule::new(reply_is_lost, Reaction::Cut)]);
    for _ in 0..2 {
        one_life(&client).await;
    }
    assert!(proxies.counts().cuts > 20, "{:?}", proxies.counts());
    assert!(client.metrics().retries > 20, "{:?}", client.metrics());
}

/// A namespace and a table in it, from beginning to end. Each step fails if it is done a second time.
async fn one_life(client: &Client) {
    let admin = client.admin();
    let namespace = Namespace::new(unique_name("lost"));
    admin.create_namespace(&namespace).await.unwrap();
    let name = TableName::new(&namespace.name, "t").unwrap();
    let schema = TableSchema::new(name.clone()).family(FamilySchema::new(FAMILY));
    admin.create_table(&schema, &keys(&["m"])).await.unwrap();
    let table = client.table_named(name.clone());
    put(&table, "a", "q", "v").await;
    admin.modify_table(&schema.family(FamilySchema::new("more"))).await.unwrap();
    admin.flush_table(&name, None).await.unwrap();
    admin.compact_table_and_wait(&name, Compaction::major()).await.unwrap();
    let snapshot = unique_name("lost");
    admin.create_snapshot(&snapshot, &name, SnapshotKind::Flush).await.unwrap();
    admin.disable_table(&name).await.unwrap();
    admin.truncate_table(&name, true).await.unwrap();
    assert_eq!(table.aggregate(Scan::all()).row_count().await.unwrap(), 0);
    admin.disable_table(&name).await.unwrap();
    admin.restore_snapshot(&snapshot).await.unwrap();
    admin.enable_table(&name).await.unwrap();
    admin.delete_snapshot(&snapshot).await.unwrap();
    let daughters = admin.split_table(&name, Some("g".into())).await.unwrap();
    assert_eq!(daughters.len(), 2);
    let names: Vec<_> = daughters.iter().map(|found| found.region.encoded_name()).collect();
    admin.move_region(&names[0], None).await.unwrap();
    admin.merge_regions(&names, false).await.unwrap();
    assert_eq!(table.get(Get::new("a")).await.unwrap().cells.len(), 1);
    assert_eq!(table.regions().await.unwrap().len(), 2);
    drop_table(&admin, &name).await;
    admin.delete_namespace(&namespace.name).await.unwrap();
}
