//! Aggregation inside the regions, on all cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use tablesmith_store::aggregate::Aggregator;
use tablesmith_store::{Aggregate, Answer, OpStats, RegionPartials, StoreError};

use crate::Engine;
use crate::read::{check_read, stats_of};
use crate::region::Region;
use crate::region_scan::{RegionRead, RegionScan};
use crate::scan::narrow;
use crate::table::TableState;

impl Engine {
    /// One answer for each region that the scan touches, in key order.
    pub(crate) fn aggregate_regions(
        &self,
        state: &TableState,
        aggregate: &Aggregate,
    ) -> Result<Answer<Vec<RegionPartials>>, StoreError> {
        let begun = Instant::now();
        check_read(state, &aggregate.scan.read, aggregate.scan.reversed)?;
        let regions: Vec<&Region> = state.regions.iter().map(|region| &**region).collect();
        let regions: Vec<&Region> =
            regions.into_iter().filter(|region| narrow(region, &aggregate.scan).is_some()).collect();
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(regions.len());
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::with_capacity(regions.len()));
        let work = || {
            while let Some((at, region)) = take(&regions, &next) {
                let result = self.aggregate_region(region, aggregate);
                done.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
            }
        };
        std::thread::scope(|scope| {
            (1..threads).for_each(|_| {
                scope.spawn(work);
            });
            work();
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(at, _)| *at);
        let mut stats = OpStats::default();
        let mut partials = Vec::with_capacity(done.len());
        for (_, result) in done {
            let (partial, region_stats) = result?;
            stats += region_stats;
            partials.push(partial);
        }
        Ok(Answer { value: partials, stats: OpStats { time: Some(begun.elapsed()), ..stats } })
    }

    fn aggregate_region(
        &self,
        region: &Region,
        aggregate: &Aggregate,
    ) -> Result<(RegionPartials, OpStats), StoreError> {
        let mut aggregator = Aggregator::new(aggregate);
        let mut stats = OpStats::default();
        if let Some(range) = narrow(region, &aggregate.scan) {
            let scan = &aggregate.scan;
            let what = RegionRead {
                range,
                read: &scan.read,
                reversed: scan.reversed,
                raw: scan.raw,
                batch: None,
                now_ms: self.now_ms(),
            };
            let mut region_scan = RegionScan::new(region, &self.inner.db.snapshot(), &what)?;
            let mut cells = Vec::new();
            let mut rows = 0;
            loop {
                let next = region_scan.next(&mut cells)?;
                rows += u64::from(!cells.is_empty());
                aggregator.add(&cells);
                cells.clear();
                if !next.more {
                    break;
                }
            }
            region.note_read(rows, region_scan.counted());
            stats = stats_of(region_scan.counted());
        }
        Ok((RegionPartials { region: region.info().name(), groups: aggregator.finish() }, stats))
    }
}

fn take<'a>(regions: &[&'a Region], next: &AtomicUsize) -> Option<(usize, &'a Region)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    regions.get(at).map(|region| (at, *region))
}
