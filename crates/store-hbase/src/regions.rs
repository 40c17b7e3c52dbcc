//! Regions: where they are, what they have to do, and how they are rearranged.

use std::collections::HashMap;

use bytes::Bytes;
use hbase::ServerName;
use tablesmith_model::TableName;
use tablesmith_model::bytes_text::to_text;
use tablesmith_store::{ClusterStatus, RegionInfo, RegionLoad, ServerLoad, StoreError};

use crate::error::About;
use crate::{HbaseStore, name};

const MEGABYTE: u64 = 1024 * 1024;

impl HbaseStore {
    /// The regions of a table, in key order; a table that is not there or does not answer is refused.
    pub(crate) async fn places_of(&self, table: &TableName) -> Result<Vec<hbase::Location>, StoreError> {
        let places = self.table(table)?.regions().await;
        let places = places.map_err(|error| About::Table(table).failed(error))?;
        if places.is_empty() && !self.answers(table).await? {
            return Err(StoreError::TableNotEnabled(table.clone()));
        }
        Ok(places)
    }

    /// The regions of a table with their load, fresh from their servers.
    pub(crate) async fn regions_with_load(&self, table: &TableName) -> Result<Vec<RegionInfo>, StoreError> {
        let places = self.places_of(table).await?;
        let loads = self.client.admin().region_loads(Some(&name::to_client(table)?)).await;
        let loads = loads.map_err(|error| About::Table(table).failed(error))?;
        let loads: HashMap<Bytes, RegionLoad> =
            loads.iter().map(|(_, region)| (region.region_name.clone(), load(region))).collect();
        let load_of = |place: &hbase::Location| loads.get(&place.region.name).copied().unwrap_or_default();
        places.iter().map(|place| info(place, load_of(place))).collect()
    }

    pub(crate) async fn split_one(&self, region: &str, at: Option<Bytes>) -> Result<(), StoreError> {
        let failed = |error| About::Region(region).failed(error);
        let admin = self.client.admin();
        if let Some(at) = &at {
            check_split_point(&admin.region(region).await.map_err(failed)?.region, at)?;
        }
        admin.split_region(region, at).await.map(drop).map_err(failed)
    }

    pub(crate) async fn split_all(&self, table: &TableName, at: Option<Bytes>) -> Result<(), StoreError> {
        if let Some(at) = &at {
            let places = self.places_of(table).await?;
            let mut regions = places.iter().map(|place| &place.region);
            regions
                .find(|region| region.contains(at))
                .map_or(Ok(()), |region| check_split_point(region, at))?;
        }
        let split = self.client.admin().split_table(&name::to_client(table)?, at).await;
        split.map(drop).map_err(|error| About::Table(table).failed(error))
    }

    pub(crate) async fn merge(&self, regions: &[String], force: bool) -> Result<(), StoreError> {
        let merged = self.client.admin().merge_regions(regions, force).await;
        merged.map(drop).map_err(|error| About::Cluster.failed(error))
    }

    pub(crate) async fn move_to(&self, region: &str, server: Option<&str>) -> Result<(), StoreError> {
        let no_server =
            |error: hbase::Error| StoreError::DoNotRetry(format!("there is no such server: {error}"));
        let server: Option<ServerName> = server.map(str::parse).transpose().map_err(no_server)?;
        match self.client.admin().move_region(region, server.as_ref()).await {
            Ok(_) => Ok(()),
            // The region stayed where it was.
            Err(hbase::Error::InvalidArgument(why)) => Err(StoreError::DoNotRetry(why)),
            Err(error) => Err(About::Region(region).failed(error)),
        }
    }

    /// The servers and their load, as their master knows: they report to it every few seconds.
    pub(crate) async fn cluster_status(&self) -> Result<ClusterStatus, StoreError> {
        let status = self.client.admin().cluster_status().await;
        let status = status.map_err(|error| About::Cluster.failed(error))?;
        Ok(ClusterStatus {
            store: format!("HBase {}, cluster {}", status.version, status.cluster_id),
            servers: status.servers.iter().map(server_load).collect(),
        })
    }
}

/// Refuses what HBase's own client does: a key that leaves nothing before it.
fn check_split_point(region: &hbase::Region, at: &[u8]) -> Result<(), StoreError> {
    if region.start == at {
        return Err(StoreError::Refused(format!("{} is the start of the region already", to_text(at))));
    }
    Ok(())
}

/// A region as the store tells of it.
pub(crate) fn info(place: &hbase::Location, load: RegionLoad) -> Result<RegionInfo, StoreError> {
    Ok(RegionInfo {
        table: name::from_client(&place.region.table)?,
        id: i64::try_from(place.region.id).unwrap_or(i64::MAX),
        start: place.region.start.clone(),
        end: place.region.end.clone(),
        server: place.server.as_ref().map(ToString::to_string).unwrap_or_default(),
        load,
    })
}

fn load(region: &hbase::RegionLoad) -> RegionLoad {
    RegionLoad {
        reads: region.read_requests,
        writes: region.write_requests,
        stored_bytes: Some(u64::from(region.store_file_size_mb) * MEGABYTE),
        memstore_bytes: u64::from(region.mem_store_size_mb) * MEGABYTE,
        store_files: region.store_files.into(),
        ..RegionLoad::default()
    }
}

fn server_load(server: &hbase::ServerLoad) -> ServerLoad {
    let mut sum = RegionLoad::default();
    server.regions.iter().for_each(|region| sum += load(region));
    ServerLoad { server: server.server.to_string(), regions: server.regions.len() as u64, load: sum }
}
