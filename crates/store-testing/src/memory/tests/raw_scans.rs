//! Scans of everything that is stored.

use tablesmith_store::filter::{Comparator, CompareOp, Filter};

use super::*;

#[tokio::test]
async fn a_raw_scan_shows_every_kind_of_marker_in_its_place() {
    let lab = Lab::new([family("f", 5)]).await;
    lab.versions("r", "f:a", &[1000, 2000, 3000]).await;
    lab.versions("r", "f:", &[1000]).await;
    lab.delete("r", version("f:a", 3000)).await;
    lab.delete("r", column("f:a", 2000)).await;
    lab.delete("r", family_version("f", 1000)).await;
    lab.delete("r", whole_family("f", 500)).await;
    lab.delete("r", column("f:", 900)).await;
    assert_eq!(
        lab.raw().await,
        "r[f:@1000 DeleteFamilyVersion f:@1000=v1000 f:@900 DeleteColumn f:@500 DeleteFamily f:a@3000 Delete \
         f:a@3000=v3000 f:a@2000 DeleteColumn f:a@2000=v2000 f:a@1000=v1000]"
    );
}

#[tokio::test]
async fn versions_of_a_raw_scan_count_values_and_end_a_column_at_the_first_too_many() {
    let lab = Lab::new([family("f", 5)]).await;
    lab.versions("r", "f:a", &[1, 2, 3]).await;
    lab.delete("r", version("f:a", 3)).await;
    lab.delete("r", column("f:a", 1)).await;
    assert_eq!(lab.scan(Scan::all().raw()).await, "r[f:a@3 Delete f:a@3=v3]");
}

#[tokio::test]
async fn a_raw_scan_sees_past_the_familys_versions_and_ttl_but_not_a_cells_own() {
    let lab = Lab::new([family_with("f", "VERSIONS=1 TTL=10")]).await;
    lab.versions("r", "f:q", &[1, 2]).await;
    let put = Put { ttl_ms: Some(5), ..Put::new("r").add_at("f", "q", 3, "short") };
    lab.store.put(&lab.table, put).await.unwrap();
    assert_eq!(lab.raw().await, "r[f:q@2=v2 f:q@1=v1]");
}

#[tokio::test]
async fn a_raw_scan_takes_families_but_no_columns() {
    let lab = Lab::new([family("f", 1), family("g", 1)]).await;
    lab.put("r", "g:q", 1, "v").await;
    assert_eq!(lab.scan(Scan::all().raw().family("g")).await, "r[g:q@1=v]");
    let columns = lab.store.scan_all(&lab.table, Scan::all().raw().column("f", "q")).await;
    assert_eq!(refused(columns), "DoNotRetryIOException");
    let unknown = lab.store.scan_all(&lab.table, Scan::all().raw().column("f", "q").family("x")).await;
    assert_eq!(refused(unknown), "NoSuchColumnFamilyException");
}

#[tokio::test]
async fn a_raw_scan_keeps_to_its_time_range() {
    let lab = Lab::new([family("f", 5)]).await;
    lab.versions("r", "f:q", &[1, 2, 3]).await;
    lab.delete("r", column("f:q", 4)).await;
    let mut scan = Scan::all().raw().versions(9);
    scan.read.time_range = during(2, 4);
    assert_eq!(lab.scan(scan).await, "r[f:q@3=v3 f:q@2=v2]");
}

#[tokio::test]
async fn a_filter_of_a_raw_scan_sees_every_version() {
    let lab = Lab::new([family("f", 1)]).await;
    lab.versions("r", "f:q", &[1, 2, 3]).await;
    let filter = Filter::Value(CompareOp::Equal, Comparator::Binary("v1".into()));
    assert_eq!(lab.scan(Scan::all().raw().filter(filter)).await, "r[f:q@1=v1]");
}
