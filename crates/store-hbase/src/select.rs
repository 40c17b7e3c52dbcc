//! Looks for rows in all regions at the same time: filtered scans of one region each.

use std::time::Instant;

use tablesmith_model::TableName;
use tablesmith_store::select::Selector;
use tablesmith_store::wrap::Volume;
use tablesmith_store::{Answer, OpStats, RegionLoad, RegionRows, Scan, Select, StoreError, within};

use crate::at_once::all_at_once;
use crate::error::About;
use crate::request::reads;
use crate::{HbaseStore, answer, regions};

impl HbaseStore {
    pub(crate) async fn select_in_regions(
        &self,
        table: &TableName,
        select: Select,
    ) -> Result<Answer<Vec<RegionRows>>, StoreError> {
        let begun = Instant::now();
        let mut scan = select.whole_rows();
        if scan.read.filter.is_none() {
            scan.read.filter = select.only_times();
        }
        reads::check_scan(&scan)?;
        let client = self.table(table)?;
        let mut parts = Vec::new();
        for place in self.places_of(table).await? {
            let Some(scan) = within(&scan, &place.region.start, &place.region.end) else { continue };
            let info = regions::info(&place, RegionLoad::default())?;
            let (client, table, selector) = (client.clone(), table.clone(), Selector::new(&select));
            parts.push(async move {
                let (region, server) = (info.name(), info.server);
                Part { client, table, scan }.run(selector, region, server).await
            });
        }
        let mut stats = OpStats::default();
        let mut found = Vec::with_capacity(parts.len());
        for (rows, region_stats) in all_at_once(parts).await? {
            stats += region_stats;
            found.push(rows);
        }
        Ok(Answer { value: found, stats: OpStats { time: Some(begun.elapsed()), ..stats } })
    }
}

/// One region's share.
struct Part {
    client: hbase::Table,
    table: TableName,
    scan: Scan,
}

impl Part {
    async fn run(
        self,
        mut selector: Selector,
        region: String,
        server: String,
    ) -> Result<(RegionRows, OpStats), StoreError> {
        let begun = Instant::now();
        let mut travelled = Volume::default();
        let mut rows = self.client.scan(reads::scan(&self.scan));
        loop {
            let portion = rows.next_rows().await.map_err(|error| About::Table(&self.table).failed(error))?;
            if portion.is_empty() {
                break;
            }
            for row in portion {
                let row = answer::row(row);
                travelled += Volume::of_row(&row);
                selector.add(&row.cells);
            }
        }
        let looked_at = answer::looked_at(&self.scan.read, travelled);
        Ok((selector.finish(region, server, begun), answer::stats(looked_at, Some(1), begun.elapsed())))
    }
}
