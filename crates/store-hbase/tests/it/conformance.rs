//! The suite that every store passes, on a real HBase.

use std::collections::BTreeSet;
use std::time::Duration;

use tablesmith_store_testing::conformance::{CHECKS, Options, Report, run_with};
use tokio::task::JoinSet;

use crate::support::store;

/// Most of a check's time HBase makes and drops its tables: several themes do so at once, so that each takes longer.
const AT_ONCE: usize = 8;
const TIMEOUT: Duration = Duration::from_secs(300);

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_conforms() {
    let store = store().await;
    let mut themes: BTreeSet<&str> = CHECKS.iter().map(|check| check.theme).collect();
    let mut reports: Vec<Report> = Vec::new();
    let mut running = JoinSet::new();
    loop {
        while running.len() < AT_ONCE
            && let Some(theme) = themes.pop_first()
        {
            let store = store.clone();
            running.spawn(async move {
                let prefix = format!("conformance_{theme}");
                let options = Options { prefix, only: format!("{theme}::"), timeout: TIMEOUT };
                run_with(&store, &options).await
            });
        }
        let Some(report) = running.join_next().await else { break };
        reports.push(report.unwrap());
    }
    let broken: Vec<_> = reports.iter().filter(|report| !report.is_ok()).map(Report::to_string).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    // A theme whose name ends like another one's is checked with both.
    let passed: BTreeSet<_> = reports.iter().flat_map(|report| &report.passed).collect();
    assert_eq!(passed.len(), CHECKS.len());
}
