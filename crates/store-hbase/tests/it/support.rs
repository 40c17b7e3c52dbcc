//! A store over the cluster that the tests share.

use std::time::Duration;

use tablesmith_store_hbase::HbaseStore;

/// Connects to the cluster, found through its masters. What hangs there shows sooner than usual.
pub async fn store() -> HbaseStore {
    let cluster = hbase_testbed::shared().unwrap();
    let mut config: hbase::Config = cluster.by_masters().parse().unwrap();
    config.operation_timeout = Duration::from_secs(30);
    config.admin_timeout = Duration::from_secs(120);
    HbaseStore::new(hbase::Client::with_config(config).await.unwrap())
}

/// A number that a variable of the environment gives.
pub fn number_from_env(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|value| value.parse().unwrap_or_else(|error| panic!("{name}={value}: {error}")))
}

/// Whether to take time.
pub fn soaking() -> bool {
    std::env::var_os("TABLESMITH_SOAK").is_some_and(|value| value == "1")
}
