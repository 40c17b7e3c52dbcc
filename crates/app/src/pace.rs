//! What stands between the commands of a person or a script and a store.
//!
//! The embedded store answers in microseconds and never waits, and a cluster nearby in less than a millisecond. HBase's
//! own shell takes longer than that for a command. Two things that people rely on come from it, and are brought back
//! here: two commands on one row have different timestamps, and Ctrl-C is noticed between two calls.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bytes::Bytes;
use tablesmith_model::{TableName, Timestamp};
use tablesmith_store::wrap::{Intercept, Op, Outcome};
use tablesmith_store::{Clock, Store, StoreError, SystemClock};

/// No wait is longer, also when the clock is set back meanwhile.
const LONGEST_WAIT: Duration = Duration::from_millis(2);
const LOOK_AGAIN: Duration = Duration::from_micros(50);

/// Lets others have a turn before each call, and the clock move on before a row is written again. Writes to different
/// rows do not wait.
pub struct Paced {
    clock: Arc<dyn Clock>,
    written: Mutex<Written>,
}

/// The rows that were written in the present millisecond.
#[derive(Default)]
struct Written {
    at_ms: Timestamp,
    rows: HashSet<(TableName, Bytes)>,
}

/// The rows of a call that writes.
type Rows = Vec<(TableName, Bytes)>;

impl Default for Paced {
    fn default() -> Self {
        Self { clock: Arc::new(SystemClock), written: Mutex::default() }
    }
}

impl Paced {
    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The millisecond that has to pass before these rows are written, if any of them was written in it.
    fn taken(&self, rows: &Rows) -> Option<Timestamp> {
        let written = self.written();
        rows.iter().any(|row| written.rows.contains(row)).then_some(written.at_ms)
    }

    /// Waits for less than it would take to wait for somebody else, so the thread itself may sleep.
    fn wait_past(&self, taken_ms: Timestamp) {
        let begun = Instant::now();
        while self.clock.now_ms() <= taken_ms && begun.elapsed() < LONGEST_WAIT {
            std::thread::sleep(LOOK_AGAIN);
        }
    }

    fn remember(&self, rows: Rows) {
        let now_ms = self.clock.now_ms();
        let mut written = self.written();
        if written.at_ms != now_ms {
            *written = Written { at_ms: now_ms, rows: HashSet::new() };
        }
        written.rows.extend(rows);
    }
}

#[async_trait]
impl Intercept for Paced {
    type Ticket = Rows;

    async fn before(&self, _: &dyn Store, op: &Op<'_>) -> Result<Rows, StoreError> {
        tokio::task::yield_now().await;
        let rows = rows_written(op);
        if let Some(taken_ms) = self.taken(&rows) {
            self.wait_past(taken_ms);
        }
        Ok(rows)
    }

    async fn after(&self, rows: Rows, _: Outcome<'_>) -> Result<(), StoreError> {
        self.remember(rows);
        Ok(())
    }
}

fn rows_written(op: &Op<'_>) -> Rows {
    match op.table() {
        Some(table) if op.kind().writes() => {
            op.rows().into_iter().map(|row| (table.clone(), row.clone())).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_store::{Get, ManualClock, Put};

    fn rows(op: &Op<'_>) -> Vec<Bytes> {
        rows_written(op).into_iter().map(|(_, row)| row).collect()
    }

    #[test]
    fn only_writes_count() {
        let table = TableName::new("default", "t").unwrap();
        assert_eq!(rows(&Op::Get(&table, &Get::new("r"))), Vec::<Bytes>::new());
        assert_eq!(rows(&Op::Put(&table, &Put::new("r").add("f", "q", "v"))), ["r"]);
    }

    #[test]
    fn a_row_is_taken_until_the_clock_moves_on() {
        let clock = Arc::new(ManualClock::default());
        let paced = Paced { clock: clock.clone(), written: Mutex::default() };
        let table = TableName::new("default", "t").unwrap();
        let row = |row: &'static str| vec![(table.clone(), Bytes::from(row))];
        clock.set(5);
        paced.remember(row("a"));
        assert_eq!((paced.taken(&row("a")), paced.taken(&row("b"))), (Some(5), None));
        clock.set(6);
        paced.remember(row("b"));
        assert_eq!((paced.taken(&row("a")), paced.taken(&row("b"))), (None, Some(6)));
    }

    #[test]
    fn a_clock_that_stands_does_not_stop_the_program() {
        let paced = Paced { clock: Arc::new(ManualClock::default()), written: Mutex::default() };
        let begun = Instant::now();
        paced.wait_past(1_000);
        assert!(begun.elapsed() >= LONGEST_WAIT);
    }
}
