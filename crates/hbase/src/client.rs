//! The client: the way to tables and to administration.

use std::sync::Arc;
use std::time::Instant;

use crate::attempts::Attempts;
use crate::cluster::Cluster;
use crate::retry_report::Purpose;
use crate::{Admin, Bootstrap, Config, Error, Metrics, Table, TableName};

/// A connection to a cluster. Cheap to clone; all clones share connections and what is known of the cluster.
#[derive(Clone)]
pub struct Client {
    pub(crate) cluster: Arc<Cluster>,
}

impl Client {
    /// Connects to a cluster, e.g. `hbase://localhost:16000` or `hbase+zk://localhost:2181/hbase`.
    ///
    /// Asks the cluster for its id, so that a wrong address is told now and not at the first read.
    pub async fn connect(address: &str) -> Result<Self, Error> {
        Self::with_config(address.parse()?).await
    }

    /// The same with settings.
    pub async fn with_config(config: Config) -> Result<Self, Error> {
        let client = Self { cluster: Arc::new(Cluster::new(config)) };
        let deadline = Instant::now() + client.cluster.config.operation_timeout;
        client.cluster.registry.cluster_id(deadline).await.map_err(|last| Error::Bootstrap {
            asked: match &client.cluster.config.bootstrap {
                Bootstrap::Servers(servers) => servers.clone(),
                Bootstrap::ZooKeeper { quorum, .. } => quorum.clone(),
            },
            last: Box::new(last),
        })?;
        Ok(client)
    }

    /// A table, by name: `t` or `namespace:t`. Nothing is asked; a table that does not exist shows at its first use.
    pub fn table(&self, name: &str) -> Result<Table, Error> {
        Ok(self.table_named(name.parse()?))
    }

    /// The same with a name that is read already.
    pub fn table_named(&self, name: TableName) -> Table {
        Table { cluster: self.cluster.clone(), name }
    }

    /// Administration: tables, namespaces, regions, snapshots.
    pub fn admin(&self) -> Admin {
        Admin::new(self.cluster.clone())
    }

    /// The name that the cluster gave itself when it was set up.
    pub async fn cluster_id(&self) -> Result<String, Error> {
        let timeout = self.cluster.config.operation_timeout;
        let mut attempts = Attempts::new(&self.cluster, Purpose::of_cluster("GetClusterId"), timeout);
        loop {
            match self.cluster.registry.cluster_id(attempts.deadline()).await {
                Ok(id) => return Ok(id),
                Err(failure) => drop(attempts.failed(failure, None).await?),
            }
        }
    }

    /// What this client did up to now.
    pub fn metrics(&self) -> Metrics {
        self.cluster.counters.read()
    }
}
