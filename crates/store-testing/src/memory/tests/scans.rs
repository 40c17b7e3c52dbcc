//! Scans: bounds, direction, limits, parts of rows, what they cost.

use tablesmith_store::{Aggregate, Number, RowBound, ValueType};

use super::*;

async fn lab() -> Lab {
    let lab = Lab::with_splits([family("f", 2)], &["c", "e"]).await;
    for row in ["a", "b", "c", "d", "e", "f"] {
        lab.versions(row, "f:q", &[1, 2]).await;
    }
    lab
}

#[tokio::test]
async fn bounds_are_in_or_out_as_they_say() {
    let lab = lab().await;
    assert_eq!(lab.keys(Scan::range("b", "e")).await, "b c d");
    assert_eq!(lab.keys(Scan::range("b", "b")).await, "b");
    assert_eq!(lab.keys(Scan::range("e", "b")).await, "");
    let between = |start, stop| Scan { start, stop, ..Scan::all() };
    let excluded = |row: &'static str| RowBound::Excluded(row.into());
    let included = |row: &'static str| RowBound::Included(row.into());
    assert_eq!(lab.keys(between(excluded("b"), included("e"))).await, "c d e");
    assert_eq!(lab.keys(between(included("b"), excluded("b"))).await, "");
    assert_eq!(lab.keys(between(included(""), excluded(""))).await, "a b c d e f");
}

#[tokio::test]
async fn a_reversed_scan_begins_at_the_high_end_and_keeps_cells_in_order() {
    let lab = lab().await;
    assert_eq!(lab.keys(Scan::all().reversed()).await, "f e d c b a");
    assert_eq!(lab.keys(Scan::range("e", "b").reversed()).await, "e d c");
    assert_eq!(
        lab.keys(Scan { start: RowBound::Excluded("c".into()), ..Scan::all().reversed() }).await,
        "b a"
    );
    assert_eq!(lab.scan(Scan::range("a", "").versions(2).reversed()).await, "a[f:q@2=v2 f:q@1=v1]");
}

#[tokio::test]
async fn a_limit_counts_rows_over_all_regions() {
    let lab = lab().await;
    assert_eq!(lab.keys(Scan::all().limit(3)).await, "a b c");
    assert_eq!(lab.keys(Scan::all().limit(0)).await, "");
    assert_eq!(lab.keys(Scan { caching: Some(2), ..Scan::all().limit(5) }).await, "a b c d e");
}

#[tokio::test]
async fn a_batch_cuts_rows_into_parts_and_a_limit_still_counts_rows() {
    let lab = Lab::new([family("f", 3)]).await;
    lab.versions("a", "f:q", &[1, 2, 3]).await;
    lab.versions("b", "f:q", &[1, 2]).await;
    let scan = Scan { batch: Some(2), ..Scan::all().versions(3) };
    assert_eq!(lab.scan(scan.clone()).await, "a[f:q@3=v3 f:q@2=v2] a[f:q@1=v1] b[f:q@2=v2 f:q@1=v1]");
    assert_eq!(lab.keys(scan.limit(1)).await, "a a");
}

#[tokio::test]
async fn portions_are_of_one_region_and_of_so_many_rows() {
    let lab = lab().await;
    let mut scanner = lab.store.scan(&lab.table, Scan { caching: Some(3), ..Scan::all() }).await.unwrap();
    let mut sizes = Vec::new();
    loop {
        let rows = scanner.next_rows().await.unwrap();
        if rows.is_empty() {
            break;
        }
        sizes.push(rows.len());
    }
    assert_eq!(sizes, [2, 2, 2]);
    assert_eq!((scanner.stats().regions, scanner.stats().cells), (Some(3), Some(12)));
}

#[tokio::test]
async fn a_scan_does_not_see_what_is_written_to_a_region_after_it_came_there() {
    let lab = lab().await;
    let scan = Scan { caching: Some(1), ..Scan::all() };
    let mut scanner = lab.store.scan(&lab.table, scan).await.unwrap();
    assert_eq!(scanner.next_rows().await.unwrap().len(), 1);
    lab.put("aa", "f:q", 9, "unseen").await;
    lab.put("cc", "f:q", 9, "seen").await;
    let mut keys = Vec::new();
    loop {
        let rows = scanner.next_rows().await.unwrap();
        if rows.is_empty() {
            break;
        }
        keys.extend(rows.into_iter().map(|row| row.row));
    }
    assert_eq!(keys, ["b", "c", "cc", "d", "e", "f"]);
}

#[tokio::test]
async fn aggregates_come_region_by_region() {
    let lab = Lab::with_splits([family("f", 1)], &["c"]).await;
    for (row, number) in [("a", 1_i64), ("b", 2), ("c", 4)] {
        let put = Put::new(row).add_at("f", "q", 1, number.to_be_bytes().to_vec());
        lab.store.put(&lab.table, put).await.unwrap();
    }
    let aggregate = Aggregate::new(Scan::all(), ValueType::I64);
    let regions = lab.store.aggregate(&lab.table, aggregate).await.unwrap().value;
    let sums: Vec<Vec<_>> =
        regions.iter().map(|region| region.groups.values().map(|partial| partial.sum).collect()).collect();
    assert_eq!(sums, [vec![Number::Int(3)], vec![Number::Int(4)]]);
    let names: Vec<_> = lab.store.regions(&lab.table).await.unwrap().iter().map(|info| info.name()).collect();
    assert_eq!(regions.into_iter().map(|region| region.region).collect::<Vec<_>>(), names);
}
