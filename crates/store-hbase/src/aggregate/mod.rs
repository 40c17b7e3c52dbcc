//! Aggregation: one partial for each region that the scan touches, many regions at the same time.

mod ask;
mod choice;
mod fold;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::Instant;

use bytes::Bytes;
use choice::{Choice, choose, needs_kept_versions};
use tablesmith_model::TableName;
use tablesmith_store::aggregate::RowSet;
use tablesmith_store::filter::{Filter, RowRange};
use tablesmith_store::{
    Aggregate, Answer, GroupKey, OpStats, Partial, RegionLoad, RegionPartials, Scan, StoreError, within,
};

use crate::at_once::all_at_once;
use crate::request::reads;
use crate::{HbaseStore, regions};

/// What one region answered.
type RegionAnswer = Result<(RegionPartials, OpStats), StoreError>;

impl HbaseStore {
    pub(crate) async fn aggregate_regions(
        &self,
        table: &TableName,
        mut aggregate: Aggregate,
    ) -> Result<Answer<Vec<RegionPartials>>, StoreError> {
        let begun = Instant::now();
        // Every region answers for all of its rows.
        aggregate.scan = Scan { limit: None, batch: None, caching: None, ..aggregate.scan };
        reads::check_scan(&aggregate.scan)?;
        push_down(&mut aggregate);
        let choice = self.choose(table, &aggregate).await?;
        let parts = self.parts(table, &aggregate).await?;
        if parts.is_empty() {
            self.check_families(table, &aggregate.scan).await?;
        }
        let servers: BTreeSet<&str> = parts.iter().map(|part| part.server.as_str()).collect();
        let choice = if self.always_asks_regions { choice } else { choice.worth(servers.len()) };
        let mut stats = OpStats::default();
        let mut partials = Vec::with_capacity(parts.len());
        for (partial, region_stats) in
            all_at_once(parts.into_iter().map(|part| part.run(choice.clone()))).await?
        {
            stats += region_stats;
            partials.push(partial);
        }
        Ok(Answer { value: partials, stats: OpStats { time: Some(begun.elapsed()), ..stats } })
    }

    /// Who adds up.
    async fn choose(&self, table: &TableName, aggregate: &Aggregate) -> Result<Choice, StoreError> {
        if !needs_kept_versions(aggregate) {
            return Ok(choose(aggregate, None));
        }
        let known = self.describe(table).await?;
        let families = aggregate.scan.read.columns.families().map(|(family, _)| known.family(family));
        let kept = families.map(|family| family.map(|family| family.versions)).max();
        Ok(choose(aggregate, kept.flatten()))
    }

    /// Refuses families that the table does not have, where no region is asked that would.
    async fn check_families(&self, table: &TableName, scan: &Scan) -> Result<(), StoreError> {
        let known = self.describe(table).await?;
        let mut wanted = scan.read.columns.families().map(|(family, _)| family);
        match wanted.find(|family| known.family(family).is_none()) {
            Some(family) => {
                Err(StoreError::NoSuchColumnFamily { table: table.clone(), family: family.clone() })
            }
            None => Ok(()),
        }
    }

    /// One for each region that the scan touches.
    async fn parts(&self, table: &TableName, aggregate: &Aggregate) -> Result<Vec<Part>, StoreError> {
        let client = self.table(table)?;
        let mut parts = Vec::new();
        for place in self.places_of(table).await? {
            let Some(scan) = within(&aggregate.scan, &place.region.start, &place.region.end) else {
                continue;
            };
            let info = regions::info(&place, RegionLoad::default())?;
            parts.push(Part {
                client: client.clone(),
                table: table.clone(),
                region: info.name(),
                server: info.server,
                aggregate: Aggregate { scan, ..aggregate.clone() },
            });
        }
        Ok(parts)
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
    client: hbase::Table,
    table: TableName,
    region: String,
    server: String,
    aggregate: Aggregate,
}

impl Part {
    /// The region's answer, which is complete now.
    fn partials(self, begun: Instant, groups: BTreeMap<GroupKey, Partial>) -> RegionPartials {
        RegionPartials { region: self.region, server: self.server, took: begun.elapsed(), groups }
    }

    async fn run(self, choice: Choice) -> RegionAnswer {
        match choice {
            Choice::AskRegions(questions) => self.ask(questions).await,
            Choice::ScanRegions => self.scan().await,
        }
    }
}
