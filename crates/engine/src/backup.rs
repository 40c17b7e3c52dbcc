//! A second copy of the table records, in `tables.json`: what a damaged store is read by when the first one is gone.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::checkpoint::replace_durably;
use crate::meta::TableRecord;

/// Name of the file.
pub(crate) const FILE: &str = "tables.json";

/// The file's content. It is as old as the last administrative command, or the last close after tables changed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Backup {
    /// Names of keyspaces by their id, which is the name of their directory.
    pub keyspaces: BTreeMap<u64, String>,
    pub tables: BTreeMap<String, TableRecord>,
}

impl Backup {
    /// `None` when there is none that can be read: nothing but reading a damaged store needs it.
    pub fn read(dir: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(dir.join(FILE)).ok()?).ok()
    }

    pub fn write(&self, dir: &Path) -> std::io::Result<()> {
        replace_durably(dir, FILE, &serde_json::to_vec(self).map_err(std::io::Error::other)?)
    }

    /// The tables that have a family in a keyspace, as `table t, family f`.
    pub fn tables_of_keyspace(&self, keyspace: &str) -> Vec<String> {
        if keyspace == crate::meta::META_KEYSPACE {
            return vec!["the records of all tables".to_owned()];
        }
        let families = self
            .tables
            .iter()
            .flat_map(|(table, record)| record.families.iter().map(move |family| (table, family)));
        let named = families.filter(|(_, family)| family.keyspace == keyspace);
        named.map(|(table, family)| format!("table {table}, family {}", family.name)).collect()
    }
}
