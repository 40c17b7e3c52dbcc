//! A client of the shared cluster, and tables with names of their own.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use hbase::{Admin, Client, Config, FamilySchema, Put, Table, TableName, TableSchema};

pub const FAMILY: &str = "f";

/// Connects to the shared cluster, which the first test starts.
pub async fn connect() -> Client {
    let addresses = hbase_testbed::shared().unwrap_or_else(|error| panic!("{error}"));
    let mut config: Config = addresses.by_masters().parse().unwrap();
    // What hangs fails before anybody loses patience.
    config.operation_timeout = Duration::from_secs(60);
    config.admin_timeout = Duration::from_secs(120);
    Client::with_config(config).await.unwrap()
}

/// A name that no other test, process or earlier run has.
pub fn unique_name(word: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let started_ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    format!("{word}_{}_{started_ms}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A table's name that no other test has.
pub fn table_name(word: &str) -> TableName {
    unique_name(word).parse().unwrap()
}

/// The schema of a table with the family [`FAMILY`].
pub fn schema(word: &str) -> TableSchema {
    TableSchema::new(table_name(word)).family(FamilySchema::new(FAMILY))
}

pub fn keys(texts: &[&'static str]) -> Vec<Bytes> {
    texts.iter().copied().map(Bytes::from).collect()
}

/// Makes a table with the family [`FAMILY`].
pub async fn create(client: &Client, word: &str, splits: &[&'static str]) -> Table {
    create_as(client, &schema(word), splits).await
}

pub async fn create_as(client: &Client, schema: &TableSchema, splits: &[&'static str]) -> Table {
    client.admin().create_table(schema, &keys(splits)).await.unwrap();
    client.table_named(schema.name.clone())
}

/// Drops a table at the end of its test. A test that fails leaves its table, to be looked at.
pub async fn drop_table(admin: &Admin, table: &TableName) {
    if admin.is_table_enabled(table).await.unwrap() {
        admin.disable_table(table).await.unwrap();
    }
    admin.delete_table(table).await.unwrap();
}

pub async fn put(table: &Table, row: &str, qualifier: &'static str, value: impl Into<Bytes>) {
    table.put(Put::new(row.to_owned()).add(FAMILY, qualifier, value)).await.unwrap();
}
