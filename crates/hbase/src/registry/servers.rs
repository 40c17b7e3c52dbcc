//! Asks masters and region servers (ClientMetaService). Nobody needs ZooKeeper for this.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use prost::{Message, Name};

use super::nobody;
use crate::rpc::pool::Pool;
use crate::rpc::{CallError, CallOptions, Reply, Service};
use crate::{HostPort, ServerName, pb};

/// So many servers that the cluster names are kept, as many as HBase's servers name.
const LEARNED_MAX: usize = 10;

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

    pub async fn meta_server(&self, deadline: Instant) -> Result<ServerName, CallError> {
        let message = &pb::GetMetaRegionLocationsRequest {};
        let (reply, locations) = self.ask("GetMetaRegionLocations", message, deadline).await?;
        let pb::GetMetaRegionLocationsResponse { meta_locations } = locations;
        let server = (meta_locations.into_iter())
            .filter(|location| location.region_info.replica_id.unwrap_or_default() == 0)
            .find_map(|location| location.server_name);
        named(&reply, server, "the server of hbase:meta")
    }

    pub async fn active_master(&self, deadline: Instant) -> Result<ServerName, CallError> {
        let (reply, master) = self.ask("GetActiveMaster", &pb::GetActiveMasterRequest {}, deadline).await?;
        let pb::GetActiveMasterResponse { server_name } = master;
        named(&reply, server_name, "the active master")
    }

    pub async fn cluster_id(&self, deadline: Instant) -> Result<String, CallError> {
        let (_, answer) = self.ask("GetClusterId", &pb::GetClusterIdRequest {}, deadline).await?;
        let pb::GetClusterIdResponse { cluster_id } = answer;
        cluster_id.ok_or_else(|| nobody("the cluster's id"))
    }

    /// Asks one after the other until one answers what can be decoded.
    async fn ask<R: Message + Name + Default>(
        &self,
        method: &'static str,
        message: &impl Message,
        deadline: Instant,
    ) -> Result<(Reply, R), CallError> {
        let candidates = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut last = CallError::NoServer("no server to ask is given".to_owned());
        for address in candidates {
            match self.ask_one(&address, method, message, deadline).await {
                Ok((reply, answer)) => {
                    self.answered(&address, deadline).await;
                    return Ok((reply, answer));
                }
                Err(error) => last = error,
            }
            if Instant::now() >= deadline {
                break;
            }
        }
        Err(last)
    }

    async fn ask_one<R: Message + Name + Default>(
        &self,
        address: &HostPort,
        method: &'static str,
        message: &impl Message,
        deadline: Instant,
    ) -> Result<(Reply, R), CallError> {
        let connection = self.pool.connection(address, Service::Registry).await?;
        let deadline = deadline.min(Instant::now() + self.timeout);
        let reply = connection.call(method, message, CallOptions { deadline, priority: None }).await?;
        let answer = reply.read()?;
        Ok((reply, answer))
    }

    /// Learns of more servers, the first time that one answers, so that the given ones may go away.
    async fn answered(&self, address: &HostPort, deadline: Instant) {
        let learned = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.retain(|other| other != address);
            known.insert(0, address.clone());
            known.len() > self.given.len()
        };
        if learned {
            return;
        }
        let request = pb::GetBootstrapNodesRequest {};
        let nodes = self.ask_one(address, "GetBootstrapNodes", &request, deadline).await;
        // An older server does not know the method: then the given ones must do.
        let Ok((_, pb::GetBootstrapNodesResponse { server_name })) = nodes else { return };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        for server in server_name.into_iter().filter_map(|name| ServerName::from_pb(name).ok()) {
            if known.len() >= self.given.len() + LEARNED_MAX {
                break;
            }
            if !known.contains(&server.address) {
                known.push(server.address);
            }
        }
    }
}

/// The server that a reply names, if it names one.
fn named(reply: &Reply, server: Option<pb::ServerName>, what: &str) -> Result<ServerName, CallError> {
    let server = server.ok_or_else(|| nobody(what))?;
    ServerName::from_pb(server).map_err(|error| reply.origin.refuse(error))
}
