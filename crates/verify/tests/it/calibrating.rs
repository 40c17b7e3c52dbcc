//! A store whose prices are known is calibrated to just these; and the embedded store to prices that make sense.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::cost::{Operations, Prices};
use tablesmith_store::wrap::Wrapped;
use tablesmith_store::{Store, SystemClock};
use tablesmith_store_testing::memory::MemoryStore;
use tablesmith_verify::calibrate::{CalibrateError, Found, Observer, Options, RealTime, calibrate};

use crate::charged::Charged;

/// As small and short as it gets.
const OPTIONS: Options = Options { time: Duration::ZERO, seed: 1 };

/// Lets so many steps pass, and keeps how far it was.
struct Steps {
    left: u64,
    shares: Vec<f64>,
}

impl Steps {
    fn all() -> Self {
        Self { left: u64::MAX, shares: Vec::new() }
    }
}

impl Observer for Steps {
    fn goes_on(&mut self, share: f64, _: &'static str) -> bool {
        self.shares.push(share);
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }
}

fn charged(charged: Charged) -> Wrapped<Charged> {
    Wrapped::new(Arc::new(MemoryStore::new(Arc::new(SystemClock), 3)), charged)
}

/// The guesses, each made up to three times larger or smaller.
fn prices(seed: u64) -> Prices {
    let mut random = fastrand::Rng::with_seed(seed);
    let each_ms =
        Prices::guessed().each_ms.amounts().map(|price| price * 3_f64.powf(2.0 * random.f64() - 1.0));
    Prices { each_ms: Operations::from_amounts(each_ms), ..Prices::guessed() }
}

async fn found(store: &Wrapped<Charged>) -> Result<Found, CalibrateError> {
    calibrate(store, OPTIONS, &store.intercept().time, &mut Steps::all()).await
}

async fn assert_nothing_is_left(store: &dyn Store) {
    assert_eq!(store.list_tables().await.unwrap(), []);
    assert_eq!(store.list_namespaces().await.unwrap(), ["default", "hbase"]);
}

#[tokio::test]
async fn the_prices_of_a_store_are_found() {
    for seed in 1..=2 {
        let right = prices(seed);
        let store = charged(Charged::new(right.clone(), 0.0, seed));
        let found = found(&store).await.unwrap();
        for ((name, right), found) in right.each_ms.named().zip(found.each_ms.amounts()) {
            // The clock of the store has whole nanoseconds.
            assert!((found / right - 1.0).abs() < 0.01, "seed {seed}: {name} is {found}, not {right}");
        }
        assert!(found.fit.r2 > 0.999_9, "seed {seed}: {:?}", found.fit);
        assert_nothing_is_left(&store).await;
    }
}

#[tokio::test]
async fn the_prices_of_a_noisy_store_explain_it() {
    let (seed, noise) = (4, 0.2);
    let right = prices(seed);
    let store = charged(Charged::new(right.clone(), noise, seed));
    let found = found(&store).await.unwrap();
    assert!(found.fit.r2 > 0.98, "seed {seed}: {:?}", found.fit);
    let worst = &found.fit.worst;
    assert!((worst.predicted_ms / worst.measured_ms - 1.0).abs() < 2.0 * noise, "seed {seed}: {worst:?}");
    // Single prices may be off where others make up for it; calls are not.
    let prices = Prices { each_ms: found.each_ms, ..Prices::guessed() };
    let get = Operations { calls: 1.0, seeks: 3.0, ..scan(1.0, 3.0, 10.0) };
    let short = Operations { calls: 1.0, regions: 1.0, seeks: 2.0, ..scan(20.0, 2.0, 30.0) };
    let long = Operations { calls: 1.0, regions: 1.0, seeks: 1.0, ..scan(1_000.0, 1.0, 30.0) };
    for operations in [get, short, long] {
        let (found, right) = (prices.cost(&operations), right.cost(&operations));
        assert!(
            (found / right - 1.0).abs() < 2.0 * noise,
            "seed {seed}: {found}, not {right}: {operations:?}"
        );
    }
}

/// What is done for rows of which two columns a family are asked for.
fn scan(rows: f64, families: f64, width: f64) -> Operations {
    let cell_bytes = 60.0;
    Operations {
        rows,
        family_rows: rows * families,
        cells: rows * families * width,
        bytes: rows * families * width * cell_bytes,
        cells_returned: rows * families * 2.0,
        bytes_returned: rows * families * 2.0 * cell_bytes,
        ..Operations::NONE
    }
}

#[tokio::test]
async fn a_calibration_that_is_stopped_leaves_nothing() {
    for steps in [1, 3, 40, 500] {
        let store = charged(Charged::new(Prices::guessed(), 0.0, 1));
        let mut observer = Steps { left: steps, shares: Vec::new() };
        let stopped = calibrate(&store, OPTIONS, &store.intercept().time, &mut observer).await;
        assert!(matches!(stopped, Err(CalibrateError::Stopped)), "{stopped:?}");
        assert_nothing_is_left(&store).await;
        assert!(
            observer.shares.is_sorted() && observer.shares.iter().all(|share| (0.0..=1.0).contains(share))
        );
    }
}

#[tokio::test]
async fn a_calibration_whose_store_fails_leaves_nothing_and_says_why() {
    let store = charged(Charged::new(Prices::guessed(), 0.0, 1));
    store.intercept().reads_left.store(200, Ordering::SeqCst);
    let failed = found(&store).await;
    assert!(failed.unwrap_err().to_string().contains("the store is gone"));
    assert_nothing_is_left(&store).await;
}

#[tokio::test]
async fn what_an_earlier_run_left_is_removed_first() {
    let store = charged(Charged::new(Prices::guessed(), 0.0, 1));
    let left = "tablesmith_calibration:narrow".parse().unwrap();
    store.create_namespace("tablesmith_calibration").await.unwrap();
    let family = tablesmith_model::FamilyDescriptor::new("other");
    store.create_table(tablesmith_model::TableDescriptor::new(left, [family]), Vec::new()).await.unwrap();
    // It gets as far as tables of its own, which the old ones would have kept it from making.
    let mut observer = Steps { left: 1, shares: Vec::new() };
    let stopped = calibrate(&store, OPTIONS, &store.intercept().time, &mut observer).await;
    assert!(matches!(stopped, Err(CalibrateError::Stopped)), "{stopped:?}");
    assert_nothing_is_left(&store).await;
}

/// Nothing is asked of the times themselves, which depend on the machine and on what else it does.
#[tokio::test]
async fn on_the_embedded_store_wide_families_are_dearer_to_read_than_narrow_ones() {
    let directory = tempfile::tempdir().unwrap();
    let store = Engine::open(EngineOptions::new(directory.path())).unwrap();
    let found = calibrate(&store, OPTIONS, &RealTime::default(), &mut Steps::all()).await.unwrap();
    let call = |width: f64| Operations { calls: 1.0, regions: 1.0, seeks: 1.0, ..scan(100.0, 1.0, width) };
    let prices = Prices { each_ms: found.each_ms, ..Prices::guessed() };
    let (narrow, wide) = (prices.cost(&call(4.0)), prices.cost(&call(40.0)));
    assert!(wide > 1.5 * narrow, "{wide} ms beside {narrow} ms: {found:?}");
    assert!(found.fit.r2 > 0.5, "{found:?}");
    assert_nothing_is_left(&store).await;
}
