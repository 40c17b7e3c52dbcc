//! A scan in the order of ids over keys with 16 prefixes, beside the same scan over plain keys.

mod ground;

use std::time::{Duration, Instant};

use hbase_testbed::{Cluster, Distributed, Settings};
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_store::Store;
use tablesmith_store_hbase::HbaseStore;
use tokio::runtime::Runtime;

use self::ground::Laid;
use crate::measure::{alternate, runtime};

type Failure = Box<dyn std::error::Error>;

/// Rows of the tables, and of the ranges that are read.
const ROWS: i64 = 1_000_000;
const RANGE: i64 = 100_000;
const ROUNDS: usize = 15;
/// At most 1.3 times the time of the plain scan.
const WANTED_EMBEDDED: f64 = 1.0 / 1.3;
/// On three servers not slower.
const WANTED_CLUSTER: f64 = 1.0;

/// On the embedded store.
pub fn embedded() -> Result<(), String> {
    let run = || -> Result<(), Failure> {
        let directory = tempfile::tempdir()?;
        let engine = Engine::open(EngineOptions::new(directory.path()))?;
        compare(&runtime()?, &engine, WANTED_EMBEDDED)
    };
    run().map_err(|error| error.to_string())
}

/// On a real HBase of three region servers: the one that `TABLESMITH_HBASE` names, else one that is started for it.
pub fn cluster() -> Result<(), String> {
    let run = || -> Result<(), Failure> {
        let runtime = runtime()?;
        if std::env::var_os(hbase_testbed::VARIABLE).is_some() {
            let store = runtime.block_on(HbaseStore::connect(&hbase_testbed::shared()?.by_masters()))?;
            return compare(&runtime, &store, WANTED_CLUSTER);
        }
        let cluster = Distributed::start(&Settings { log_level: "WARN".to_owned(), ..Settings::default() })?;
        let store = runtime.block_on(HbaseStore::connect(&cluster.addresses().by_masters()))?;
        compare(&runtime, &store, WANTED_CLUSTER)
    };
    run().map_err(|error| error.to_string())
}

fn compare(runtime: &Runtime, store: &dyn Store, wanted: f64) -> Result<(), Failure> {
    let plain = runtime.block_on(Laid::plain(store, "bench_plain", ROWS))?;
    let spread = runtime.block_on(Laid::spread(store, "bench_spread", ROWS))?;
    println!("  {ROWS} rows; medians of {ROUNDS} rounds; rival: one scan over plain keys");
    let from = |round: usize| round as i64 * 7_919 * 101 % (ROWS - RANGE);
    let compared = alternate(
        ROUNDS,
        || (),
        |round| timed(runtime, spread.fan_out(store, from(round), RANGE)),
        |round| timed(runtime, plain.scan(store, from(round), RANGE)),
    )?;
    compared.print(&format!("{RANGE} rows in the order of ids"), RANGE as u64, wanted);
    runtime.block_on(async {
        plain.remove(store).await?;
        spread.remove(store).await
    })
}

fn timed(runtime: &Runtime, work: impl Future<Output = Result<(), Failure>>) -> Result<Duration, Failure> {
    let begun = Instant::now();
    runtime.block_on(work)?;
    Ok(begun.elapsed())
}
