//! Flushing: what is in the servers' memory goes to files.
//!
//! Each region's server is asked, and not the master (which has a call for it from 2.6 on): the master leaves out
//! regions that are on their way, and when a region is being flushed already it can wait for ever, with the table locked.

use std::time::Instant;

use bytes::Bytes;

use super::Admin;
use super::region_server::{ask_patiently, specifier};
use super::wait::Patience;
use crate::cluster::Cluster;
use crate::region::each::{Failure, RegionWork, each_region};
use crate::region::range::KeyRange;
use crate::{Error, Location, TableName, pb};

impl Admin {
    /// Flushes all regions of a table, or one of its families, and waits until that is done. A server that finds many
    /// files afterwards begins to compact them by itself.
    pub async fn flush_table(&self, table: &TableName, family: Option<Bytes>) -> Result<(), Error> {
        self.flush(table, &KeyRange::default(), family).await
    }

    /// Flushes a region, by its name or encoded name, or one family of it, and waits until that is done.
    pub async fn flush_region(&self, region: &str, family: Option<Bytes>) -> Result<(), Error> {
        let region = self.region(region).await?.region;
        self.flush(&region.table, &KeyRange::of(&region), family).await
    }

    async fn flush(&self, table: &TableName, range: &KeyRange, family: Option<Bytes>) -> Result<(), Error> {
        let work = Flush { admin: self.clone(), family };
        each_region(&self.cluster, table, range, work, self.deadline()).await.map(drop)
    }

    async fn is_read_only(&self, table: &TableName) -> Result<bool, Error> {
        let schema = self.describe_table(table).await?;
        Ok(schema.get("READONLY").is_some_and(|value| value.eq_ignore_ascii_case("true")))
    }
}

struct Flush {
    admin: Admin,
    family: Option<Bytes>,
}

impl RegionWork for Flush {
    type Output = ();

    fn name(&self) -> &'static str {
        "FlushRegion"
    }

    async fn run(
        &self,
        cluster: &Cluster,
        location: &Location,
        _: &KeyRange,
        deadline: Instant,
    ) -> Result<(), Failure> {
        let request = pb::FlushRegionRequest {
            region: specifier(location),
            if_older_than_ts: None,
            // Tells a region with nothing to flush, which writes the marker, from one that is being flushed already.
            write_flush_wal_marker: Some(true),
            family: self.family.clone(),
        };
        let mut patience = Patience::until(deadline);
        loop {
            let reply: pb::FlushRegionResponse =
                ask_patiently(cluster, &location.address, "FlushRegion", &request, deadline).await?;
            if reply.flushed() || reply.wrote_flush_wal_marker() {
                return Ok(());
            }
            // Such a region has nothing in memory and writes no marker.
            if self.admin.is_read_only(&location.region.table).await? {
                return Ok(());
            }
            patience.pause(|| format!("{} is being flushed still", location.region.encoded_name())).await?;
        }
    }
}
