//! Makes the tables of the demo, fills them and removes them.

use std::time::Instant;

use tablesmith_store::{Action, FlushScope, Mutation, Store, StoreError};

use super::design::{Direction, splits};
use super::story::Cost;
use tablesmith_generate::follows::Graph;

const PUTS_PER_CALL: usize = 1_000;

/// Removes the tables that an earlier run may have left, or this one.
pub async fn drop_tables(store: &dyn Store) -> Result<(), StoreError> {
    for direction in Direction::ALL {
        let table = direction.table()?;
        if store.table_exists(&table).await? {
            if store.is_enabled(&table).await? {
                store.disable_table(&table).await?;
            }
            store.drop_table(&table).await?;
        }
    }
    Ok(())
}

/// Makes a table that is cut before its first row comes, so that no region has to take all writes.
pub async fn create(store: &dyn Store, direction: Direction) -> Result<(), StoreError> {
    store.create_table(direction.descriptor()?, splits()).await
}

/// Puts all edges into a table, in batches, and flushes it. Tells `progress` how many puts each call did.
pub async fn load(
    store: &dyn Store,
    direction: Direction,
    graph: &Graph,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Cost, StoreError> {
    let table = direction.table()?;
    let mut cost = Cost::default();
    let begun = Instant::now();
    for edges in graph.edges.chunks(PUTS_PER_CALL) {
        let puts = edges.iter().filter_map(|edge| direction.put(graph, *edge));
        let actions: Vec<Action> = puts.map(|put| Action::Mutate(Mutation::Put(put))).collect();
        let sent = actions.len() as u64;
        let answer = store.batch(&table, actions).await?;
        answer.value.into_iter().collect::<Result<Vec<_>, _>>()?;
        cost.calls += 1;
        cost.rows += sent;
        cost.stats += answer.stats;
        progress(sent);
    }
    store.flush(FlushScope::Table(table, None)).await?;
    cost.waited = begun.elapsed();
    Ok(cost)
}
