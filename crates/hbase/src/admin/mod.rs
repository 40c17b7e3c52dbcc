//! Administration: tables, namespaces, regions, snapshots, the cluster's state.
//!
//! What changes the cluster is a *procedure* of the master: it gets a number, goes on by itself even when the master
//! is replaced, and is asked for until it is done. Every operation here waits for its end.

mod master;
mod namespaces;
mod procedure;
mod schema;
mod tables;
mod wait;

use std::sync::Arc;

pub use namespaces::Namespace;
pub use schema::{FamilySchema, TableSchema};

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
        Attempts::new(&self.cluster, self.cluster.config.admin_timeout)
    }
}
