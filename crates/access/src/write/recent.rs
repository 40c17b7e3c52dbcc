//! Rows that were deleted from a moment ago.
//!
//! A delete hides what has its timestamp or an older one, and timestamps are milliseconds: a value that is written in the
//! millisecond of a delete would never be seen. So a row that something was deleted from rests until the next one.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tablesmith_model::TableName;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Long enough for the clock of the row's server to have gone on by a millisecond.
const REST: Duration = Duration::from_millis(2);
/// More rows than this are looked through for those that have rested.
const MOST: usize = 4_096;

/// Rows that were deleted from, and when.
#[derive(Debug, Default)]
pub(crate) struct Recent(Mutex<HashMap<u64, Instant>>);

impl Recent {
    /// Something of a row was deleted just now.
    pub fn deleted(&self, table: &TableName, row: &[u8]) {
        let mut rows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if rows.len() >= MOST {
            rows.retain(|_, at| at.elapsed() < REST);
        }
        rows.insert(number(table, row), Instant::now());
    }

    /// Waits until a row may be written to.
    pub async fn wait(&self, table: &TableName, row: &[u8]) {
        if let Some(rest) = self.rest(table, row) {
            tokio::time::sleep(rest).await;
        }
    }

    /// How long it takes until a row may be written to.
    fn rest(&self, table: &TableName, row: &[u8]) -> Option<Duration> {
        let mut rows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if rows.is_empty() {
            return None;
        }
        let number = number(table, row);
        let rest = REST.checked_sub(rows.get(&number)?.elapsed());
        if rest.is_none() {
            rows.remove(&number);
        }
        rest
    }
}

/// A row as a number: two rows with one number rest both, which does no harm.
fn number(table: &TableName, row: &[u8]) -> u64 {
    xxh3_64_with_seed(row, xxh3_64_with_seed(table.to_string().as_bytes(), 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_rests_after_a_delete_and_only_then() {
        let recent = Recent::default();
        let table: TableName = "t".parse().unwrap();
        assert_eq!(recent.rest(&table, b"a"), None);
        recent.deleted(&table, b"a");
        assert!(recent.rest(&table, b"a").is_some());
        assert_eq!(recent.rest(&table, b"b"), None);
        std::thread::sleep(REST);
        assert_eq!(recent.rest(&table, b"a"), None);
    }
}
