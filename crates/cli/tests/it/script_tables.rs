//! The tables and namespaces that scripts make: on a cluster they outlive the script.

use std::collections::BTreeSet;
use std::path::PathBuf;

use tablesmith_model::TableName;
use tablesmith_store::{Store, StoreError};
use tablesmith_store_hbase::HbaseStore;
use tokio::task::JoinSet;

/// What scripts make. Each has names of its own.
pub struct ScriptTables {
    tables: BTreeSet<TableName>,
    namespaces: BTreeSet<String>,
}

impl ScriptTables {
    /// Whatever stands behind `create` and `create_namespace`; what is no name is made by no store.
    pub fn of(scripts: &[PathBuf]) -> Self {
        let texts: Vec<String> = scripts
            .iter()
            .map(|path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned())
            .collect();
        let behind = |command: &'static str| {
            let lines = texts.iter().flat_map(|text| text.lines());
            let rest =
                lines.filter_map(move |line| line.trim().strip_prefix(command)?.trim().strip_prefix('\''));
            rest.filter_map(|rest| rest.split('\'').next())
        };
        Self {
            tables: behind("create ").filter_map(|name| name.parse().ok()).collect(),
            namespaces: behind("create_namespace ").map(str::to_owned).collect(),
        }
    }

    /// Removes them from a cluster.
    pub fn drop_from(&self, address: &str) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let store = HbaseStore::connect(address).await.unwrap();
            let mut dropping = JoinSet::new();
            for table in store.list_tables().await.unwrap() {
                if self.tables.contains(&table) {
                    dropping.spawn(drop_table(store.clone(), table));
                }
            }
            dropping.join_all().await.into_iter().collect::<Result<(), _>>().unwrap();
            for namespace in store.list_namespaces().await.unwrap() {
                if self.namespaces.contains(&namespace) && !["hbase", "default"].contains(&&*namespace) {
                    store.drop_namespace(&namespace).await.unwrap();
                }
            }
        });
    }
}

async fn drop_table(store: HbaseStore, table: TableName) -> Result<(), StoreError> {
    if store.is_enabled(&table).await? {
        store.disable_table(&table).await?;
    }
    store.drop_table(&table).await
}
