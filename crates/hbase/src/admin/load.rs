//! What servers and regions have to do.

use std::time::Instant;

use bytes::Bytes;
use tokio::task::JoinSet;

use super::{Admin, region_server};
use crate::retry_report::Purpose;
use crate::rpc::CallError;
use crate::{Error, RegionLoad, ServerName, TableName, name, pb};

/// A server and what it has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerLoad {
    /// The server.
    pub server: ServerName,
    /// Requests in a second, a moment ago.
    pub requests_per_second: u64,
    /// Requests since it started.
    pub requests_total: u64,
    /// Memory in use, in megabytes.
    pub heap_used_mb: u32,
    /// Memory that it may use, in megabytes.
    pub heap_max_mb: u32,
    /// Its regions.
    pub regions: Vec<RegionMetrics>,
}

impl ServerLoad {
    pub(super) fn from_pb(info: pb::LiveServerInfo) -> Option<Self> {
        let load = info.server_load;
        Some(Self {
            server: ServerName::from_pb(info.server).ok()?,
            requests_per_second: load.number_of_requests(),
            requests_total: load.total_number_of_requests(),
            heap_used_mb: load.used_heap_mb(),
            heap_max_mb: load.max_heap_mb(),
            regions: load.region_loads.into_iter().map(RegionMetrics::from_pb).collect(),
        })
    }
}

/// A region, as its server reports it. Counts begin anew when it is opened by another server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegionMetrics {
    /// The region's full name.
    pub region_name: Bytes,
    /// What it has to do. Servers tell sizes in megabytes.
    pub load: RegionLoad,
    /// Families.
    pub stores: u32,
    /// Bytes of its files before compression.
    pub uncompressed_bytes: u64,
    /// Reads that a filter answered with nothing.
    pub filtered_reads: u64,
    /// When the oldest file came of a major compaction, in milliseconds; 0: none did.
    pub last_major_compaction_ms: u64,
}

impl RegionMetrics {
    fn from_pb(metrics: pb::RegionLoad) -> Self {
        let bytes = |megabytes: u32| u64::from(megabytes) * 1024 * 1024;
        Self {
            load: RegionLoad {
                reads: metrics.read_requests_count(),
                writes: metrics.write_requests_count(),
                read_bytes: None,
                written_bytes: None,
                stored_bytes: Some(bytes(metrics.storefile_size_mb())),
                memstore_bytes: bytes(metrics.mem_store_size_mb()),
                store_files: metrics.storefiles().into(),
            },
            stores: metrics.stores(),
            uncompressed_bytes: bytes(metrics.store_uncompressed_size_mb()),
            filtered_reads: metrics.filtered_read_requests_count(),
            last_major_compaction_ms: metrics.last_major_compaction_ts(),
            region_name: metrics.region_specifier.value,
        }
    }
}

impl Admin {
    /// The load of all regions, of all tables or of one, fresh from the servers, each with its server.
    pub async fn region_loads(
        &self,
        table: Option<&TableName>,
    ) -> Result<Vec<(ServerName, RegionMetrics)>, Error> {
        let mut attempts = self.attempts().about(Purpose::of_cluster("GetRegionLoad"));
        loop {
            let servers = self.live_servers().await?;
            match self.ask_all(servers, table, attempts.attempt_deadline()).await {
                Ok(loads) => return Ok(loads),
                // A server that died a moment ago is not in the next list.
                Err(failure) => drop(attempts.failed(failure, None).await?),
            }
        }
    }

    async fn ask_all(
        &self,
        servers: Vec<ServerName>,
        table: Option<&TableName>,
        deadline: Instant,
    ) -> Result<Vec<(ServerName, RegionMetrics)>, CallError> {
        let mut tasks = JoinSet::new();
        for server in servers {
            let cluster = self.cluster.clone();
            let request = pb::GetRegionLoadRequest { table_name: table.map(name::table_to_pb) };
            tasks.spawn(async move {
                let reply: pb::GetRegionLoadResponse =
                    region_server::ask(&cluster, &server.address, "GetRegionLoad", &request, deadline)
                        .await?;
                let loads = reply.region_loads.into_iter().map(RegionMetrics::from_pb);
                Ok::<Vec<_>, CallError>(loads.map(|load| (server.clone(), load)).collect())
            });
        }
        let mut loads = Vec::new();
        while let Some(answer) = tasks.join_next().await {
            loads.extend(answer.map_err(|failure| CallError::NotDone(failure.to_string()))??);
        }
        loads.sort_by(|(_, one), (_, other)| one.region_name.cmp(&other.region_name));
        Ok(loads)
    }
}
