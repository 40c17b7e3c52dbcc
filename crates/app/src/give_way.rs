//! A store that gives way before each call, so that Ctrl-C is noticed between two of them, and counts what it writes.
//!
//! The embedded store never waits: without this nobody else would have a turn until all calls are made.

use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use tablesmith_store::wrap::{Intercept, Op, Outcome};
use tablesmith_store::{Action, Store, StoreError};

/// Lets others have a turn before each call.
#[derive(Debug, Default)]
pub struct GiveWay {
    rows_written: AtomicU64,
}

impl GiveWay {
    /// Rows that were sent to be written, those of failed calls left out.
    pub fn rows_written(&self) -> u64 {
        self.rows_written.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl Intercept for GiveWay {
    /// The rows that a call writes.
    type Ticket = u64;

    async fn before(&self, _: &dyn Store, op: &Op<'_>) -> Result<u64, StoreError> {
        tokio::task::yield_now().await;
        Ok(rows_written(op))
    }

    async fn after(&self, rows: u64, outcome: Outcome<'_>) -> Result<(), StoreError> {
        if !matches!(outcome, Outcome::Failed(_)) {
            self.rows_written.fetch_add(rows, Ordering::Relaxed);
        }
        Ok(())
    }
}

fn rows_written(op: &Op<'_>) -> u64 {
    match op {
        Op::Batch(_, actions) => {
            actions.iter().filter(|action| !matches!(action, Action::Get(_))).count() as u64
        }
        op => u64::from(op.kind().writes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::TableName;
    use tablesmith_store::{Get, Mutation, Put};

    #[test]
    fn reads_of_a_batch_write_no_rows() {
        let table = TableName::new("default", "t").unwrap();
        let put = Put::new("r").add("f", "q", "v");
        let actions = [Action::Get(Get::new("r")), Action::Mutate(Mutation::Put(put.clone()))];
        assert_eq!(rows_written(&Op::Batch(&table, &actions)), 1);
        assert_eq!(rows_written(&Op::Put(&table, &put)), 1);
        assert_eq!(rows_written(&Op::Get(&table, &Get::new("r"))), 0);
    }
}
