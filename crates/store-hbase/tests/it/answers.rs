//! Statements through random designs on a cluster: every answer is the one that SQLite gives on the same data.

#[path = "../../../access/tests/it/answers/trial/mod.rs"]
mod trial;

use crate::support;
use trial::trial;

/// As many as a cluster makes and drops tables for in a few minutes.
const TRIALS: u64 = 20;

#[tokio::test]
async fn a_cluster_answers_as_sqlite_does() {
    let store = support::store().await;
    for seed in 1..=TRIALS {
        let tables = trial(&store, seed, &support::table_name("answers").to_string()).await;
        for table in tables {
            support::drop_table(&store, &table).await;
        }
    }
}
