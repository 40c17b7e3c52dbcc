//! Many threads on one store.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tablesmith_model::TimeRange;
use tablesmith_store::filter::{Comparator, CompareOp};
use tablesmith_store::{CheckAndMutate, Condition, Get, Increment, Mutation, Put, RowMutations, Scan, Store};

use crate::support::{block_on, create, name, open};

const THREADS: u64 = 16;

#[test]
fn increments_from_16_threads_are_exact() {
    const INCREMENTS: u64 = 200;
    let dir = tempfile::tempdir().unwrap();
    let engine = open(dir.path());
    block_on(create(&engine, "t", &["f"], &[]));
    let table = name("t");
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for _ in 0..INCREMENTS {
                    block_on(engine.increment(&table, Increment::new("r", "f", "c", 1))).unwrap();
                }
            });
        }
    });
    let row = block_on(engine.get(&table, Get::new("r"))).unwrap().value;
    assert_eq!(row.value(b"f", b"c").unwrap()[..], (THREADS * INCREMENTS).to_be_bytes());
}

#[test]
fn check_and_mutate_from_16_threads_is_exact() {
    const STEPS: u64 = 40;
    let dir = tempfile::tempdir().unwrap();
    let engine = open(dir.path());
    block_on(create(&engine, "t", &["f"], &[]));
    let table = name("t");
    block_on(engine.put(&table, Put::new("r").add("f", "n", "0"))).unwrap();
    let succeeded = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for _ in 0..STEPS {
                    count_up(&engine, &table);
                    succeeded.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    let row = block_on(engine.get(&table, Get::new("r"))).unwrap().value;
    let counted: u64 = std::str::from_utf8(row.value(b"f", b"n").unwrap()).unwrap().parse().unwrap();
    assert_eq!(counted, succeeded.load(Ordering::Relaxed));
    assert_eq!(counted, THREADS * STEPS);
}

/// Adds one to a number in text, trying again until nobody was faster.
fn count_up(engine: &tablesmith_engine::Engine, table: &tablesmith_model::TableName) {
    loop {
        let row = block_on(engine.get(table, Get::new("r"))).unwrap().value;
        let seen = row.value(b"f", b"n").unwrap().clone();
        let next = std::str::from_utf8(&seen).unwrap().parse::<u64>().unwrap() + 1;
        let check = CheckAndMutate {
            condition: Condition::Value {
                family: "f".into(),
                qualifier: "n".into(),
                op: CompareOp::Equal,
                comparator: Comparator::Binary(seen),
                time_range: TimeRange::ALL,
            },
            then: RowMutations {
                row: "r".into(),
                mutations: vec![Mutation::Put(Put::new("r").add("f", "n", next.to_string()))],
            },
        };
        if block_on(engine.check_and_mutate(table, check)).unwrap().value.success {
            return;
        }
    }
}

#[test]
fn scans_during_writes_see_whole_rows() {
    const ROWS: u64 = 50;
    const ROUNDS: u64 = 60;
    let dir = tempfile::tempdir().unwrap();
    let engine = open(dir.path());
    block_on(create(&engine, "t", &["f", "g"], &["r25"]));
    let table = name("t");
    let done = AtomicBool::new(false);
    let scans = std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..ROUNDS {
                for row in 0..ROWS {
                    let value = round.to_string();
                    let put = Put::new(format!("r{row:02}")).add("f", "a", value.clone()).add(
                        "f",
                        "b",
                        value.clone(),
                    );
                    block_on(engine.put(&table, put.add("g", "a", value))).unwrap();
                }
                if round % 20 == 10 {
                    let scope = tablesmith_store::FlushScope::Table(table.clone(), None);
                    block_on(engine.flush(scope)).unwrap();
                }
            }
            done.store(true, Ordering::SeqCst);
        });
        let mut scans = 0;
        while !done.load(Ordering::SeqCst) {
            let scan = if scans % 2 == 0 { Scan::all() } else { Scan::all().reversed() };
            for row in block_on(engine.scan_all(&table, scan)).unwrap().value {
                let values: Vec<_> = row.cells.iter().map(|cell| &cell.value).collect();
                assert_eq!(values.len(), 3, "half a row: {row:?}");
                assert!(values.iter().all(|value| *value == values[0]), "a row of two writes: {row:?}");
            }
            scans += 1;
        }
        scans
    });
    assert!(scans > 2, "only {scans} scans ran beside the writer");
}
