//! Housekeeping that keeps memory and disk bounded.

use std::sync::Arc;

use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::{FamilyDescriptor, TableDescriptor};
use tablesmith_store::{ManualClock, Put, Scan, Store};

use crate::support::{block_on, name};

#[test]
fn a_full_memstore_is_flushed_and_purged_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(1_000));
    let options =
        EngineOptions { flush_bytes: 20_000, clock: clock.clone(), ..EngineOptions::new(dir.path()) };
    let engine = Engine::open(options).unwrap();
    let table = name("t");
    let descriptor = TableDescriptor::new(table.clone(), [FamilyDescriptor::new("f")]);
    block_on(engine.create_table(descriptor, vec![])).unwrap();
    for _ in 0..1_000 {
        clock.advance(1);
        block_on(engine.put(&table, Put::new("r").add("f", "q", vec![b'v'; 100]))).unwrap();
    }
    let stored = block_on(engine.scan_all(&table, Scan::all().raw().versions(u32::MAX))).unwrap().value;
    let versions: usize = stored.iter().map(|row| row.cells.len()).sum();
    assert!(versions < 300, "{versions} versions are still stored of a column that keeps one");
    assert!(block_on(engine.regions(&table)).unwrap()[0].load.store_files > 0);
}

#[test]
fn a_region_splits_by_itself_when_that_is_switched_on() {
    let dir = tempfile::tempdir().unwrap();
    let options = EngineOptions { split_bytes: Some(50_000), ..EngineOptions::new(dir.path()) };
    let engine = Engine::open(options).unwrap();
    let table = name("t");
    let descriptor = TableDescriptor::new(table.clone(), [FamilyDescriptor::new("f")]);
    block_on(engine.create_table(descriptor, vec![])).unwrap();
    for number in 0..1_500 {
        let put = Put::new(format!("r{:05}", number * 7 % 1_500)).add("f", "q", vec![b'v'; 100]);
        block_on(engine.put(&table, put)).unwrap();
    }
    let regions = block_on(engine.regions(&table)).unwrap();
    assert!(regions.len() >= 3, "{} regions", regions.len());
    assert_eq!(block_on(engine.scan_all(&table, Scan::all())).unwrap().value.len(), 1_500);
    for pair in regions.windows(2) {
        assert_eq!(pair[0].end, pair[1].start);
    }
}
