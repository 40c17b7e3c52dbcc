//! Administration: tables, namespaces, regions, snapshots, the cluster's state.
//!
//! What changes the cluster is a *procedure* of the master: it gets a number, goes on by itself even when the master
//! is replaced, and is asked for until it is done. Every operation here waits for its end.

mod balance;
mod compact;
mod find;
mod flush;
mod load;
mod master;
mod moves;
mod namespaces;
mod procedure;
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
pub use load::{RegionLoad, ServerLoad};
pub use namespaces::Namespace;
pub use schema::{FamilySchema, TableSchema};
pub use snapshots::{Snapshot, SnapshotKind};
pub use status::{ClusterStatus, RegionInTransition};

use crate::attempts::Attempts;
use crate::cluster::Cluster;

/// Administers a cluster. Cheap to clone; shares the client's connections.
#[derive(Clone)]
pub struct Admin {
    cluster: Arc<Cluster>,
}

impl Admin {
    pub(crate) fn new(cluster: Arc<Cluster>) -> Self {
        Self { cluster }
    }

    fn attempts(&self) -> Attempts<'_> {
        Attempts::until(&self.cluster, self.deadline())
    }

    /// When an operation that begins now must end.
    fn deadline(&self) -> Instant {
        Instant::now() + self.cluster.config.admin_timeout
    }

    /// When a single call that begins now must be answered.
    fn attempt_deadline(&self) -> Instant {
        Instant::now() + self.cluster.config.rpc_timeout
    }
}
