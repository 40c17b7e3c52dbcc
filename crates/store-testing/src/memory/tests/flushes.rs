//! What a flush keeps.

use super::*;

#[tokio::test]
async fn a_flush_drops_versions_past_the_limit_for_good() {
    let lab = Lab::new([family("f", 2)]).await;
    lab.versions("r", "f:q", &[1, 2, 3]).await;
    assert_eq!(lab.raw().await, "r[f:q@3=v3 f:q@2=v2 f:q@1=v1]");
    lab.flush().await;
    assert_eq!(lab.raw().await, "r[f:q@3=v3 f:q@2=v2]");
    lab.delete("r", version("f:q", 3)).await;
    assert_eq!(lab.all("r").await, "f:q@2=v2");
}

#[tokio::test]
async fn a_flush_drops_what_markers_in_it_hide_and_keeps_the_markers() {
    let lab = Lab::new([family("f", 5)]).await;
    lab.versions("r", "f:q", &[1, 2, 3]).await;
    lab.delete("r", version("f:q", 3)).await;
    lab.delete("r", column("f:q", 1)).await;
    lab.flush().await;
    assert_eq!(lab.raw().await, "r[f:q@3 Delete f:q@2=v2 f:q@1 DeleteColumn]");
}

#[tokio::test]
async fn a_flush_leaves_alone_what_its_markers_hide_in_files() {
    let lab = Lab::new([family("f", 5)]).await;
    lab.versions("r", "f:q", &[1]).await;
    lab.flush().await;
    lab.delete("r", column("f:q", 2)).await;
    lab.flush().await;
    assert_eq!(lab.raw().await, "r[f:q@2 DeleteColumn f:q@1=v1]");
}

/// HBase leaves a column at the first version too many, and so loses a marker behind it.
#[tokio::test]
async fn a_flush_loses_a_marker_behind_the_versions_limit() {
    let lab = Lab::new([family("f", 1)]).await;
    lab.versions("r", "f:q", &[1]).await;
    lab.flush().await;
    lab.versions("r", "f:q", &[2, 3]).await;
    lab.delete("r", column("f:q", 1)).await;
    lab.delete("r", version("f:q", 3)).await;
    lab.delete("r", version("f:q", 2)).await;
    assert_eq!(lab.all("r").await, "");
    lab.versions("r", "f:q", &[4, 5]).await;
    lab.flush().await;
    assert_eq!(lab.raw().await, "r[f:q@5=v5 f:q@1=v1]");
    lab.delete("r", version("f:q", 5)).await;
    assert_eq!(lab.all("r").await, "f:q@1=v1");
}

#[tokio::test]
async fn a_flush_keeps_family_markers_whatever_stands_before_them() {
    let lab = Lab::new([family("f", 1)]).await;
    lab.versions("r", "f:", &[7, 8, 9]).await;
    lab.delete("r", whole_family("f", 5)).await;
    lab.flush().await;
    assert_eq!(lab.raw().await, "r[f:@9=v9 f:@5 DeleteFamily]");
}

#[tokio::test]
async fn a_flush_loses_a_marker_behind_a_value_that_a_column_marker_hides() {
    let lab = Lab::new([family("f", 5)]).await;
    lab.delete("r", column("f:q", 9)).await;
    lab.versions("r", "f:q", &[5]).await;
    lab.delete("r", version("f:q", 3)).await;
    lab.flush().await;
    assert_eq!(lab.raw().await, "r[f:q@9 DeleteColumn]");
}

#[tokio::test]
async fn a_flush_drops_expired_values_and_expired_markers() {
    let lab = Lab::new([family_with("f", "VERSIONS=3 TTL=10")]).await;
    lab.versions("r", "f:q", &[1, 990_000]).await;
    lab.delete("r", version("f:p", 1)).await;
    lab.delete("r", version("f:p", 990_000)).await;
    lab.flush().await;
    assert_eq!(lab.raw().await, "r[f:p@990000 Delete f:q@990000=v990000]");
}

#[tokio::test]
async fn a_flush_keeps_the_newest_of_the_expired_for_min_versions() {
    let lab = Lab::new([family_with("f", "VERSIONS=4 MIN_VERSIONS=2 TTL=10")]).await;
    lab.versions("r", "f:q", &[1, 2, 3]).await;
    lab.flush().await;
    assert_eq!(lab.raw().await, "r[f:q@3=v3 f:q@2=v2]");
}

#[tokio::test]
async fn a_flush_of_nothing_makes_no_file_and_one_that_purges_all_makes_an_empty_one() {
    let lab = Lab::new([family_with("f", "TTL=10"), family("g", 1)]).await;
    lab.flush().await;
    assert_eq!(lab.files().await, 0);
    lab.versions("r", "f:q", &[1]).await;
    lab.flush().await;
    assert_eq!((lab.files().await, lab.raw().await), (1, String::new()));
}

#[tokio::test]
async fn a_flush_may_be_of_one_family() {
    let lab = Lab::new([family("f", 1), family("g", 1)]).await;
    lab.versions("r", "f:q", &[1, 2]).await;
    lab.versions("r", "g:q", &[1, 2]).await;
    lab.store.flush(FlushScope::Table(lab.table.clone(), Some("g".into()))).await.unwrap();
    assert_eq!(lab.raw().await, "r[f:q@2=v2 f:q@1=v1 g:q@2=v2]");
    let unknown = lab.store.flush(FlushScope::Table(lab.table.clone(), Some("x".into()))).await;
    assert_eq!(refused(unknown), "NoSuchColumnFamilyException");
}
