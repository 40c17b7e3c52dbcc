//! A store over the cluster that the tests share, and tables with names of their own.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tablesmith_model::TableName;
use tablesmith_store::Store;
use tablesmith_store_hbase::HbaseStore;

/// Connects to the cluster, found through its masters. What hangs there shows sooner than usual.
pub async fn client() -> hbase::Client {
    let cluster = hbase_testbed::shared().unwrap_or_else(|error| panic!("{error}"));
    let mut config: hbase::Config = cluster.by_masters().parse().unwrap();
    config.operation_timeout = Duration::from_secs(30);
    config.admin_timeout = Duration::from_secs(120);
    hbase::Client::with_config(config).await.unwrap()
}

/// The store over it.
pub async fn store() -> HbaseStore {
    HbaseStore::new(client().await)
}

/// A name that no other test, process or earlier run has.
pub fn table_name(word: &str) -> TableName {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let started_ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{word}_{}_{started_ms}_{number}", std::process::id()).parse().unwrap()
}

/// Drops a table at the end of its test. A test that fails leaves its table, to be looked at.
pub async fn drop_table(store: &HbaseStore, table: &TableName) {
    store.disable_table(table).await.unwrap();
    store.drop_table(table).await.unwrap();
}

/// A number that a variable of the environment gives.
pub fn number_from_env(name: &str) -> Option<u64> {
    let number = |value: String| value.parse().unwrap_or_else(|error| panic!("{name}={value}: {error}"));
    std::env::var(name).ok().map(number)
}

/// Whether to take time.
pub fn soaking() -> bool {
    std::env::var_os("TABLESMITH_SOAK").is_some_and(|value| value == "1")
}
