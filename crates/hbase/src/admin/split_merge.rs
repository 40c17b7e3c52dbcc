//! Splitting and merging regions.

use std::time::Instant;

use bytes::Bytes;

use super::Admin;
use super::procedure::Nonces;
use super::region_server::{ask_patiently, encoded_specifier, specifier};
use crate::cluster::Cluster;
use crate::region::each::{Failure, RegionWork, each_region};
use crate::region::range::KeyRange;
use crate::rpc::CallError;
use crate::{Error, Location, Region, TableName, pb};

impl Admin {
    /// Splits a region, by its name or encoded name, at a row or where the server thinks best, and waits until the new
    /// regions are served. Returns what stands in its place.
    pub async fn split_region(&self, region: &str, at: Option<Bytes>) -> Result<Vec<Location>, Error> {
        let location = self.region(region).await?;
        self.split(&location.region, at).await
    }

    /// Splits the region of a table that has a row, there; without a row, all regions that are large enough, where
    /// the servers think best. Waits until the new regions are served and returns them.
    pub async fn split_table(&self, table: &TableName, at: Option<Bytes>) -> Result<Vec<Location>, Error> {
        let range = at.as_ref().map(KeyRange::row).unwrap_or_default();
        let work = Split { admin: self.clone(), at };
        let done = each_region(&self.cluster, table, &range, work, self.deadline()).await?;
        Ok(done.into_iter().flatten().collect())
    }

    async fn split(&self, region: &Region, at: Option<Bytes>) -> Result<Vec<Location>, Error> {
        let request = |Nonces { group, nonce }| pb::SplitTableRegionRequest {
            region_info: region.to_pb(),
            split_row: at.clone(),
            nonce_group: group,
            nonce,
        };
        let old = std::slice::from_ref(region);
        self.rearrange(old, pb::GetRegionInfoResponse::splittable, "SplitRegion", request).await
    }

    /// Merges regions of a table, by their names or encoded names, and waits until the new one is served. Regions that
    /// are not neighbours are only merged by force. Returns what stands in their place.
    pub async fn merge_regions(&self, regions: &[String], force: bool) -> Result<Vec<Location>, Error> {
        let mut old = Vec::with_capacity(regions.len());
        for name in regions {
            old.push(self.region(name).await?.region);
        }
        let request = |Nonces { group, nonce }| pb::MergeTableRegionsRequest {
            region: old.iter().map(|region| encoded_specifier(&region.encoded_name())).collect(),
            forcible: Some(force),
            nonce_group: group,
            nonce,
        };
        self.rearrange(&old, pb::GetRegionInfoResponse::mergeable, "MergeTableRegions", request).await
    }
}

/// Splits each region at the row given, else at its best point if it has one.
struct Split {
    admin: Admin,
    at: Option<Bytes>,
}

impl RegionWork for Split {
    type Output = Vec<Location>;

    fn name(&self) -> &'static str {
        "GetRegionInfo"
    }

    async fn run(
        &self,
        cluster: &Cluster,
        location: &Location,
        _: &KeyRange,
        deadline: Instant,
    ) -> Result<Vec<Location>, Failure> {
        let at = match &self.at {
            Some(row) => Some(row.clone()),
            None => best_split_row(cluster, location, deadline).await?,
        };
        match at {
            Some(row) if !row.is_empty() => Ok(self.admin.split(&location.region, Some(row)).await?),
            _ => Ok(Vec::new()),
        }
    }
}

/// Where the server would split a region, if it is large enough. For this it may flush it.
async fn best_split_row(
    cluster: &Cluster,
    location: &Location,
    deadline: Instant,
) -> Result<Option<Bytes>, CallError> {
    let region = specifier(location);
    let request = pb::GetRegionInfoRequest { region, compaction_state: None, best_split_row: Some(true) };
    let reply: pb::GetRegionInfoResponse =
        ask_patiently(cluster, &location.address, "GetRegionInfo", &request, deadline).await?;
    Ok(reply.best_split_row)
}
