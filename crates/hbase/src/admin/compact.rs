//! Compacting: many files of a region become fewer.
//!
//! A server picks the files while it answers the request, and tells "compacting" from then on until the new file has
//! taken their place: so waiting for "not compacting" misses nothing. But when another compaction of the same family
//! is under way it puts a major one off until somebody asks again. So a major compaction that is waited for is proven:
//! none of the files from before may be left; otherwise it is asked for again.

use std::collections::BTreeSet;
use std::time::Instant;

use bytes::Bytes;

use super::Admin;
use super::region_server::{ask, specifier};
use super::wait::Patience;
use crate::cluster::Cluster;
use crate::region::each::{Failure, RegionWork, each_region};
use crate::region::range::KeyRange;
use crate::rpc::CallError;
use crate::{Error, Location, TableName, pb};
use pb::get_region_info_response::CompactionState;

/// So often a major compaction is asked for while a server does nothing.
const REQUESTS_MAX: u32 = 12;

/// Which compaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compaction {
    /// All files of a family become one, and what is deleted or expired goes away; else the server chooses the files.
    pub major: bool,
    /// Only this family.
    pub family: Option<Bytes>,
}

impl Compaction {
    /// The server chooses the files, maybe none.
    pub fn minor() -> Self {
        Self::default()
    }

    /// All files become one.
    pub fn major() -> Self {
        Self { major: true, family: None }
    }

    /// Only one family.
    pub fn of_family(mut self, family: impl Into<Bytes>) -> Self {
        self.family = Some(family.into());
        self
    }
}

impl Admin {
    /// Asks for a compaction of a table. It goes on by itself.
    pub async fn compact_table(&self, table: &TableName, compaction: Compaction) -> Result<(), Error> {
        self.compact(table, &KeyRange::default(), compaction, false).await
    }

    /// The same, and waits until it is done. What is in the servers' memory is not part of it: flush before.
    pub async fn compact_table_and_wait(
        &self,
        table: &TableName,
        compaction: Compaction,
    ) -> Result<(), Error> {
        self.compact(table, &KeyRange::default(), compaction, true).await
    }

    /// Asks for a compaction of a region, by its name or encoded name. It goes on by itself.
    pub async fn compact_region(&self, region: &str, compaction: Compaction) -> Result<(), Error> {
        let region = self.region(region).await?.region;
        self.compact(&region.table, &KeyRange::of(&region), compaction, false).await
    }

    /// The same, and waits until it is done.
    pub async fn compact_region_and_wait(&self, region: &str, compaction: Compaction) -> Result<(), Error> {
        let region = self.region(region).await?.region;
        self.compact(&region.table, &KeyRange::of(&region), compaction, true).await
    }

    async fn compact(
        &self,
        table: &TableName,
        range: &KeyRange,
        compaction: Compaction,
        wait: bool,
    ) -> Result<(), Error> {
        let work = Compact { compaction, wait };
        each_region(&self.cluster, table, range, work, self.deadline()).await.map(drop)
    }
}

struct Compact {
    compaction: Compaction,
    wait: bool,
}

impl RegionWork for Compact {
    type Output = ();

    fn name(&self) -> &'static str {
        "CompactRegion"
    }

    async fn run(
        &self,
        cluster: &Cluster,
        location: &Location,
        _: &KeyRange,
        deadline: Instant,
    ) -> Result<(), Failure> {
        let call = Call { cluster, location, deadline };
        if !self.wait {
            return Ok(call.compact(&self.compaction).await?);
        }
        let family = self.compaction.family.as_deref();
        let before = call.files(family).await?;
        let begun = Instant::now();
        let mut patience = Patience::until(deadline);
        for attempts in 1.. {
            call.compact(&self.compaction).await?;
            call.wait_until_idle().await?;
            if !self.compaction.major || before.is_disjoint(&call.files(family).await?) {
                break;
            }
            let still = || {
                format!("{} is not compacted: are compactions switched off?", location.region.encoded_name())
            };
            if attempts == REQUESTS_MAX {
                let last = Box::new(CallError::NotDone(still()));
                return Err(Error::Deadline { attempts, elapsed: begun.elapsed(), last }.into());
            }
            patience.pause(still).await?;
        }
        Ok(())
    }
}

/// The calls about one region.
struct Call<'a> {
    cluster: &'a Cluster,
    location: &'a Location,
    deadline: Instant,
}

impl Call<'_> {
    async fn compact(&self, compaction: &Compaction) -> Result<(), CallError> {
        let request = pb::CompactRegionRequest {
            region: specifier(self.location),
            major: Some(compaction.major),
            family: compaction.family.clone(),
        };
        let reply = ask(self.cluster, &self.location.address, "CompactRegion", &request, self.deadline).await;
        reply.map(|pb::CompactRegionResponse {}| ())
    }

    async fn wait_until_idle(&self) -> Result<(), Failure> {
        let request = pb::GetRegionInfoRequest {
            region: specifier(self.location),
            compaction_state: Some(true),
            best_split_row: None,
        };
        let mut patience = Patience::until(self.deadline);
        loop {
            let reply: pb::GetRegionInfoResponse =
                ask(self.cluster, &self.location.address, "GetRegionInfo", &request, self.deadline).await?;
            if reply.compaction_state() == CompactionState::None {
                return Ok(());
            }
            patience.pause(|| format!("{} is being compacted", self.location.region.encoded_name())).await?;
        }
    }

    /// The files of a region or family.
    async fn files(&self, family: Option<&[u8]>) -> Result<BTreeSet<String>, CallError> {
        let request = pb::GetStoreFileRequest { region: specifier(self.location) };
        let reply: pb::GetStoreFileResponse =
            ask(self.cluster, &self.location.address, "GetStoreFile", &request, self.deadline).await?;
        Ok(reply
            .store_file
            .into_iter()
            .filter(|path| family.is_none_or(|family| is_of_family(path, family)))
            .collect())
    }
}

/// A file's path ends with region, family, file.
fn is_of_family(path: &str, family: &[u8]) -> bool {
    path.rsplit('/').nth(1).is_some_and(|folder| folder.as_bytes() == family)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_lies_in_the_folder_of_its_family() {
        let path = "hdfs://n:1/hbase/data/default/t/0123/f/4567";
        assert!(is_of_family(path, b"f"));
        assert!(!is_of_family(path, b"0123") && !is_of_family("f", b"f"));
    }
}
