//! Identical and slowed designs on the embedded store, in real time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use tablesmith_access::Stopwatch;
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::design::Design;
use tablesmith_model::evidence::{Evidence, MeasuredDesign};
use tablesmith_model::source_row::SourceRow;
use tablesmith_model::value::Value;
use tablesmith_model::workload::Workload;
use tablesmith_sql::Dialect;
use tablesmith_store::wrap::{Intercept, Op, Outcome, Wrapped};
use tablesmith_store::{Store, StoreError};
use tablesmith_verify::evidence::{LEVEL, Setting, evidence};
use tablesmith_verify::replay::{Pace, QUERIES, REPEATS, Replay, Schedule, Script, Subject, WARM_UP, replay};
use tablesmith_verify::statements::{BoundStatement, Statements};
use tablesmith_verify::trial::{DesignSubject, NAMESPACE, TrialDesign, TrialRows, remove};
use tempfile::TempDir;

const ROWS: i64 = 2_000;

const WORKLOAD: &str = r#"version = 1
[[table]]
name = "readings"
key = ["id"]
[table.columns]
id = { type = "int" }
a = { type = "int" }
b = { type = "string" }
c = { type = "string" }
"#;

const DESIGN: &str = r#"version = 1
workload = "workload.toml"
[[table]]
name = "readings"
[[table.family]]
name = "n"
[[table.family]]
name = "t"
[[table.rows]]
from = "readings"
key = ["id"]
cells = [{ family = "n", columns = ["a"] }, { family = "t", columns = ["b", "c"] }]
"#;

/// A store with the same design twice, under two names.
struct Ground {
    store: Arc<dyn Store>,
    designs: Vec<TrialDesign>,
    workload: Arc<Workload>,
    _directory: TempDir,
}

impl Ground {
    async fn new() -> Self {
        let directory = TempDir::new().unwrap();
        let store: Arc<dyn Store> = Arc::new(Engine::open(EngineOptions::new(directory.path())).unwrap());
        let workload = Workload::parse(WORKLOAD).unwrap();
        let design = Design::parse_for(DESIGN, &workload).unwrap();
        let workload = Arc::new(workload);
        let mut designs = Vec::new();
        for name in ["left", "right"] {
            let mut trial = TrialDesign::new(name, Arc::clone(&workload), &design).unwrap();
            trial.create(&*store).await.unwrap();
            let rows = Box::new((0..ROWS).map(|id| Ok(row(id))));
            let loaded =
                trial.load(&*store, [TrialRows { table: "readings", rows }], &mut |_| ()).await.unwrap();
            assert_eq!(loaded.rows, ROWS as u64);
            designs.push(trial);
        }
        Self { store, designs, workload, _directory: directory }
    }

    /// Half of them rows by key, half scans of 20 rows.
    fn script(&self, calls: usize, seed: u64) -> Script<BoundStatement> {
        let no_data = Box::new(|_: &_| Err("statements have their values".to_owned()));
        let mut script = Statements::new(Arc::clone(&self.workload), Dialect::Generic, no_data, seed);
        let mut random = fastrand::Rng::with_seed(seed);
        for call in 0..calls {
            let id = random.i64(0..ROWS);
            match call % 2 {
                0 => script.statement(&format!("SELECT a, b FROM readings WHERE id = {id}")),
                _ => {
                    script.statement(&format!("SELECT a FROM readings WHERE id >= {id} AND id < {}", id + 20))
                }
            }
        }
        let (script, notes) = script.finish();
        assert!(notes.is_empty() && script.calls.len() == calls, "{notes:?}");
        script
    }

    /// Replays on both, each slowed by a share of its time.
    async fn measure(&self, queries: usize, warm_up: usize, seed: u64, slowed: [f64; 2]) -> Evidence {
        let stores = slowed.map(|share| -> Arc<dyn Store> {
            Arc::new(Wrapped::new(Arc::clone(&self.store), Slowing(share)))
        });
        let subject = |(design, store): (&TrialDesign, &Arc<dyn Store>)| {
            let subject: Arc<dyn Subject<BoundStatement>> =
                Arc::new(DesignSubject::new(Arc::clone(store), Arc::clone(design.database())));
            (design.name.clone(), subject)
        };
        let script = self.script(queries.div_ceil(REPEATS), seed);
        let schedule = Schedule::new(script.calls.len(), 2, warm_up, queries, seed);
        let subjects: Vec<_> = self.designs.iter().zip(&stores).map(subject).collect();
        let designs =
            subjects.iter().map(|(name, _)| MeasuredDesign { name: name.clone(), ..Default::default() });
        let setting = Setting { designs: designs.collect(), seed, ..Setting::default() };
        let replayed = Arc::new(Replay { script, subjects, schedule, pace: Pace::default() });
        let measured = replay(Arc::clone(&replayed), std::future::pending(), &|_| ()).await;
        let told = evidence(&replayed.script, &replayed.schedule, &measured, setting);
        assert!(told.answers_equal && told.stopped.is_none(), "{:?}", told.stopped);
        told
    }
}

fn row(id: i64) -> SourceRow {
    let text = |salt: i64| Value::String(format!("{:060}", (id + salt) * 7_919));
    SourceRow { line: id as u64 + 1, values: vec![Value::Int(id), Value::Int(id % 17), text(0), text(1)] }
}

/// What takes so long hangs, also on a busy machine.
const HANG: Duration = Duration::from_secs(120);

/// Lets every call take longer by a share of its own time.
struct Slowing(f64);

#[async_trait]
impl Intercept for Slowing {
    type Ticket = Stopwatch;

    async fn before(&self, _: &dyn Store, _: &Op<'_>) -> Result<Stopwatch, StoreError> {
        Ok(Stopwatch::start())
    }

    async fn after(&self, stopwatch: Stopwatch, _: Outcome<'_>) -> Result<(), StoreError> {
        let more = stopwatch.lap().time.mul_f64(self.0);
        let begun = Instant::now();
        while begun.elapsed() < more {
            std::hint::spin_loop();
        }
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn identical_designs_are_seldom_called_different_on_a_real_store() {
    let ground = Ground::new().await;
    let mut different = Vec::new();
    for seed in 0..100 {
        let told = ground.measure(200, if seed == 0 { 200 } else { 0 }, seed, [0.0, 0.0]).await;
        if told.pairs[0].p < LEVEL {
            different.push(told.verdict);
        }
    }
    println!("{} of 100 runs: {different:#?}", different.len());
    assert!(different.len() <= 5, "{} of 100 runs: {different:#?}", different.len());
}

/// All twenty runs in a soak, on a machine that does nothing else; else only a few, of which a busy machine may spoil two.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_is_slower_by_5_percent_is_found_out() {
    let soaking = std::env::var_os("TABLESMITH_SOAK").is_some();
    let (runs, may_miss) = if soaking { (20, 2) } else { (5, 2) };
    let ground = Ground::new().await;
    let mut missed = Vec::new();
    for seed in 0..runs {
        let told = ground.measure(QUERIES, WARM_UP, seed, [0.0, 0.05]).await;
        let pair = &told.pairs[0];
        if !(pair.p < LEVEL && pair.difference > 0.0) {
            missed.push(told.verdict);
        }
    }
    println!("missed in {} of {runs} runs: {missed:#?}", missed.len());
    assert!(missed.len() <= may_miss, "missed in {} of {runs} runs: {missed:#?}", missed.len());
}

#[tokio::test]
async fn tables_are_made_anew_and_removed_and_no_other_is_touched() {
    let ground = Ground::new().await;
    let mine = tablesmith_model::TableDescriptor::new(
        "mine".parse().unwrap(),
        [tablesmith_model::FamilyDescriptor::new("f")],
    );
    ground.store.create_table(mine, Vec::new()).await.unwrap();
    ground.designs[0].create(&*ground.store).await.unwrap();
    let names = ground.designs[0].tables().unwrap();
    assert_eq!(names, [format!("{NAMESPACE}:left_readings").parse().unwrap()]);
    let others = ["mine".parse().unwrap()];
    let all = ground.designs.iter().flat_map(|design| design.tables().unwrap()).chain(others);
    remove(&*ground.store, all).await.unwrap();
    let left: Vec<String> =
        ground.store.list_tables().await.unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(left, ["mine"]);
    assert!(!ground.store.list_namespaces().await.unwrap().contains(&NAMESPACE.to_owned()));
}

/// A store that stops answering after some calls.
struct Mortal(std::sync::atomic::AtomicU64);

#[async_trait]
impl Intercept for Mortal {
    type Ticket = ();

    async fn before(&self, _: &dyn Store, _: &Op<'_>) -> Result<(), StoreError> {
        match self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
            0..200 => Ok(()),
            _ => Err(StoreError::Io("the connection was closed".to_owned())),
        }
    }

    async fn after(&self, (): (), _: Outcome<'_>) -> Result<(), StoreError> {
        Ok(())
    }
}

#[tokio::test]
async fn a_store_that_dies_in_the_middle_leaves_what_was_measured() {
    let ground = Ground::new().await;
    let mortal: Arc<dyn Store> = Arc::new(Wrapped::new(Arc::clone(&ground.store), Mortal(0.into())));
    let script = ground.script(500, 9);
    let subject = |design: &TrialDesign| -> (String, Arc<dyn Subject<BoundStatement>>) {
        let subject = DesignSubject::new(Arc::clone(&mortal), Arc::clone(design.database()));
        (design.name.clone(), Arc::new(subject))
    };
    let subjects: Vec<_> = ground.designs.iter().map(subject).collect();
    let schedule = Schedule::new(500, 2, 0, 500, 9);
    let replayed = Arc::new(Replay { script, subjects, schedule, pace: Pace { clients: 4, rate: None } });
    let replaying = replay(Arc::clone(&replayed), std::future::pending(), &|_| ());
    let measured = tokio::time::timeout(HANG, replaying).await.expect("it waits for a store that is gone");
    assert!(measured.turns.len() > 20 && measured.turns.len() < 100, "{}", measured.turns.len());
    let told = evidence(&replayed.script, &replayed.schedule, &measured, Setting::default());
    let stopped = told.stopped.unwrap();
    assert!(stopped.contains("the connection was closed") && stopped.contains("of 500"), "{stopped}");
}
