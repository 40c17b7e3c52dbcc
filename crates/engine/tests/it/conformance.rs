//! The suite that every store passes.

use tablesmith_store_testing::conformance;

use crate::support::open;

#[tokio::test]
async fn the_engine_keeps_every_rule() {
    let dir = tempfile::tempdir().unwrap();
    let report = conformance::run(&open(dir.path())).await;
    assert!(report.is_ok(), "{report}");
    assert!(report.passed.len() > 50, "the suite has lost its checks: {report}");
}
