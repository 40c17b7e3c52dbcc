//! Designs that are found for random statements: every answer through them is the one that SQLite gives on the same data.

#[expect(dead_code, reason = "designs drawn by chance are for the tests of access")]
#[path = "../../../access/tests/it/answers/trial/mod.rs"]
mod trial;

use std::sync::Mutex;
use std::time::Duration;

use fastrand::Rng;
use tablesmith_design::tables::{Terms, decide};
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::cost::Prices;
use tablesmith_model::design::Design;
use tablesmith_model::workload::{Asks, Query, Wishes, Workload};

use crate::random::seed;
use trial::{Tally, World, Written, trial_of};

/// Trials that share a store: one that has many tables takes longer to make another.
const AT_A_TIME: usize = 10;
const TRIALS: u64 = 40;

/// The design for these statements, each at a rate drawn by chance.
fn found(random: &mut Rng, world: &World, asked: &[&Written], names: &str) -> Design {
    let query = |(number, written): (usize, &&Written)| Query {
        name: format!("q{number}"),
        asks: Asks::Sql(written.sql.clone()),
        rows: None,
        rate: *random.choice(&[1.0, 30.0, 1_000.0]).unwrap(),
        wishes: Wishes::default(),
    };
    let queries = asked.iter().enumerate().map(query).collect();
    let workload = Workload { queries, ..world.workload.clone() };
    let terms = Terms { prices: Prices::guessed(), servers: Some(3), time: Duration::from_secs(1) };
    let decided = decide(&workload, &terms).unwrap_or_else(|error| panic!("{error}: {}", workload.to_toml()));
    let mut design = decided.design;
    let renamed = |table: &str| format!("{names}_{table}");
    design.tables.iter_mut().for_each(|table| table.name = renamed(&table.name));
    for step in design.queries.iter_mut().flat_map(|query| &mut query.plan) {
        step.table = renamed(&step.table);
    }
    design
}

#[tokio::test]
async fn designs_that_are_found_answer_as_sqlite_does_by_the_plans_that_they_have() {
    let tally = Mutex::new(Tally::default());
    let trials = if std::env::var_os("TABLESMITH_SOAK").is_some() { 20 * TRIALS } else { TRIALS };
    let seeds: Vec<u64> = match std::env::var_os("TABLESMITH_SEED") {
        Some(_) => vec![seed()],
        None => (1..=trials).collect(),
    };
    for seeds in seeds.chunks(AT_A_TIME) {
        let directory = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let engine = Engine::open(EngineOptions::new(directory.path())).unwrap();
        for seed in seeds {
            trial_of(&engine, *seed, &format!("s{seed}"), &found, &tally).await;
        }
    }
    let Tally { as_designed, differing, calls_exact, queries } = tally.into_inner().unwrap();
    println!(
        "{queries} queries: {as_designed} by the plan in the design, {calls_exact} with the calls expected"
    );
    // A parent and its children that share a table are read by the same calls only in the first step of a plan.
    let (most, count) = (queries.div_ceil(50), differing.len());
    assert!(
        count <= most,
        "{count} of {queries} plans are not those of the design:\n{}",
        differing.join("\n\n")
    );
    assert_eq!(as_designed + count, queries);
}
