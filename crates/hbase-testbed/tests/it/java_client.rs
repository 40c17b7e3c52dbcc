//! HBase's own client does what it is told.

use hbase_testbed::java_client::rows::{FAMILY, qualifier, row_key};
use hbase_testbed::java_client::{JavaClient, Measured, ScannedColumn, Way, Work};
use hbase_testbed::shared;

const ROWS: u64 = 1500;

#[test]
fn the_java_client_writes_reads_and_measures() {
    let java = JavaClient::start(shared().unwrap(), &[]).unwrap();
    let table = format!("testbed_java_client_{}", std::process::id());
    java.run(&Work::Create { table: table.clone(), regions: 3 }).unwrap();
    let fine = |measured: Measured, operations: u64| {
        assert_eq!((measured.operations, measured.failures), (operations, 0));
        assert!(measured.wall > measured.p99 && measured.p99 >= measured.p50 && !measured.cpu.is_zero());
    };

    for (first, way) in [(0, Way::Async), (500, Way::Blocking)] {
        let work = Work::Put { table: table.clone(), first, count: 500, in_flight: 8, value_bytes: 100, way };
        fine(java.run(&work).unwrap(), 500);
    }
    let stall =
        Work::Stall { table: table.clone(), first: 1000, count: 500, in_flight: 64, value_bytes: 100 };
    let running = java.begin(&stall);
    running.wait_for_progress(100).unwrap();
    let measured = running.finish().unwrap();
    fine(measured, 500);
    assert!(!measured.longest_gap.is_zero());
    for way in [Way::Async, Way::Blocking, Way::Mutator] {
        let (batch, in_flight, columns, value_bytes) = (100, 2, 2, 50);
        let table = table.clone();
        let work = Work::Batch { table, first: 0, count: ROWS, batch, in_flight, columns, value_bytes, way };
        fine(java.run(&work).unwrap(), ROWS.div_ceil(100));
    }
    for way in [Way::Async, Way::Blocking] {
        let work = Work::Get { table: table.clone(), count: 500, in_flight: 8, rows: 1500, way };
        fine(java.run(&work).unwrap(), 500);
    }
    for way in [Way::Async, Way::Blocking, Way::Prefetch] {
        let seen = java.run(&Work::Scan { table: table.clone(), column: None, way }).unwrap();
        // Each row has two columns, each with a qualifier of five bytes and a value of fifty.
        let bytes = ROWS * 2 * (row_key(0).len() as u64 + 5 + 50);
        assert_eq!((seen.rows, seen.cells, seen.bytes), (ROWS, ROWS * 2, bytes));
        let column = ScannedColumn { family: FAMILY.to_owned(), qualifier: qualifier(1), versions: 1 };
        let seen = java.run(&Work::Scan { table: table.clone(), column: Some(column), way }).unwrap();
        assert_eq!((seen.rows, seen.cells), (ROWS, ROWS));
    }
    java.run(&Work::Drop { table: table.clone() }).unwrap();
    let error = java.run(&Work::Scan { table, column: None, way: Way::Blocking }).unwrap_err().to_string();
    assert!(error.contains("TableNotFoundException"), "{error}");
}
