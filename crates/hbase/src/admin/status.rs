//! How the cluster is.

use bytes::Bytes;

use super::master::ask;
use super::{Admin, ServerLoad};
use crate::{Error, ServerName, pb};
use pb::ClusterOption as Part;

/// How the cluster is, as its master knows: servers report to it every few seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterStatus {
    /// The version of HBase.
    pub version: String,
    /// The name that the cluster gave itself when it was set up.
    pub cluster_id: String,
    /// The active master.
    pub master: Option<ServerName>,
    /// Masters that wait for their turn.
    pub backup_masters: Vec<ServerName>,
    /// Region servers that are up, with the load of each of their regions.
    pub servers: Vec<ServerLoad>,
    /// Region servers that are gone.
    pub dead_servers: Vec<ServerName>,
    /// Regions that nobody serves at the moment.
    pub regions_in_transition: Vec<RegionInTransition>,
    /// Whether the balancer runs from time to time.
    pub balancer_on: bool,
}

/// A region on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionInTransition {
    /// The region's encoded name.
    pub region: Bytes,
    /// `OPENING`, `CLOSING`, `SPLITTING`…
    pub state: &'static str,
}

impl ClusterStatus {
    fn from_pb(status: pb::ClusterStatus) -> Self {
        let balancer_on = status.balancer_on();
        let name = |server: pb::ServerName| ServerName::from_pb(server).ok();
        let names = |servers: Vec<pb::ServerName>| servers.into_iter().filter_map(name).collect();
        let transition = |region: pb::RegionInTransition| RegionInTransition {
            state: region.region_state.state().as_str_name(),
            region: region.spec.value,
        };
        let mut servers: Vec<ServerLoad> =
            status.live_servers.into_iter().filter_map(ServerLoad::from_pb).collect();
        servers.sort_by(|one, other| one.server.cmp(&other.server));
        Self {
            version: status.hbase_version.map(|content| content.version).unwrap_or_default(),
            cluster_id: status.cluster_id.map(|id| id.cluster_id).unwrap_or_default(),
            master: status.master.and_then(name),
            backup_masters: names(status.backup_masters),
            servers,
            dead_servers: names(status.dead_servers),
            regions_in_transition: status.regions_in_transition.into_iter().map(transition).collect(),
            balancer_on,
        }
    }
}

impl Admin {
    /// How the cluster is, with the load of every server and region.
    pub async fn cluster_status(&self) -> Result<ClusterStatus, Error> {
        let parts = vec![
            Part::HbaseVersion,
            Part::ClusterId,
            Part::LiveServers,
            Part::DeadServers,
            Part::Master,
            Part::BackupMasters,
            Part::RegionsInTransition,
            Part::BalancerOn,
        ];
        Ok(ClusterStatus::from_pb(self.status_of(parts).await?))
    }

    /// The region servers that are up.
    pub async fn live_servers(&self) -> Result<Vec<ServerName>, Error> {
        let status = self.status_of(vec![Part::ServersName]).await?;
        let mut servers: Vec<ServerName> =
            status.servers_name.into_iter().filter_map(|name| ServerName::from_pb(name).ok()).collect();
        servers.sort();
        Ok(servers)
    }

    pub(super) async fn status_of(&self, parts: Vec<Part>) -> Result<pb::ClusterStatus, Error> {
        let request = pb::GetClusterStatusRequest { options: parts.into_iter().map(Into::into).collect() };
        let reply: pb::GetClusterStatusResponse =
            ask(&self.cluster, "GetClusterStatus", &request, &mut self.attempts()).await?;
        Ok(reply.cluster_status)
    }
}
