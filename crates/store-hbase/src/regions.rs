//! Regions: where they are, and what they have to do.

use tablesmith_model::TableName;
use tablesmith_model::bytes_text::to_text;
use tablesmith_store::{RegionInfo, RegionLoad, ServerLoad, Store, StoreError};

use crate::HbaseStore;
use crate::error::About;

impl HbaseStore {
    /// Where the regions of a table are, in key order; a table that does not exist or is disabled is refused.
    pub(crate) async fn locations(&self, table: &TableName) -> Result<Vec<hbase::Location>, StoreError> {
        let locations = self.table(table).regions().await;
        let locations = locations.map_err(|error| About::Table(table).failed(error))?;
        if locations.is_empty() && !self.is_enabled(table).await? {
            return Err(StoreError::TableNotEnabled(table.clone()));
        }
        Ok(locations)
    }
}

/// Refuses what HBase's own client does: a key that leaves nothing before it.
pub(crate) fn check_split_point(region: &hbase::Region, at: &[u8]) -> Result<(), StoreError> {
    if region.start == at {
        return Err(StoreError::Refused(format!("{} is the start of the region already", to_text(at))));
    }
    Ok(())
}

/// A region, with its load.
pub(crate) fn info(location: &hbase::Location, load: RegionLoad) -> RegionInfo {
    RegionInfo {
        table: location.region.table.clone(),
        id: i64::try_from(location.region.id).unwrap_or(i64::MAX),
        start: location.region.start.clone(),
        end: location.region.end.clone(),
        server: location.server.as_ref().map(ToString::to_string).unwrap_or_default(),
        load,
    }
}

/// The load of a server: that of all its regions.
pub(crate) fn server_load(server: &hbase::ServerLoad) -> ServerLoad {
    let mut sum = RegionLoad::default();
    server.regions.iter().for_each(|region| sum += region.load);
    ServerLoad { server: server.server.to_string(), regions: server.regions.len() as u64, load: sum }
}
