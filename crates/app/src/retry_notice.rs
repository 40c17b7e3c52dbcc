//! Tells the caller that a cluster is asked again and again: what, which server, how often, until when.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tablesmith_store::StoreError;
use tablesmith_store_hbase::{HbaseStore, RetryReport};

use crate::Progress;

/// Retries that end sooner concern nobody: a region moves, a server is busy.
const SILENT: Duration = Duration::from_secs(3);
/// A line says all that is known for so long, however many operations are tried again.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// Connects to a cluster whose long retries are shown.
pub async fn connect(address: &str, progress: Arc<dyn Progress>) -> Result<HbaseStore, StoreError> {
    let shown = Mutex::new(None);
    let show = move |report: &RetryReport<'_>| {
        let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
        if is_due(report.elapsed, shown.map(|at: Instant| at.elapsed())) {
            *shown = Some(Instant::now());
            progress.warn(&format!("retrying {report}"));
        }
    };
    HbaseStore::connect_observed(address, Arc::new(show)).await
}

/// Whether a line is due for an operation that has been tried for so long, when the last line is so old.
fn is_due(elapsed: Duration, since_last: Option<Duration>) -> bool {
    elapsed >= SILENT && since_last.is_none_or(|since| since >= BETWEEN_LINES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_retries_are_silent_and_long_ones_are_not_told_all_the_time() {
        let seconds = Duration::from_secs;
        assert!(!is_due(seconds(2), None));
        assert!(is_due(seconds(3), None));
        assert!(!is_due(seconds(10), Some(seconds(7))));
        assert!(is_due(seconds(40), Some(seconds(31))));
    }
}
