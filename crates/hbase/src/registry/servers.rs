//! Asks masters and region servers (ClientMetaService). Nobody needs ZooKeeper for this.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use prost::Message;

use super::nobody;
use crate::rpc::pool::Pool;
use crate::rpc::{CallError, CallOptions, Reply, Service};
use crate::{HostPort, ServerName, pb};

pub(crate) struct Servers {
    /// As given by the user: always tried, so that a cluster that was replaced is found again.
    given: Vec<HostPort>,
    /// Who is asked, the last one that answered first. Grows by the servers that the cluster names.
    known: Mutex<Vec<HostPort>>,
    pool: Arc<Pool>,
    timeout: Duration,
}

impl Servers {
    pub fn new(given: Vec<HostPort>, pool: Arc<Pool>, timeout: Duration) -> Self {
        Self { known: Mutex::new(given.clone()), given, pool, timeout }
    }

    pub async fn meta_server(&self) -> Result<ServerName, CallError> {
        let reply = self.ask("GetMetaRegionLocations", &pb::GetMetaRegionLocationsRequest {}).await?;
        let locations = reply.read::<pb::GetMetaRegionLocationsResponse>()?.meta_locations;
        (locations.into_iter())
            .filter(|location| location.region_info.replica_id.unwrap_or_default() == 0)
            .find_map(|location| ServerName::from_pb(location.server_name?))
            .ok_or_else(|| nobody("the server of hbase:meta"))
    }

    pub async fn active_master(&self) -> Result<ServerName, CallError> {
        let reply = self.ask("GetActiveMaster", &pb::GetActiveMasterRequest {}).await?;
        let master = reply.read::<pb::GetActiveMasterResponse>()?.server_name;
        master.and_then(ServerName::from_pb).ok_or_else(|| nobody("the active master"))
    }

    pub async fn cluster_id(&self) -> Result<String, CallError> {
        let reply = self.ask("GetClusterId", &pb::GetClusterIdRequest {}).await?;
        reply.read::<pb::GetClusterIdResponse>()?.cluster_id.ok_or_else(|| nobody("the cluster's id"))
    }

    /// Asks one after the other until one answers.
    async fn ask(&self, method: &'static str, message: &impl Message) -> Result<Reply, CallError> {
        let candidates = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut last = CallError::NoServer("no server to ask is given".to_owned());
        for address in candidates {
            match self.ask_one(&address, method, message).await {
                Ok(reply) => {
                    self.answered(&address).await;
                    return Ok(reply);
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    async fn ask_one(
        &self,
        address: &HostPort,
        method: &'static str,
        message: &impl Message,
    ) -> Result<Reply, CallError> {
        let connection = self.pool.connection(address, Service::Registry).await?;
        let options = CallOptions { deadline: Instant::now() + self.timeout, priority: None };
        connection.call(method, message, options).await
    }

    /// Learns of more servers, the first time that one answers, so that the given ones may go away.
    async fn answered(&self, address: &HostPort) {
        let learned = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.retain(|other| other != address);
            known.insert(0, address.clone());
            known.len() > self.given.len()
        };
        if learned {
            return;
        }
        let nodes = self.ask_one(address, "GetBootstrapNodes", &pb::GetBootstrapNodesRequest {}).await;
        let nodes = nodes.and_then(|reply| reply.read::<pb::GetBootstrapNodesResponse>());
        // An older server does not know the method: then the given ones must do.
        let Ok(nodes) = nodes else { return };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        for server in nodes.server_name.into_iter().filter_map(ServerName::from_pb) {
            if !known.contains(&server.address) {
                known.push(server.address);
            }
        }
    }
}
