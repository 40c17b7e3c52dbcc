//! Runs a sequence on two stores in lock step and stops where they differ.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tablesmith_model::{NameError, TableName, Timestamp};
use tablesmith_store::{ManualClock, Store, StoreError};

use super::difference::Difference;
use super::observed::Observed;
use super::run::run;
use super::{Sequence, Step};

/// With clocks that nobody sets, a step and the next one happen at different times on both stores.
const TICK_MS: Timestamp = 2;

/// Runs a sequence on two stores. The clocks are those of the stores, or the one that both share; they are set to the
/// sequence's beginning and moved on by its steps. The tables have names that were not used before and are removed at
/// the end, so that the same stores can be compared again.
pub async fn compare(
    left: &dyn Store,
    right: &dyn Store,
    clocks: &[&ManualClock],
    sequence: &Sequence,
) -> Result<(), Difference> {
    let tables = Tables::new();
    let result = in_lock_step(left, right, clocks, sequence, &tables).await;
    for number in 0..sequence.tables() {
        for store in [left, right] {
            // A store that does not let its table go shows that in the next comparison, not in this one.
            let _ = tables.remove(store, number).await;
        }
    }
    result
}

async fn in_lock_step(
    left: &dyn Store,
    right: &dyn Store,
    clocks: &[&ManualClock],
    sequence: &Sequence,
    tables: &Tables,
) -> Result<(), Difference> {
    let mut now_ms = sequence.start_ms;
    set(clocks, now_ms);
    for (place, step) in sequence.steps.iter().enumerate() {
        let (number, operation) = match step {
            Step::Advance(ms) => {
                now_ms = now_ms.saturating_add(*ms);
                set(clocks, now_ms);
                continue;
            }
            Step::On(number, operation) => (*number, operation),
        };
        let Ok(table) = tables.name(number) else { continue };
        let settle = sequence.own_clocks;
        let mut answers =
            (run(left, &table, operation, settle).await, run(right, &table, operation, settle).await);
        if sequence.own_clocks {
            answers = (answers.0.without_own_times(), answers.1.without_own_times());
            now_ms = now_ms.saturating_add(TICK_MS);
            set(clocks, now_ms);
            tokio::time::sleep(Duration::from_millis(TICK_MS.unsigned_abs())).await;
        }
        if answers.0 != answers.1 {
            return Err(difference(sequence, place, answers));
        }
    }
    Ok(())
}

fn difference(sequence: &Sequence, place: usize, (left, right): (Observed, Observed)) -> Difference {
    let mut sequence = sequence.clone();
    sequence.steps.truncate(place.saturating_add(1));
    Difference { sequence, left, right }
}

fn set(clocks: &[&ManualClock], now_ms: Timestamp) {
    for clock in clocks {
        clock.set(now_ms);
    }
}

/// The names of the tables of one comparison.
struct Tables {
    run: u64,
}

impl Tables {
    fn new() -> Self {
        static RUNS: AtomicU64 = AtomicU64::new(0);
        Self { run: RUNS.fetch_add(1, Ordering::Relaxed) }
    }

    fn name(&self, number: usize) -> Result<TableName, NameError> {
        format!("sequence_{}_{}_t{number}", std::process::id(), self.run).parse()
    }

    async fn remove(&self, store: &dyn Store, number: usize) -> Result<(), StoreError> {
        let table = self.name(number)?;
        if store.table_exists(&table).await? {
            if store.is_enabled(&table).await? {
                store.disable_table(&table).await?;
            }
            store.drop_table(&table).await?;
        }
        Ok(())
    }
}
