//! Aggregation: one partial for each region that the scan touches, all regions at the same time.

mod choice;
mod fold;
mod narrow;

use std::sync::Arc;
use std::time::Instant;

use choice::{Choice, choose};
use narrow::narrow;
use tablesmith_model::TableName;
use tablesmith_store::{Aggregate, Answer, OpStats, RegionLoad, RegionPartials, Scan, StoreError};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::request::reads;
use crate::{HbaseStore, regions};

/// Regions under way at the same time. Each holds a few portions of a scan in memory.
const REGIONS_AT_ONCE: usize = 16;

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
        let client = self.table(table)?;
        let places = self.places_of(table).await?;
        let turns = Arc::new(Semaphore::new(REGIONS_AT_ONCE));
        let mut asked = JoinSet::new();
        for (place, location) in places.iter().enumerate() {
            let Some(scan) = narrow(&aggregate.scan, &location.region.start, &location.region.end) else {
                continue;
            };
            let part = Part {
                client: client.clone(),
                table: table.clone(),
                region: regions::info(location, RegionLoad::default())?.name(),
                aggregate: Aggregate { scan, ..aggregate.clone() },
            };
            let turns = Arc::clone(&turns);
            asked.spawn(async move {
                // Nobody closes it, so that a turn always comes.
                let _turn = turns.acquire().await;
                (place, part.run().await)
            });
        }
        let mut answers = Vec::with_capacity(asked.len());
        while let Some(answered) = asked.join_next().await {
            let (place, answer) =
                answered.map_err(|error| StoreError::Io(format!("a region's answer was lost: {error}")))?;
            answers.push((place, answer?));
        }
        answers.sort_by_key(|(place, _)| *place);
        let mut stats = OpStats { time: None, ..OpStats::default() };
        let mut partials = Vec::with_capacity(answers.len());
        for (_, (partial, region_stats)) in answers {
            stats += region_stats;
            partials.push(partial);
        }
        Ok(Answer { value: partials, stats: OpStats { time: Some(begun.elapsed()), ..stats } })
    }
}

/// One region's share of an aggregation.
struct Part {
    client: hbase::Table,
    table: TableName,
    region: String,
    aggregate: Aggregate,
}

impl Part {
    async fn run(self) -> RegionAnswer {
        match choose(&self.aggregate) {
            Choice::CountInRegions | Choice::ScanRegions => self.scan().await,
        }
    }
}
