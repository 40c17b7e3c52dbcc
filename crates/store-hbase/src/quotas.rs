//! Limits of what each server writes, where the cluster has quotas.

use hbase::Counted;
use tablesmith_model::TableName;
use tablesmith_store::StoreError;

use crate::HbaseStore;
use crate::error::About;

/// What a master says whose `hbase.quota.enabled` is not set.
const WITHOUT_QUOTAS: &str = "quota support disabled";

impl HbaseStore {
    /// Limits how many rows of a table each server writes in a second, or takes the limit away; false where the cluster has
    /// no quotas. The table need not be there yet.
    pub async fn limit_writes(
        &self,
        table: &TableName,
        rows_per_second: Option<u64>,
    ) -> Result<bool, StoreError> {
        let admin = self.client.admin();
        let done = match rows_per_second {
            Some(rows) => admin.throttle_table(table, Counted::Writes, rows).await,
            None => admin.unthrottle_table(table).await,
        };
        match done {
            Ok(()) => Ok(true),
            Err(error) if error.to_string().contains(WITHOUT_QUOTAS) => Ok(false),
            Err(error) => Err(About::Table(table).failed(error)),
        }
    }
}
