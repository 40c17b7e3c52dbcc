//! The simulator beside the embedded store, whose servers are throttled. Time is paused: it passes only when everyone waits
//! for a server, so that a busy machine takes no part in what is measured.

use std::sync::Arc;
use std::time::Duration;

use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_papers::keys::check::{Checked, checked, model_of_store, predict};
use tablesmith_papers::keys::designs::KeyDesign;
use tablesmith_papers::keys::measured::{Load, Measured};
use tablesmith_papers::keys::placed::Source;
use tablesmith_papers::keys::point::{LoadPoint, Setting};
use tablesmith_store::Store;
use tablesmith_store::wrap::{Throttled, Wrapped};
use tablesmith_store_testing::faulty::{Condition, Faulty, Reaction, Rule, Turn};
use tempfile::TempDir;

const SEED: u64 = 1;
const BURST_REQUESTS: u32 = 20;
const BATCH_ROWS: usize = 20;
/// What every call that writes takes, beside the waiting for its server.
const ROUND_TRIP: Duration = Duration::from_millis(2);
const SETTING: Setting = Setting { regions: 8, servers: 4, files: 4 };

/// Loads all designs at the same time: each has servers of its own, and nearly all of the time is waiting for them.
async fn compared(rows: usize, requests_per_second: f64) -> (Vec<Measured>, Vec<LoadPoint>) {
    let directory = TempDir::with_prefix("tablesmith-keys-").unwrap();
    let options = EngineOptions { servers: SETTING.servers, ..EngineOptions::new(directory.path()) };
    let travels = Rule::new(Condition::Writes, Turn::Each, Reaction::Delay(ROUND_TRIP));
    let engine = Arc::new(Engine::open(options).unwrap());
    let engine: Arc<dyn Store> = Arc::new(Wrapped::new(engine, Faulty::new(SEED, [travels])));
    let lines = |id: u64, line: &mut Vec<u8>| line.extend(format!("{id},1:{}", id % 7).bytes());
    let source = Source { rows, modulus: rows as u64 / 4, seed: SEED, lines: Arc::new(lines) };
    let load = |name: &str, design| Load {
        store: Arc::clone(&engine),
        table: format!("keys_{name}").parse().unwrap(),
        source: source.clone(),
        design,
        setting: SETTING,
        batch_rows: BATCH_ROWS,
        settle: Duration::ZERO,
    };
    let each = load("trip", KeyDesign::Md5Mod).round_trip().await.unwrap();
    let loads = KeyDesign::ALL.map(|design| {
        let throttled =
            Wrapped::new(Arc::clone(&engine), Throttled::new(requests_per_second, BURST_REQUESTS));
        let load = Load { store: Arc::new(throttled), ..load(design.name(), design) };
        tokio::spawn(async move { load.run().await })
    });
    let mut measured = Vec::new();
    for load in loads {
        measured.push(load.await.unwrap().unwrap());
    }
    let model = model_of_store(requests_per_second, BURST_REQUESTS, each.as_secs_f64(), BATCH_ROWS, SEED);
    let predicted: Vec<_> = measured.iter().map(|one| predict(&model, &source, one).unwrap()).collect();
    for (one, other) in measured.iter().zip(&predicted) {
        assert_eq!(one.point.region_rows, other.region_rows, "{}", one.point.design.name());
        assert_eq!(one.point.server_rows, other.server_rows, "{}", one.point.design.name());
    }
    (measured, predicted)
}

fn tell(checked: &[Checked]) {
    println!("seed {SEED}");
    for one in checked {
        println!(
            "{:13} measured {:6.2} s, simulated {:6.2} s; ratios {:.3} and {:.3}",
            one.design.name(),
            one.measured_s,
            one.simulated_s,
            one.measured_ratio,
            one.simulated_ratio
        );
    }
}

#[tokio::test(start_paused = true)]
async fn the_simulator_predicts_rows_exactly_and_load_times_nearly() {
    let soak = std::env::var_os("TABLESMITH_SOAK").is_some();
    let (rows, requests_per_second) = if soak { (60_000, 250.0) } else { (4_000, 800.0) };
    let (measured, predicted) = compared(rows, requests_per_second).await;
    let checked = checked(&measured, &predicted);
    tell(&checked);
    assert_eq!(checked.len(), KeyDesign::ALL.len());
    assert!(checked.iter().all(Checked::holds), "{checked:#?}");
    let plain = checked.iter().find(|one| one.design == KeyDesign::Plain).unwrap();
    assert!(plain.measured_ratio > 3.0, "one server of four does everything: {plain:?}");
}
