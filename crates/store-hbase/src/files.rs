//! Flushes and compactions, each waited for.

use bytes::Bytes;
use hbase::Compaction;
use tablesmith_store::{FlushScope, StoreError};

use crate::error::About;
use crate::{HbaseStore, name};

impl HbaseStore {
    pub(crate) async fn flush_scope(&self, scope: &FlushScope) -> Result<(), StoreError> {
        let admin = self.client.admin();
        match scope {
            FlushScope::Table(table, family) => {
                // Through the master, since a flush leaves the files alone that are there already.
                let flushed = admin.flush_table_by_master(&name::to_client(table)?, family.clone()).await;
                flushed.map_err(|error| About::Table(table).failed(error))
            }
            FlushScope::Region(region, family) => {
                let flushed = admin.flush_region(region, family.clone()).await;
                flushed.map_err(|error| About::Region(region).failed(error))
            }
        }
    }

    /// A table that does not answer has nothing to compact, as HBase sees it.
    pub(crate) async fn compact_scope(&self, scope: &FlushScope, major: bool) -> Result<(), StoreError> {
        let compacted = match scope {
            FlushScope::Table(table, family) => {
                let table_name = name::to_client(table)?;
                let what = compaction(major, family);
                let compacted = self.client.admin().compact_table_and_wait(&table_name, what).await;
                compacted.map_err(|error| About::Table(table).failed(error))
            }
            FlushScope::Region(region, family) => {
                let what = compaction(major, family);
                let compacted = self.client.admin().compact_region_and_wait(region, what).await;
                compacted.map_err(|error| About::Region(region).failed(error))
            }
        };
        match compacted {
            Err(StoreError::TableNotEnabled(_)) => Ok(()),
            other => other,
        }
    }
}

fn compaction(major: bool, family: &Option<Bytes>) -> Compaction {
    Compaction { major, family: family.clone() }
}
