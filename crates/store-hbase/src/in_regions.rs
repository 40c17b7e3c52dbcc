//! Work on the regions that a scan touches, many at the same time.

use std::sync::Arc;
use std::time::Instant;

use tablesmith_model::{Cell, TableName};
use tablesmith_store::wrap::Volume;
use tablesmith_store::{OpStats, RegionLoad, Scan, StoreError, within};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::error::About;
use crate::{HbaseStore, answer, regions};

/// What a scan has of one region.
pub(crate) struct RegionPart {
    pub client: hbase::Table,
    pub table: TableName,
    pub region: String,
    pub server: String,
    pub scan: Scan,
}

impl HbaseStore {
    /// One for each region that a scan touches, in key order.
    pub(crate) async fn region_parts(
        &self,
        table: &TableName,
        scan: &Scan,
    ) -> Result<Vec<RegionPart>, StoreError> {
        let client = self.table(table);
        let mut parts = Vec::new();
        for location in self.locations(table).await? {
            let Some(scan) = within(scan, &location.region.start, &location.region.end) else { continue };
            let info = regions::info(&location, RegionLoad::default());
            parts.push(RegionPart {
                client: client.clone(),
                table: table.clone(),
                region: info.name(),
                server: info.server,
                scan,
            });
        }
        Ok(parts)
    }
}

impl RegionPart {
    /// Scans the region and passes on the cells of each row; says what it took.
    pub(crate) async fn for_each_row(&self, mut take: impl FnMut(&[Cell])) -> Result<OpStats, StoreError> {
        let begun = Instant::now();
        let mut travelled = Volume::default();
        let mut rows = self.client.scan(self.scan.clone());
        loop {
            let portion = rows.next_rows().await.map_err(|error| About::Table(&self.table).failed(error))?;
            if portion.is_empty() {
                break;
            }
            for row in portion {
                let row = answer::row(row);
                travelled += Volume::of_row(&row);
                take(&row.cells);
            }
        }
        let looked_at = answer::looked_at(self.scan.read.filter.is_some(), travelled);
        Ok(answer::stats(looked_at, Some(1), begun.elapsed()))
    }
}

/// Regions under way at the same time. Each holds a few portions of a scan in memory.
const REGIONS_AT_ONCE: usize = 16;

/// The answers in the order of the work, or the first failure.
pub(crate) async fn all_at_once<T: Send + 'static>(
    work: impl IntoIterator<Item = impl Future<Output = Result<T, StoreError>> + Send + 'static>,
) -> Result<Vec<T>, StoreError> {
    let turns = Arc::new(Semaphore::new(REGIONS_AT_ONCE));
    let mut running = JoinSet::new();
    for (place, one) in work.into_iter().enumerate() {
        let turns = Arc::clone(&turns);
        running.spawn(async move {
            // Nobody closes it, so that a turn always comes.
            let _turn = turns.acquire().await;
            (place, one.await)
        });
    }
    let mut answers = Vec::with_capacity(running.len());
    while let Some(answered) = running.join_next().await {
        let (place, answer) =
            answered.map_err(|error| StoreError::Io(format!("a region's answer was lost: {error}")))?;
        answers.push((place, answer?));
    }
    answers.sort_by_key(|(place, _)| *place);
    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
}
