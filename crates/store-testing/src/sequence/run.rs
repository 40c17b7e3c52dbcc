//! Carries out one operation on one store.

use tablesmith_model::{TableDescriptor, TableName};
use tablesmith_store::{FlushScope, Store, StoreError};

use super::observed::Observed;
use super::step::{Operation, Part};

/// Does it and says what came of it. With `settle`, a store that may compact regions by itself when it opens them gets no
/// choice.
pub(super) async fn run(
    store: &dyn Store,
    table: &TableName,
    operation: &Operation,
    settle: bool,
) -> Observed {
    let mut answer = attempt(store, table, operation).await;
    if settle && opens_regions(operation) && answer.is_ok() {
        let settled = store.major_compact(FlushScope::Table(table.clone(), None)).await;
        answer = settled.and(answer);
    }
    answer.unwrap_or_else(Observed::from)
}

fn opens_regions(operation: &Operation) -> bool {
    use Operation::{Alter, Merge, Move, Reopen, Split};
    matches!(operation, Alter(_) | Merge(_) | Move(_) | Reopen | Split(_))
}

async fn attempt(
    store: &dyn Store,
    table: &TableName,
    operation: &Operation,
) -> Result<Observed, StoreError> {
    Ok(match operation {
        Operation::Put(put) => store.put(table, put.clone()).await.map(|_| Observed::Done)?,
        Operation::Delete(delete) => store.delete(table, delete.clone()).await.map(|_| Observed::Done)?,
        Operation::Append(append) => store.append(table, append.clone()).await?.value.into(),
        Operation::Increment(increment) => store.increment(table, increment.clone()).await?.value.into(),
        Operation::MutateRow(mutations) => store.mutate_row(table, mutations.clone()).await?.value.into(),
        Operation::CheckAndMutate(check) => store.check_and_mutate(table, check.clone()).await?.value.into(),
        Operation::Batch(actions) => store.batch(table, actions.clone()).await?.value.into(),
        Operation::Get(get) => store.get(table, get.clone()).await?.value.into(),
        Operation::Exists(get) => Observed::Flag(store.exists(table, get.clone()).await?.value),
        Operation::Scan(scan) => Observed::Rows(store.scan_all(table, scan.clone()).await?.value),
        Operation::Aggregate(aggregate) => store.aggregate(table, aggregate.clone()).await?.value.into(),
        _ => return manage(store, table, operation).await,
    })
}

async fn manage(store: &dyn Store, table: &TableName, operation: &Operation) -> Result<Observed, StoreError> {
    match operation {
        Operation::Create(families, splits) => {
            let descriptor = TableDescriptor::new(table.clone(), families.iter().cloned());
            store.create_table(descriptor, splits.clone()).await?;
        }
        Operation::Alter(families) => {
            store.alter_table(TableDescriptor::new(table.clone(), families.iter().cloned())).await?;
        }
        Operation::Truncate(preserve_splits) => {
            store.disable_table(table).await?;
            store.truncate_table(table, *preserve_splits).await?;
        }
        Operation::Reopen => {
            store.disable_table(table).await?;
            store.enable_table(table).await?;
        }
        Operation::Flush(part) => store.flush(scope(store, table, part).await?).await?,
        Operation::Compact(part) => store.compact(scope(store, table, part).await?).await?,
        Operation::MajorCompact(part) => store.major_compact(scope(store, table, part).await?).await?,
        _ => return rearrange(store, table, operation).await,
    }
    Ok(Observed::Done)
}

async fn rearrange(
    store: &dyn Store,
    table: &TableName,
    operation: &Operation,
) -> Result<Observed, StoreError> {
    let regions = store.regions(table).await?;
    match operation {
        Operation::Borders => return Ok(regions.into()),
        Operation::Split(key) => store.split_table(table, Some(key.clone())).await?,
        Operation::Merge(place) => {
            let pairs = regions.len().saturating_sub(1);
            let Some(place) = place.checked_rem(pairs) else { return Ok(Observed::NothingToDo) };
            let pair: Vec<_> =
                regions.iter().skip(place).take(2).map(|region| region.encoded_name()).collect();
            store.merge_regions(&pair, false).await?;
        }
        Operation::Move(region) => {
            let servers = store.status().await?.servers;
            let Some(region) = nth(&regions, *region) else { return Ok(Observed::NothingToDo) };
            // A region that stays where it is keeps its memory; one that moves flushes it. Both stores must do the same.
            let Some(server) = servers.iter().find(|server| server.server != region.server) else {
                return Ok(Observed::NothingToDo);
            };
            store.move_region(&region.encoded_name(), Some(&server.server)).await?;
        }
        _ => return Ok(Observed::NothingToDo),
    }
    Ok(Observed::Done)
}

async fn scope(store: &dyn Store, table: &TableName, part: &Part) -> Result<FlushScope, StoreError> {
    let whole = || FlushScope::Table(table.clone(), part.family.clone());
    let Some(place) = part.region else { return Ok(whole()) };
    let regions = store.regions(table).await?;
    Ok(nth(&regions, place)
        .map_or_else(whole, |region| FlushScope::Region(region.encoded_name(), part.family.clone())))
}

/// The element at a place that goes round.
fn nth<T>(elements: &[T], place: usize) -> Option<&T> {
    place.checked_rem(elements.len()).and_then(|place| elements.get(place))
}
