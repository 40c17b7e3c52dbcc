//! Administration: tables, namespaces, regions, snapshots, the cluster's state.
//!
//! What changes the cluster is a *procedure* of the master: it gets a number, goes on by itself even when the master
//! is replaced, and is asked for until it is done. Every operation here waits for its end.

mod balance;
mod compact;
mod find;
mod flush;
mod flush_by_master;
mod load;
mod master;
mod moves;
mod namespaces;
mod procedure;
mod quotas;
mod rearrange;
mod region_server;
mod schema;
mod snapshots;
mod split_merge;
mod status;
mod tables;
mod wait;

use std::sync::Arc;
use std::time::Instant;

pub use balance::Balanced;
pub use compact::Compaction;
pub use load::{RegionMetrics, ServerLoad};
pub use namespaces::Namespace;
pub use quotas::Counted;
pub use schema::{FamilySchema, TableSchema};
pub use snapshots::{Snapshot, SnapshotKind};
pub use status::{ClusterStatus, RegionInTransition};

use crate::attempts::Attempts;
use crate::cluster::Cluster;
use crate::retry_report::Purpose;

/// Of attempts whose calls say themselves what they are for.
const ADMINISTRATION: Purpose<'static> = Purpose { operation: "administration", table: None };

/// Administers a cluster. Cheap to clone; shares the client's connections.
///
/// ```no_run
/// # async fn example() -> Result<(), hbase::Error> {
/// use hbase::{Client, Compaction, FamilySchema, TableSchema};
///
/// let client = Client::connect("hbase://localhost:16000").await?;
/// let admin = client.admin();
/// let schema = TableSchema::new("metrics".parse()?).family(FamilySchema::new("d").versions(3).ttl_seconds(86_400));
/// admin.create_table(&schema, &["g".into(), "p".into()]).await?;
/// for (server, region) in admin.region_loads(Some(&schema.name)).await? {
///     println!("{server} has {} files of {:?}", region.load.store_files, region.region_name);
/// }
/// admin.flush_table(&schema.name, None).await?;
/// admin.compact_table_and_wait(&schema.name, Compaction::major()).await?;
/// admin.disable_table(&schema.name).await?;
/// admin.delete_table(&schema.name).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Admin {
    cluster: Arc<Cluster>,
}

impl Admin {
    pub(crate) fn new(cluster: Arc<Cluster>) -> Self {
        Self { cluster }
    }

    /// The attempts of a question that is answered at once.
    fn attempts(&self) -> Attempts<'_> {
        let timeout = self.cluster.config.operation_timeout;
        Attempts::new(&self.cluster, ADMINISTRATION, timeout)
    }

    /// The attempts of something that may take long.
    fn long_attempts(&self) -> Attempts<'_> {
        Attempts::until(&self.cluster, ADMINISTRATION, self.deadline())
    }

    /// When an operation that begins now and may take long must end.
    fn deadline(&self) -> Instant {
        Instant::now() + self.cluster.config.admin_timeout
    }
}
