//! Aggregation: one partial for each region that the scan touches, many regions at the same time.

mod ask;
mod choice;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::Instant;

use bytes::Bytes;
use choice::{Choice, choose, needs_kept_versions};
use tablesmith_model::TableName;
use tablesmith_store::aggregate::{Aggregator, RowSet};
use tablesmith_store::filter::{Filter, RowRange};
use tablesmith_store::{
    Aggregate, Answer, GroupKey, OpStats, Partial, RegionPartials, Scan, Store, StoreError,
};

use crate::HbaseStore;
use crate::in_regions::{RegionPart, all_at_once};
use crate::refusal::check_scan;

/// What one region answered.
type RegionAnswer = Result<(RegionPartials, OpStats), StoreError>;

/// Aggregates in all regions of the scan.
pub(crate) async fn aggregate(
    store: &HbaseStore,
    table: &TableName,
    mut aggregate: Aggregate,
) -> Result<Answer<Vec<RegionPartials>>, StoreError> {
    let begun = Instant::now();
    // Every region answers for all of its rows.
    aggregate.scan = Scan { limit: None, batch: None, caching: None, ..aggregate.scan };
    check_scan(&aggregate.scan)?;
    push_down(&mut aggregate);
    let choice = who_adds_up(store, table, &aggregate).await?;
    let parts = store.region_parts(table, &aggregate.scan).await?;
    if parts.is_empty() {
        check_families(store, table, &aggregate.scan).await?;
    }
    let servers: BTreeSet<&str> = parts.iter().map(|part| part.server.as_str()).collect();
    let choice = if store.always_asks_regions { choice } else { choice.worth(servers.len()) };
    let work = parts.into_iter().map(|part| Part { part, aggregate: aggregate.clone() }.run(choice.clone()));
    Ok(Answer::of_regions(all_at_once(work).await?, begun))
}

/// Who adds up.
async fn who_adds_up(
    store: &HbaseStore,
    table: &TableName,
    aggregate: &Aggregate,
) -> Result<Choice, StoreError> {
    if !needs_kept_versions(aggregate) {
        return Ok(choose(aggregate, None));
    }
    let known = store.describe_table(table).await?;
    let families = aggregate.scan.read.columns.families().map(|(family, _)| known.family(family));
    let kept = families.map(|family| family.map(|family| family.versions)).max();
    Ok(choose(aggregate, kept.flatten()))
}

/// Refuses families that the table does not have, where no region is asked that would.
async fn check_families(store: &HbaseStore, table: &TableName, scan: &Scan) -> Result<(), StoreError> {
    let known = store.describe_table(table).await?;
    let mut wanted = scan.read.columns.families().map(|(family, _)| family);
    match wanted.find(|family| known.family(family).is_none()) {
        Some(family) => Err(StoreError::NoSuchColumnFamily { table: table.clone(), family: family.clone() }),
        None => Ok(()),
    }
}

/// Leaves the choice of rows to the servers, where it is one of ranges and there is no other filter.
fn push_down(aggregate: &mut Aggregate) {
    let ranges = aggregate.rows.as_ref().and_then(RowSet::ranges);
    let (Some(ranges), None) = (ranges.filter(|ranges| !ranges.is_empty()), &aggregate.scan.read.filter)
    else {
        return;
    };
    let range = |range: &Range<Bytes>| RowRange {
        start: range.start.clone(),
        start_inclusive: true,
        stop: range.end.clone(),
        stop_inclusive: false,
    };
    aggregate.scan.read.filter = Some(Filter::MultiRowRange(ranges.iter().map(range).collect()));
    aggregate.rows = None;
}

/// One region's share of an aggregation.
struct Part {
    part: RegionPart,
    aggregate: Aggregate,
}

impl Part {
    /// The region's answer, which is complete now.
    fn partials(self, begun: Instant, groups: BTreeMap<GroupKey, Partial>) -> RegionPartials {
        RegionPartials { region: self.part.region, server: self.part.server, took: begun.elapsed(), groups }
    }

    async fn run(self, choice: Choice) -> RegionAnswer {
        match choice {
            Choice::AskRegions(questions) => self.ask(questions).await,
            Choice::ScanRegions => self.scan().await,
        }
    }

    /// Adds up what a scan of the region brings; the filter works in the region.
    async fn scan(self) -> RegionAnswer {
        let begun = Instant::now();
        let mut aggregator = Aggregator::new(&self.aggregate);
        let stats = self.part.for_each_row(|cells| aggregator.add(cells)).await?;
        Ok((self.partials(begun, aggregator.finish()), stats))
    }
}
