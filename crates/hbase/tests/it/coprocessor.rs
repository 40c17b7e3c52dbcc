//! Coprocessor calls, and aggregation on top of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use hbase::{
    AGGREGATE_COPROCESSOR, Action, Comparator, CompareOp, Error, FamilySchema, Filter, Mutation, Put,
    RowBound, Scan, ServiceMethod, Table,
};

use crate::support::{FAMILY, connect, create, create_as, drop_table, schema};

const ROWS: i64 = 300;

/// Rows 000 to 299; column `n` is a number from -100 on in every third row, `text` is in all of them.
async fn fill(table: &Table) {
    let mut puts = Vec::new();
    for row in 0..ROWS {
        let mut put = Put::new(format!("{row:03}")).add(FAMILY, "text", "some text");
        if row % 3 == 0 {
            put = put.add(FAMILY, "n", (row - 100).to_be_bytes().to_vec());
        }
        puts.push(Action::Mutate(Mutation::Put(put)));
    }
    for result in table.batch(puts).await {
        result.unwrap();
    }
}

fn numbers() -> impl Iterator<Item = i64> {
    (0..ROWS).filter(|row| row % 3 == 0).map(|row| row - 100)
}

/// The service's request for a share of a table, as it is on the wire: the interpreter's name and a scan.
fn row_count_request(start: &Bytes, stop: &Bytes) -> Bytes {
    let field = |tag: u8, bytes: &[u8]| [&[tag, u8::try_from(bytes.len()).unwrap()], bytes].concat();
    let scan = [field(0x1a, start), field(0x22, stop)].concat();
    [field(0x0a, b"none"), field(0x12, &scan)].concat().into()
}

#[tokio::test]
async fn a_method_is_called_in_one_region_and_in_all() {
    let client = connect().await;
    let table = create(&client, "exec", &["100", "200"]).await;
    fill(&table).await;
    let method = ServiceMethod::new("AggregateService", "GetRowNum");
    let all = row_count_request(&Bytes::new(), &Bytes::new());
    let answer = table.exec_service("150", &method, all).await.unwrap();
    assert_eq!(answer, [&[0x0a, 8][..], &100u64.to_be_bytes()].concat(), "the region's rows and no others");
    let answers = table.exec_service_in_range("050", "250", &method, row_count_request).await.unwrap();
    let shares: Vec<_> =
        answers.iter().map(|answer| (&answer.start[..], &answer.stop[..], answer.message[9])).collect();
    assert_eq!(shares, [(&b"050"[..], &b"100"[..], 50), (b"100", b"200", 100), (b"200", b"250", 50)]);
    assert!(answers.iter().all(|answer| answer.region.contains(&answer.start)));
    assert!(table.exec_service_in_range("b", "a", &method, row_count_request).await.unwrap().is_empty());
    drop_table(&client.admin(), table.name()).await;
}

#[tokio::test]
async fn a_service_that_is_not_there_is_told_at_once() {
    let client = connect().await;
    let table = create(&client, "noservice", &[]).await;
    let before = client.metrics().retries;
    let method = ServiceMethod::new("NoSuchService", "Get");
    let error = table.exec_service("a", &method, Bytes::new()).await.unwrap_err();
    assert_eq!(error.exception(), Some("UnknownProtocolException"), "{error}");
    let retries = client.metrics().retries - before;
    assert!(retries <= 10, "what is refused is not tried again for long: {retries} times");
    let nowhere = client.table("no_such_table_at_all").unwrap();
    let error = nowhere.aggregate(Scan::all()).row_count().await.unwrap_err();
    assert!(matches!(error, Error::TableNotFound(_)), "{error}");
    drop_table(&client.admin(), table.name()).await;
}

#[tokio::test]
async fn rows_are_counted_in_the_regions() {
    let client = connect().await;
    let table = create(&client, "counted", &["100", "200"]).await;
    fill(&table).await;
    let bound = |row: &'static str| (RowBound::Included(row.into()), RowBound::Excluded(row.into()));
    let between = |start, stop| Scan { start, stop, ..Scan::all() };
    let filter = Filter::Row(CompareOp::Less, Comparator::Binary("010".into()));
    for (scan, wanted) in [
        (Scan::all(), 300),
        (Scan::all().family(FAMILY), 300),
        (Scan::all().column(FAMILY, "n"), 100),
        (Scan::all().column(FAMILY, "text"), 300),
        (Scan::all().column(FAMILY, "n").column(FAMILY, "text"), 300),
        (Scan::all().column(FAMILY, "nothing"), 0),
        (Scan::range("099", "201").family(FAMILY), 102),
        (between(bound("100").1, bound("200").0).family(FAMILY), 100),
        (between(bound("100").0, bound("100").0).family(FAMILY), 1),
        (between(bound("100").0, bound("100").1).family(FAMILY), 0),
        (Scan::all().filter(filter.clone()), 10),
        (Scan::all().column(FAMILY, "n").filter(filter), 4),
    ] {
        let count = table.aggregate(scan.clone()).row_count().await.unwrap();
        assert_eq!(count, wanted, "{scan:?}");
        let mut scanned = 0;
        let mut rows = table.scan(scan.clone());
        while rows.next_row().await.unwrap().is_some() {
            scanned += 1;
        }
        assert_eq!(scanned, wanted, "scanned: {scan:?}");
    }
    drop_table(&client.admin(), table.name()).await;
}

#[tokio::test]
async fn numbers_are_added_up_in_the_regions() {
    let client = connect().await;
    let table = create(&client, "summed", &["100", "200", "500"]).await;
    fill(&table).await;
    let numbers: Vec<i64> = numbers().collect();
    // Rows at the end of each region have no number, and the last region has no rows.
    for scan in [Scan::all().column(FAMILY, "n"), Scan::all().family(FAMILY)] {
        let aggregation = table.aggregate(scan);
        assert_eq!(
            aggregation.sum().await.unwrap(),
            Some(numbers.iter().map(|number| i128::from(*number)).sum())
        );
        assert_eq!(aggregation.min().await.unwrap(), Some(-100));
        assert_eq!(aggregation.max().await.unwrap(), Some(197));
    }
    let moments = table.aggregate(Scan::all().column(FAMILY, "n")).moments().await.unwrap();
    assert_eq!(moments.rows, 100);
    assert_eq!(moments.sum, numbers.iter().map(|number| i128::from(*number)).sum::<i128>());
    assert_eq!(
        moments.sum_of_squares,
        numbers.iter().map(|number| i128::from(number * number)).sum::<i128>()
    );
    assert_eq!(moments.mean(), Some(48.5));
    let nothing = table.aggregate(Scan::range("500", "").column(FAMILY, "n"));
    assert_eq!(nothing.sum().await.unwrap(), None);
    assert_eq!(nothing.min().await.unwrap(), None);
    assert_eq!(nothing.moments().await.unwrap().mean(), None);
    let two = table.aggregate(Scan::all().family(FAMILY).family("other")).sum().await.unwrap_err();
    assert!(matches!(two, Error::InvalidArgument(_)), "{two}");
    drop_table(&client.admin(), table.name()).await;
}

#[tokio::test]
async fn all_versions_are_added_up_if_wanted() {
    let client = connect().await;
    let schema =
        schema("versions").family(FamilySchema::new(FAMILY).versions(3)).coprocessor(AGGREGATE_COPROCESSOR);
    let table = create_as(&client, &schema, &[]).await;
    for number in [1i64, 10, 100] {
        let put = Put::new("a").add_at(FAMILY, "n", number, number.to_be_bytes().to_vec());
        table.put(put).await.unwrap();
    }
    let mut scan = Scan::all().column(FAMILY, "n");
    assert_eq!(table.aggregate(scan.clone()).sum().await.unwrap(), Some(100));
    scan.read.versions = 3;
    assert_eq!(table.aggregate(scan).sum().await.unwrap(), Some(111));
    drop_table(&client.admin(), table.name()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn regions_that_change_meanwhile_are_counted_once() {
    let client = connect().await;
    let table = create(&client, "restless", &["150"]).await;
    fill(&table).await;
    let over = Arc::new(AtomicBool::new(false));
    let counting = tokio::spawn({
        let (table, over) = (table.clone(), over.clone());
        async move {
            let sum: i128 = numbers().map(i128::from).sum();
            let mut rounds = 0;
            while !over.load(Ordering::Relaxed) {
                assert_eq!(table.aggregate(Scan::all()).row_count().await.unwrap(), 300);
                assert_eq!(
                    table.aggregate(Scan::range("010", "").column(FAMILY, "n")).row_count().await.unwrap(),
                    96
                );
                assert_eq!(table.aggregate(Scan::all().column(FAMILY, "n")).sum().await.unwrap(), Some(sum));
                rounds += 1;
            }
            rounds
        }
    });
    let admin = client.admin();
    for split in ["100", "250"] {
        admin.split_table(table.name(), Some(split.into())).await.unwrap();
        for location in table.regions().await.unwrap() {
            admin.move_region(&location.region.encoded_name(), None).await.unwrap();
        }
        let names: Vec<_> =
            table.regions().await.unwrap().iter().map(|found| found.region.encoded_name()).collect();
        admin.merge_regions(&names[..2], false).await.unwrap();
    }
    over.store(true, Ordering::Relaxed);
    let rounds = counting.await.unwrap();
    assert!(rounds > 3, "{rounds} rounds are no proof");
    drop_table(&admin, table.name()).await;
}
