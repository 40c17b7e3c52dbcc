//! Reading and writing rows of a real HBase.

use std::future::Future;
use std::task::{Context, Waker};

use hbase::{
    Action, ActionReply, Append, CheckAndMutate, Comparator, CompareOp, Condition, Delete, DeleteTarget,
    Error, Get, Increment, Mutation, Put, RowMutations, Scan, TimeRange,
};

use crate::support::{FAMILY, connect, create, create_as, drop_table, put, schema};

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_written_read_and_deleted() {
    let client = connect().await;
    let table = create(&client, "rows", &["m"]).await;
    for row in ["a", "z"] {
        table.put(Put::new(row).add_at(FAMILY, "q", 5, "five").add_at(FAMILY, "r", 6, "six")).await.unwrap();
        let read = table.get(Get::new(row)).await.unwrap();
        assert_eq!((read.cells.len(), read.cells[0].timestamp()), (2, 5));
        assert_eq!(read.value(b"f", b"r").unwrap(), b"six");
        assert!(table.exists(Get::new(row).column(FAMILY, "q")).await.unwrap());
        assert!(!table.exists(Get::new(row).column(FAMILY, "no")).await.unwrap());
        let column = DeleteTarget::Column(FAMILY.into(), "q".into(), None);
        table.delete(Delete::row(row).target(column)).await.unwrap();
        assert_eq!(table.get(Get::new(row)).await.unwrap().cells.len(), 1);
        table.delete(Delete::row(row)).await.unwrap();
        assert!(table.get(Get::new(row)).await.unwrap().is_empty());
    }
    drop_table(&client.admin(), table.name()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deletes_of_all_kinds_hide_what_they_say() {
    let client = connect().await;
    let mut schema = schema("deletes");
    schema.families[0].attributes.insert("VERSIONS".into(), "5".into());
    let table = create_as(&client, &schema, &[]).await;
    let write = async |row: &'static str| {
        let cells = (1..=3)
            .fold(Put::new(row), |put, at| put.add_at(FAMILY, "q", at, "v").add_at(FAMILY, "r", at, "v"));
        table.put(cells).await.unwrap();
    };
    let left = async |row: &'static str, target: DeleteTarget| {
        write(row).await;
        table.delete(Delete::row(row).target(target)).await.unwrap();
        let cells = table.get(Get::new(row).versions(5)).await.unwrap().cells;
        cells
            .iter()
            .map(|cell| format!("{}{}", String::from_utf8_lossy(cell.qualifier()), cell.timestamp()))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let (f, q) = (|| FAMILY.into(), || "q".into());
    assert_eq!(left("a", DeleteTarget::Family(f(), Some(2))).await, "q3 r3");
    assert_eq!(left("b", DeleteTarget::FamilyVersion(f(), 2)).await, "q3 q1 r3 r1");
    assert_eq!(left("c", DeleteTarget::Column(f(), q(), Some(2))).await, "q3 r3 r2 r1");
    assert_eq!(left("d", DeleteTarget::Version(f(), q(), Some(2))).await, "q3 q1 r3 r2 r1");
    assert_eq!(left("e", DeleteTarget::Version(f(), q(), None)).await, "q2 q1 r3 r2 r1");
    let mut get = Get::new("e").versions(5);
    get.read.time_range = TimeRange::new(1, 2).unwrap();
    assert_eq!(table.get(get).await.unwrap().cells.len(), 2);
    drop_table(&client.admin(), table.name()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn counters_appends_and_conditions() {
    let client = connect().await;
    let table = create(&client, "counters", &[]).await;
    let counted = table.increment(Increment::new("r", FAMILY, "n", 5)).await.unwrap();
    assert_eq!(counted.value(b"f", b"n").unwrap(), 5i64.to_be_bytes());
    table
        .increment(Increment { return_results: false, ..Increment::new("r", FAMILY, "n", 2) })
        .await
        .unwrap();
    let counted = table.increment(Increment::new("r", FAMILY, "n", 0)).await.unwrap();
    assert_eq!(counted.value(b"f", b"n").unwrap(), 7i64.to_be_bytes());
    table.append(Append::new("r", FAMILY, "a", "ab")).await.unwrap();
    let appended = table.append(Append::new("r", FAMILY, "a", "cd")).await.unwrap();
    assert_eq!(appended.value(b"f", b"a").unwrap(), b"abcd");
    let check = |op, given: &'static str, put: Put| CheckAndMutate {
        condition: Condition::Value {
            family: FAMILY.into(),
            qualifier: "a".into(),
            op,
            comparator: Comparator::Binary(given.into()),
            time_range: TimeRange::ALL,
        },
        then: RowMutations { row: "r".into(), mutations: vec![Mutation::Put(put)] },
    };
    let put = || Put::new("r").add(FAMILY, "c", "done");
    assert!(!table.check_and_mutate(check(CompareOp::Equal, "x", put())).await.unwrap().success);
    assert!(table.get(Get::new("r").column(FAMILY, "c")).await.unwrap().is_empty());
    assert!(table.check_and_mutate(check(CompareOp::Equal, "abcd", put())).await.unwrap().success);
    assert_eq!(
        table.get(Get::new("r").column(FAMILY, "c")).await.unwrap().value(b"f", b"c").unwrap(),
        b"done"
    );
    let absent = CheckAndMutate {
        condition: Condition::Absent {
            family: FAMILY.into(),
            qualifier: "c".into(),
            time_range: TimeRange::ALL,
        },
        ..check(CompareOp::Equal, "", put())
    };
    assert!(!table.check_and_mutate(absent).await.unwrap().success);
    let mutations = vec![
        Mutation::Put(Put::new("r").add(FAMILY, "x", "1")),
        Mutation::Increment(Increment::new("r", FAMILY, "n", 1)),
        Mutation::Delete(Delete::row("r").target(DeleteTarget::Column(FAMILY.into(), "c".into(), None))),
    ];
    let row = table.mutate_row(RowMutations { row: "r".into(), mutations }).await.unwrap();
    assert_eq!(row.value(b"f", b"n").unwrap(), 8i64.to_be_bytes());
    assert_eq!(table.get(Get::new("r")).await.unwrap().cells.len(), 3);
    drop_table(&client.admin(), table.name()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_reaches_all_servers_and_answers_each() {
    let client = connect().await;
    let table = create(&client, "batch", &["b", "c", "d"]).await;
    let rows: Vec<String> = (0..400).map(|n| format!("{}{n:03}", ["a", "b", "c", "d"][n % 4])).collect();
    let put =
        |row: &String| Action::Mutate(Mutation::Put(Put::new(row.clone()).add(FAMILY, "q", row.clone())));
    let results = table.batch(rows.iter().map(put).collect()).await;
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    let mut actions: Vec<Action> = rows.iter().map(|row| Action::Get(Get::new(row.clone()))).collect();
    actions.insert(7, Action::Mutate(Mutation::Put(Put::new("x").add("nofamily", "q", "v"))));
    actions.insert(3, Action::Mutate(Mutation::Increment(Increment::new("n", FAMILY, "q", 3))));
    actions.push(Action::Get(Get::new("")));
    let mut results = table.batch(actions).await;
    assert!(matches!(results.pop(), Some(Err(Error::InvalidArgument(_)))));
    let wrong = results.remove(8).unwrap_err();
    assert_eq!(wrong.exception(), Some("NoSuchColumnFamilyException"), "{wrong}");
    let ActionReply::Row(counted) = results.remove(3).unwrap() else { panic!("not a row") };
    assert_eq!(counted.value(b"f", b"q").unwrap(), 3i64.to_be_bytes());
    for (row, result) in rows.iter().zip(results) {
        let ActionReply::Row(read) = result.unwrap() else { panic!("not a row") };
        assert_eq!(read.value(b"f", b"q").unwrap(), row.as_bytes());
    }
    drop_table(&client.admin(), table.name()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_wait_go_together() {
    let client = connect().await;
    let table = create(&client, "together", &[]).await;
    put(&table, "warm", "q", "v").await;
    let before = client.metrics();
    let writes = (0..64).map(|n| {
        let table = table.clone();
        tokio::spawn(async move {
            for m in 0..50 {
                let row = format!("{n:02}-{m:02}");
                table.put(Put::new(row.clone()).add(FAMILY, "q", row.clone())).await.unwrap();
                assert_eq!(
                    table.get(Get::new(row.clone())).await.unwrap().value(b"f", b"q").unwrap(),
                    row.as_bytes()
                );
            }
        })
    });
    for write in writes.collect::<Vec<_>>() {
        write.await.unwrap();
    }
    let after = client.metrics();
    let calls = after.calls - before.calls;
    assert!(calls < 6400, "{calls} calls for 6400 operations: none went together");
    assert!(after.batched_actions > before.batched_actions);
    let mut scanner = table.scan(Scan::all());
    let mut rows = 0;
    while scanner.next_row().await.unwrap().is_some() {
        rows += 1;
    }
    assert_eq!(rows, 3201);
    drop_table(&client.admin(), table.name()).await;
}

#[tokio::test]
async fn a_lone_get_is_on_the_socket_before_it_first_waits() {
    let client = connect().await;
    let table = create(&client, "lone", &[]).await;
    put(&table, "r", "q", "v").await;
    for _ in 0..20 {
        let before = client.metrics();
        let mut read = Box::pin(table.get(Get::new("r")));
        let first = read.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        // No other task could run between: the runtime has this thread only.
        assert!(first.is_pending());
        let after = client.metrics();
        assert!(
            after.calls == before.calls + 1 && after.bytes_sent > before.bytes_sent,
            "{before:?} {after:?}"
        );
        assert!(!read.await.unwrap().is_empty());
    }
    drop_table(&client.admin(), table.name()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_are_told_at_once() {
    let client = connect().await;
    let table = create(&client, "refusals", &[]).await;
    let wrong = table.put(Put::new("r").add("nofamily", "q", "v")).await.unwrap_err();
    assert_eq!(wrong.exception(), Some("NoSuchColumnFamilyException"));
    put(&table, "r", "n", "not a number").await;
    let wrong = table.increment(Increment::new("r", FAMILY, "n", 1)).await.unwrap_err();
    assert_eq!(wrong.exception(), Some("DoNotRetryIOException"));
    assert!(matches!(table.put(Put::new("").add(FAMILY, "q", "v")).await, Err(Error::InvalidArgument(_))));
    let missing = client.table("there_is_no_such_table").unwrap();
    assert!(matches!(missing.get(Get::new("r")).await, Err(Error::TableNotFound(_))));
    client.admin().disable_table(table.name()).await.unwrap();
    let disabled = table.get(Get::new("r")).await.unwrap_err();
    assert_eq!(disabled.exception(), Some("TableNotEnabledException"), "{disabled}");
    drop_table(&client.admin(), table.name()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn through_zookeeper_it_is_the_same_cluster() {
    let client = connect().await;
    let addresses = hbase_testbed::shared().unwrap();
    let other = hbase::Client::connect(&addresses.by_zookeeper()).await.unwrap();
    assert_eq!(client.cluster_id().await.unwrap(), other.cluster_id().await.unwrap());
    let table = create(&client, "zk", &[]).await;
    put(&table, "r", "q", "v").await;
    assert!(other.table_named(table.name().clone()).exists(Get::new("r")).await.unwrap());
    assert!(other.admin().table_exists(table.name()).await.unwrap());
    drop_table(&client.admin(), table.name()).await;
}
