//! What only a cluster has: ways to find it, names that HBase gives, aggregation by its coprocessor.

use hbase::ServiceMethod;
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::aggregate::merge;
use tablesmith_store::{
    Action, Aggregate, ClusterStatus, Filter, Get, Mutation, Number, Partial, Put, Scan, Store, ValueType,
};
use tablesmith_store_hbase::HbaseStore;

use crate::support::{client, drop_table, store, table_name};

/// 100 rows over four regions, a counter in each and another column in every second one.
async fn with_rows(store: &HbaseStore) -> TableName {
    let table = TableDescriptor::new(table_name("cluster"), [FamilyDescriptor::new("f")]);
    let name = table.name.clone();
    store.create_table(table, vec!["25".into(), "50".into(), "75".into()]).await.unwrap();
    let put = |row: i64| {
        let put = Put::new(format!("{row:02}")).add_at("f", "n", 1, row.to_be_bytes().to_vec());
        if row % 2 == 0 { put.add_at("f", "even", 1, "") } else { put }
    };
    let actions = (0..100).map(|row| Action::Mutate(Mutation::Put(put(row)))).collect();
    let answers = store.batch(&name, actions).await.unwrap().value;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    name
}

#[tokio::test]
async fn a_cluster_is_found_through_zookeeper_too() {
    let by_masters = store().await;
    let cluster = hbase_testbed::shared().unwrap();
    let by_zookeeper = HbaseStore::connect(&cluster.by_zookeeper()).await.unwrap();
    let table = with_rows(&by_masters).await;
    let row = by_zookeeper.get(&table, Get::new("42")).await.unwrap();
    assert_eq!(row.value.cells.len(), 2);
    assert_eq!((row.stats.cells, row.stats.regions), (Some(2), Some(1)));
    let servers =
        |status: ClusterStatus| status.servers.into_iter().map(|server| server.server).collect::<Vec<_>>();
    let (one, other) = (by_zookeeper.status().await.unwrap(), by_masters.status().await.unwrap());
    assert_eq!((&one.store, servers(one.clone()).len()), (&other.store, 3));
    assert_eq!(servers(one), servers(other));
    drop_table(&by_zookeeper, &table).await;
}

/// The store makes regions' names as HBase does, so that people can use them in both.
#[tokio::test]
async fn regions_have_the_names_that_hbase_gave_them() {
    let store = store().await;
    let table = with_rows(&store).await;
    let regions = store.regions(&table).await.unwrap();
    let known = client().await.table(&table.to_string()).unwrap().regions().await.unwrap();
    assert_eq!(regions.len(), 4);
    for (region, known) in regions.iter().zip(&known) {
        assert_eq!(region.encoded_name(), known.region.encoded_name());
        assert_eq!(region.name().as_bytes(), &known.region.name[..]);
    }
    let written: u64 = regions.iter().map(|region| region.load.writes).sum();
    assert_eq!(written, 100);
    drop_table(&store, &table).await;
}

#[tokio::test]
async fn aggregates_are_the_same_whoever_adds_up() {
    let store = store().await;
    let table = with_rows(&store).await;
    let sum_of = |scan: Scan, value: ValueType| {
        let aggregate = Aggregate::new(scan, value);
        let (store, table) = (store.clone(), table.clone());
        async move {
            let regions = store.aggregate(&table, aggregate).await.unwrap().value;
            (regions.len(), merge(&regions).into_values().next().unwrap_or_default())
        }
    };
    // One column and nothing but counts: the coprocessor. Its values as numbers too: scans.
    for scan in [
        Scan::range("10", "60").column("f", "n"),
        Scan::all().column("f", "even"),
        Scan::all().column("f", "n").filter(Filter::Page(7)),
        Scan::all().column("f", "missing"),
    ] {
        let (regions, counted) = sum_of(scan.clone(), ValueType::None).await;
        let (same_regions, scanned) = sum_of(scan.clone(), ValueType::I64).await;
        assert_eq!(
            (regions, counted.rows, counted.cells),
            (same_regions, scanned.rows, scanned.cells),
            "{scan:?}"
        );
        assert_eq!(counted, Partial { rows: scanned.rows, cells: scanned.cells, ..Partial::default() });
    }
    let (regions, partial) = sum_of(Scan::range("10", "60").column("f", "n"), ValueType::I64).await;
    assert_eq!((regions, partial.rows, partial.numbers), (3, 50, 50));
    assert_eq!((partial.sum, partial.max), (Number::Int((10..60).sum()), Some(Number::Int(59))));
    drop_table(&store, &table).await;
}

/// By this name the store knows that a table does not have the coprocessor, and scans.
#[tokio::test]
async fn a_missing_coprocessor_is_told_by_its_name() {
    let store = store().await;
    let table = with_rows(&store).await;
    let client = client().await.table(&table.to_string()).unwrap();
    let error =
        client.exec_service("", &ServiceMethod::new("NoSuchService", "Count"), "".into()).await.unwrap_err();
    assert_eq!(error.exception(), Some("UnknownProtocolException"));
    drop_table(&store, &table).await;
}
