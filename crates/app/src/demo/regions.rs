//! Looks at the regions of a table: where its rows lie and what each region had to do.

use std::collections::BTreeMap;

use tablesmith_store::{Aggregate, Scan, Store, StoreError, ValueType};

use super::design::Direction;
use super::story::RegionStory;

/// The regions in key order. Their load is read first, since counting the rows is a load too.
pub async fn look(store: &dyn Store, direction: Direction) -> Result<Vec<RegionStory>, StoreError> {
    let table = direction.table()?;
    let regions = store.regions(&table).await?;
    let count = Aggregate::new(Scan::all(), ValueType::None);
    let partials = store.aggregate(&table, count).await?.value;
    let rows: BTreeMap<&str, u64> = partials
        .iter()
        .map(|region| (region.region.as_str(), region.groups.values().map(|partial| partial.rows).sum()))
        .collect();
    let stories = regions.iter().map(|region| RegionStory {
        start: region.start.clone(),
        server: region.server.clone(),
        rows: rows.get(region.name().as_str()).copied().unwrap_or_default(),
        reads: region.load.reads,
        read_bytes: region.load.read_bytes,
        writes: region.load.writes,
    });
    Ok(stories.collect())
}
