//! Where the cluster begins: who serves `hbase:meta`, who is master.

mod servers;
mod zookeeper;

use std::sync::Arc;
use std::time::Instant;

use crate::config::Bootstrap;
use crate::rpc::CallError;
use crate::rpc::pool::Pool;
use crate::{Config, ServerName};

/// A source of the first answers.
pub(crate) enum Registry {
    Servers(servers::Servers),
    ZooKeeper(zookeeper::ZooKeeper),
}

impl Registry {
    pub fn new(config: &Config, pool: Arc<Pool>) -> Self {
        match &config.bootstrap {
            Bootstrap::Servers(known) => {
                Self::Servers(servers::Servers::new(known.clone(), pool, config.rpc_timeout))
            }
            Bootstrap::ZooKeeper { quorum, root } => Self::ZooKeeper(zookeeper::ZooKeeper {
                quorum: quorum.clone(),
                root: root.clone(),
                timeout: config.connect_timeout,
                translate: config.translate.clone(),
            }),
        }
    }

    /// Who serves `hbase:meta`.
    pub async fn meta_server(&self, deadline: Instant) -> Result<ServerName, CallError> {
        match self {
            Self::Servers(servers) => servers.meta_server(deadline).await,
            Self::ZooKeeper(zookeeper) => zookeeper.meta_server(deadline).await,
        }
    }

    /// Who is the active master.
    pub async fn active_master(&self, deadline: Instant) -> Result<ServerName, CallError> {
        match self {
            Self::Servers(servers) => servers.active_master(deadline).await,
            Self::ZooKeeper(zookeeper) => zookeeper.active_master(deadline).await,
        }
    }

    /// The name that the cluster gave itself.
    pub async fn cluster_id(&self, deadline: Instant) -> Result<String, CallError> {
        match self {
            Self::Servers(servers) => servers.cluster_id(deadline).await,
            Self::ZooKeeper(zookeeper) => zookeeper.cluster_id(deadline).await,
        }
    }
}

fn nobody(what: &str) -> CallError {
    CallError::NoServer(format!("{what} is not known now"))
}
