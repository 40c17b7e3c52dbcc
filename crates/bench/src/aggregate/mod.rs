//! Sums of readings made inside the regions: many regions beside one, and regions beside one scanner that pulls the cells.

mod ground;
mod memory;

use std::time::{Duration, Instant};

use hbase_testbed::java_client::{JavaClient, Way};
use hbase_testbed::{Addresses, Cluster, Distributed, Settings};
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_store::aggregate::Figures;
use tablesmith_store_hbase::HbaseStore;
use tokio::runtime::Runtime;

use self::ground::{LAYOUTS, Laid, expect};
pub use self::memory::memory;
use crate::measure::{alternate, runtime};

type Failure = Box<dyn std::error::Error>;

/// Stations and days that are loaded: a reading a minute.
const STATIONS: i64 = 100;
const DAYS: i64 = 7;
const READINGS: u64 = (STATIONS * DAYS * 1_440) as u64;
const ROUNDS: usize = 9;
/// Rounds that are not counted, on a cluster.
const WARM_UP: usize = 20;
/// Regions of the tables that are cut.
const REGIONS: i64 = 8;
/// On two cores.
const WANTED_REGIONS: f64 = 1.6;
/// For what the regions sum up themselves.
const WANTED_PULL: f64 = 5.0;

/// On the embedded store.
pub fn embedded() -> Result<(), String> {
    let run = || -> Result<(), Failure> {
        let directory = tempfile::tempdir()?;
        let engine = Engine::open(EngineOptions::new(directory.path()))?;
        let settle = || {
            while engine.is_busy() {
                std::thread::sleep(Duration::from_millis(20));
            }
        };
        let runtime = runtime()?;
        println!(
            "  {READINGS} readings; medians of {ROUNDS} rounds; rival: the same in one region, then one scanner"
        );
        for layout in LAYOUTS {
            let many = runtime.block_on(Laid::load(&engine, layout, "many", REGIONS))?;
            let one = runtime.block_on(Laid::load(&engine, layout, "one", 1))?;
            let regions = alternate(
                ROUNDS,
                settle,
                |_| timed(&runtime, many.sum(&engine)),
                |_| timed(&runtime, one.sum(&engine)),
            )?;
            regions.print(&format!("{layout}, {REGIONS} regions to 1"), READINGS, WANTED_REGIONS);
            let pull = alternate(
                ROUNDS,
                settle,
                |_| timed(&runtime, many.sum(&engine)),
                |_| timed(&runtime, many.pull(&engine)),
            )?;
            pull.print(&format!("{layout}, regions to a scanner"), READINGS, 1.0);
        }
        Ok(())
    };
    run().map_err(|error| error.to_string())
}

/// On a real HBase, beside a scanner of ours and those of HBase's own client, as people write it (blocking) and in its fastest
/// way. The limit is a walk of all regions at once that brings nothing: what sums up on this machine cannot be faster. The
/// cluster is the one that `TABLESMITH_HBASE` names, else one that is started for it.
pub fn cluster() -> Result<(), String> {
    let run = || -> Result<(), Failure> {
        let runtime = runtime()?;
        if std::env::var_os(hbase_testbed::VARIABLE).is_some() {
            return on_cluster(&runtime, hbase_testbed::shared()?);
        }
        let cluster = Distributed::start(&Settings { log_level: "WARN".to_owned(), ..Settings::default() })?;
        on_cluster(&runtime, cluster.addresses())
    };
    run().map_err(|error| error.to_string())
}

fn on_cluster(runtime: &Runtime, addresses: &Addresses) -> Result<(), Failure> {
    let store = runtime.block_on(HbaseStore::connect(&addresses.by_masters()))?;
    let java = JavaClient::start(addresses, &[])?;
    println!("  {READINGS} readings; medians of {ROUNDS} rounds; rival: one scanner that pulls the cells");
    for layout in LAYOUTS {
        let laid = runtime.block_on(Laid::load(&store, layout, "many", REGIONS))?;
        let is_served = matches!(layout, "tall" | "versions");
        warm_up(runtime, &store, &laid)?;
        for (what, figures, wanted) in questions(is_served) {
            let ours = |_| timed(runtime, laid.figures(&store, figures));
            let pull = alternate(ROUNDS, || (), ours, |_| timed(runtime, laid.pull(&store)))?;
            pull.print(&format!("{layout}, {what}, our scanner"), READINGS, wanted);
        }
        if is_served {
            let walk = alternate(
                ROUNDS,
                || (),
                |_| timed(runtime, laid.walk(&store)),
                |_| timed(runtime, laid.pull(&store)),
            )?;
            walk.print(&format!("{layout}, the limit, our scanner"), READINGS, 1.0);
            let fastest = fastest_way(&java, &laid)?;
            let ways = [Way::Blocking, fastest];
            for way in ways.iter().skip(usize::from(fastest == Way::Blocking)) {
                for (what, figures, wanted) in questions(is_served) {
                    let ours = |_| timed(runtime, laid.figures(&store, figures));
                    let pull = alternate(ROUNDS, || (), ours, |_| pulled_by_java(&java, &laid, *way))?;
                    pull.print(&format!("{layout}, {what}, Java's ({way})"), READINGS, wanted);
                }
            }
        }
        runtime.block_on(laid.remove(&store))?;
    }
    Ok(())
}

/// Asks and pulls until the servers have compiled what they do: one that has just begun says little of one that runs for weeks.
fn warm_up(runtime: &Runtime, store: &HbaseStore, laid: &Laid) -> Result<(), Failure> {
    for _ in 0..WARM_UP {
        timed(runtime, laid.figures(store, Figures::MAX))?;
        timed(runtime, laid.pull(store))?;
    }
    Ok(())
}

/// What is asked on a cluster, and how much faster than a scanner it should be. HBase's own service can tell the greatest
/// number and the mean of tall rows and of versions; of all else scans of the regions bring the cells.
fn questions(is_served: bool) -> [(&'static str, Figures, f64); 3] {
    let wanted = if is_served { WANTED_PULL } else { 1.0 };
    [
        ("max", Figures::MAX, wanted),
        ("mean", Figures::MEAN, wanted),
        ("all figures", Figures::OF_NUMBERS, 1.0),
    ]
}

/// The way in which HBase's own client scans fastest, once it is warm.
fn fastest_way(java: &JavaClient, laid: &Laid) -> Result<Way, Failure> {
    let mut times = Vec::new();
    for way in [Way::Blocking, Way::Async, Way::Prefetch] {
        pulled_by_java(java, laid, way)?;
        times.push((pulled_by_java(java, laid, way)?, way));
    }
    Ok(times.into_iter().min_by_key(|(time, _)| *time).ok_or("there is no way")?.1)
}

fn pulled_by_java(java: &JavaClient, laid: &Laid, way: Way) -> Result<Duration, Failure> {
    let measured = java.run(&laid.pull_by_java(way))?;
    expect(measured.cells)?;
    Ok(measured.wall)
}

fn timed(runtime: &Runtime, work: impl Future<Output = Result<(), Failure>>) -> Result<Duration, Failure> {
    let begun = Instant::now();
    runtime.block_on(work)?;
    Ok(begun.elapsed())
}
