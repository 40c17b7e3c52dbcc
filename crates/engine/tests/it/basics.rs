//! First things: what is written is read, also by the next process.

use tablesmith_store::{Aggregate, Delete, FlushScope, Get, Increment, Number, Put, Scan, Store, ValueType};

use crate::support::{create, name, open};

#[tokio::test]
async fn what_is_written_is_read_after_reopening() {
    let dir = tempfile::tempdir().unwrap();
    let table = name("t");
    {
        let engine = open(dir.path());
        create(&engine, "t", &["f", "g"], &["m"]).await;
        for row in ["a", "m", "z"] {
            engine
                .put(&table, Put::new(row).add_at("f", "q", 1, row).add_at("g", "q", 1, "x"))
                .await
                .unwrap();
        }
        engine.delete(&table, Delete::row("m")).await.unwrap();
        engine.flush(FlushScope::Table(table.clone(), None)).await.unwrap();
    }
    let engine = open(dir.path());
    let rows = engine.scan_all(&table, Scan::all()).await.unwrap().value;
    assert_eq!(rows.iter().map(|row| row.row.clone()).collect::<Vec<_>>(), ["a", "z"]);
    assert_eq!(rows[0].value(b"f", b"q").unwrap(), "a");
    assert_eq!(engine.regions(&table).await.unwrap().len(), 2);
    let backwards = engine.scan_all(&table, Scan::all().reversed()).await.unwrap().value;
    assert_eq!(backwards.iter().map(|row| row.row.clone()).collect::<Vec<_>>(), ["z", "a"]);
}

/// The storage below counts its writes anew after opening and may give a removed keyspace's number away again: a name
/// given then was older than the removal, and the family was gone at the next opening.
#[tokio::test]
async fn a_family_made_after_another_was_removed_stays() {
    let dir = tempfile::tempdir().unwrap();
    let table = name("t");
    for round in 0..4 {
        {
            let engine = open(dir.path());
            create(&engine, "t", &["f", "g"], &[]).await;
            engine.disable_table(&table).await.unwrap();
            engine.drop_table(&table).await.unwrap();
        }
        {
            let engine = open(dir.path());
            create(&engine, "t", &["f", "g"], &[]).await;
            engine.put(&table, Put::new("r").add("f", "q", "1").add("g", "q", "2")).await.unwrap();
        }
        let engine = open(dir.path());
        let row = engine.get(&table, Get::new("r")).await.unwrap().value;
        assert_eq!(row.cells.len(), 2, "round {round}: {row:?}");
        engine.disable_table(&table).await.unwrap();
        engine.drop_table(&table).await.unwrap();
    }
}

#[tokio::test]
async fn counters_count() {
    let dir = tempfile::tempdir().unwrap();
    let engine = open(dir.path());
    create(&engine, "t", &["f"], &[]).await;
    let table = name("t");
    for _ in 0..5 {
        engine.increment(&table, Increment::new("r", "f", "c", 2)).await.unwrap();
    }
    let row = engine.get(&table, Get::new("r")).await.unwrap().value;
    assert_eq!(row.value(b"f", b"c").unwrap()[..], 10_i64.to_be_bytes());
}

#[tokio::test]
async fn aggregation_answers_for_each_region() {
    let dir = tempfile::tempdir().unwrap();
    let engine = open(dir.path());
    create(&engine, "t", &["f"], &["k3", "k6"]).await;
    let table = name("t");
    for number in 0..9_i64 {
        let put = Put::new(format!("k{number}")).add_at("f", "q", 1, number.to_be_bytes().to_vec());
        engine.put(&table, put).await.unwrap();
    }
    let aggregate = Aggregate::new(Scan::all(), ValueType::I64);
    let regions = engine.aggregate(&table, aggregate).await.unwrap().value;
    let sums: Vec<_> = regions.iter().map(|region| region.groups.values().next().unwrap().sum).collect();
    assert_eq!(sums, [Number::Int(3), Number::Int(12), Number::Int(21)]);
}
