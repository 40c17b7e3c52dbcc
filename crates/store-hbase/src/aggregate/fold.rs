//! Adds up what a scan of a region brings; the filter works in the region.

use std::time::Instant;

use tablesmith_store::aggregate::Aggregator;
use tablesmith_store::wrap::Volume;

use super::{Part, RegionAnswer};
use crate::answer;
use crate::error::About;
use crate::request::reads;

impl Part {
    pub(super) async fn scan(self) -> RegionAnswer {
        let begun = Instant::now();
        let mut aggregator = Aggregator::new(&self.aggregate);
        let mut travelled = Volume::default();
        let mut rows = self.client.scan(reads::scan(&self.aggregate.scan));
        loop {
            let portion = rows.next_rows().await.map_err(|error| About::Table(&self.table).failed(error))?;
            if portion.is_empty() {
                break;
            }
            for row in portion {
                let row = answer::row(row);
                travelled += Volume::of_row(&row);
                aggregator.add(&row.cells);
            }
        }
        let looked_at = answer::looked_at(&self.aggregate.scan.read, travelled);
        let partials = self.partials(begun, aggregator.finish());
        Ok((partials, answer::stats(looked_at, Some(1), begun.elapsed())))
    }
}
