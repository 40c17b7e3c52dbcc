//! Looks for rows in all regions at the same time: filtered scans of one region each.

use std::time::Instant;

use tablesmith_store::select::Selector;
use tablesmith_store::{OpStats, RegionRows, Select, StoreError};

use crate::in_regions::RegionPart;

impl RegionPart {
    /// The rows of the region that are selected.
    pub(crate) async fn select(self, select: Select) -> Result<(RegionRows, OpStats), StoreError> {
        let begun = Instant::now();
        let mut selector = Selector::new(&select);
        let stats = self.for_each_row(|cells| selector.add(cells)).await?;
        Ok((selector.finish(self.region, self.server, begun), stats))
    }
}
