//! What of a design's tables is there already.

use std::collections::{BTreeMap, BTreeSet};

use tablesmith_model::{TableDescriptor, TableName};
use tablesmith_store::{Store, StoreError};

/// What a store has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Living {
    /// Its namespaces.
    pub namespaces: BTreeSet<String>,
    /// Those of the tables looked for that it has.
    pub tables: BTreeMap<TableName, LivingTable>,
}

/// A table that is there.
#[derive(Clone, Debug, PartialEq)]
pub struct LivingTable {
    /// As the store describes it.
    pub descriptor: TableDescriptor,
    /// Where its regions begin, rising; the first one's beginning is not among them.
    pub splits: Vec<Vec<u8>>,
}

impl Living {
    /// Looks for tables in a store.
    pub async fn look(store: &dyn Store, names: &[TableName]) -> Result<Self, StoreError> {
        let mut living =
            Self { namespaces: store.list_namespaces().await?.into_iter().collect(), ..Self::default() };
        for name in names {
            if !living.namespaces.contains(name.namespace()) || !store.table_exists(name).await? {
                continue;
            }
            let descriptor = store.describe_table(name).await?;
            let regions = store.regions(name).await?;
            let starts = regions.iter().map(|region| region.start.to_vec());
            let splits = starts.filter(|start| !start.is_empty()).collect();
            living.tables.insert(name.clone(), LivingTable { descriptor, splits });
        }
        Ok(living)
    }
}
