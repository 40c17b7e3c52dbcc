//! Random operations on the engine and on the plain model: the same answers.

use std::sync::Arc;

use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_store::{ManualClock, Scan, Store};
use tablesmith_store_testing::memory::MemoryStore;
use tablesmith_store_testing::sequence::{SequenceConfig, compare_seeds};

use crate::support::{number_from_env, open_at, passing_dir, soaking};

/// Sequences in an ordinary run, and in a soak.
const SEQUENCES: u64 = 10_000;
const SOAK_SEQUENCES: u64 = 200_000;
/// Sequences that share an engine: tables come and go, and one directory is enough for many.
const SEQUENCES_PER_ENGINE: u64 = 500;

/// `TABLESMITH_SEED` begins at another seed, `TABLESMITH_SEQUENCES` runs another number of them.
#[test]
fn the_engine_answers_as_the_plain_model_does() {
    let sequences =
        number_from_env("TABLESMITH_SEQUENCES").unwrap_or(if soaking() { SOAK_SEQUENCES } else { SEQUENCES });
    let first = number_from_env("TABLESMITH_SEED").unwrap_or(1);
    println!("seeds {first} to {}", first + sequences - 1);
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let parts: Vec<(u64, u64)> = (first..first + sequences)
        .step_by(SEQUENCES_PER_ENGINE as usize)
        .map(|from| (from, (from + SEQUENCES_PER_ENGINE).min(first + sequences)))
        .collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(&(from, until)) =
                    parts.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    compare_part(from, until);
                }
            });
        }
    });
}

fn compare_part(from: u64, until: u64) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let dir = passing_dir();
        let clocks = [Arc::new(ManualClock::default()), Arc::new(ManualClock::default())];
        let clock = clocks[0].clone();
        let options = EngineOptions { clock, follows_clock_back: true, ..EngineOptions::new(dir.path()) };
        let engine = Engine::open(options).unwrap();
        let model = MemoryStore::new(clocks[1].clone(), 3);
        let clocks = [&*clocks[0], &*clocks[1]];
        let compared = compare_seeds(&engine, &model, &clocks, from..until, &SequenceConfig::default()).await;
        if let Err(difference) = compared {
            panic!("{difference}");
        }
    });
}

/// What is stored is the same after closing and opening, also what only a raw scan shows.
#[tokio::test]
async fn reopening_changes_nothing() {
    use tablesmith_model::{FamilyDescriptor, KeepDeletedCells, TableDescriptor};
    use tablesmith_store::{Delete, DeleteTarget, FlushScope, Put};
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(1_000_000));
    let table: tablesmith_model::TableName = "t".parse().unwrap();
    let scan = || Scan::all().raw().versions(10);
    let mut engine = open_at(dir.path(), clock.clone());
    let family =
        FamilyDescriptor { keep_deleted_cells: KeepDeletedCells::True, ..FamilyDescriptor::new("f") };
    let families = [family.with_versions(2), FamilyDescriptor::new("g")];
    engine.create_table(TableDescriptor::new(table.clone(), families), vec!["m".into()]).await.unwrap();
    for round in 0..6_i64 {
        for row in ["a", "m", "z\0"] {
            engine
                .put(&table, Put::new(row).add_at("f", "q", round, "v").add_at("g", "", round, "w"))
                .await
                .unwrap();
        }
        let target = DeleteTarget::Version("f".into(), "q".into(), Some(round - 1).filter(|&at| at >= 0));
        engine.delete(&table, Delete::row("m").target(target)).await.unwrap();
        if round % 2 == 0 {
            engine.flush(FlushScope::Table(table.clone(), None)).await.unwrap();
        }
        let before = engine.scan_all(&table, scan()).await.unwrap().value;
        drop(engine);
        engine = open_at(dir.path(), clock.clone());
        assert_eq!(engine.scan_all(&table, scan()).await.unwrap().value, before, "round {round}");
    }
    engine.flush(FlushScope::Table(table.clone(), None)).await.unwrap();
    engine.major_compact(FlushScope::Table(table.clone(), None)).await.unwrap();
    let after = engine.scan_all(&table, scan()).await.unwrap().value;
    let of_g = after[0].cells.iter().filter(|cell| cell.family == "g").count();
    assert_eq!(of_g, 1, "a flush after reopening still purges: {after:?}");
}
