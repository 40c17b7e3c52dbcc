//! KEEP_DELETED_CELLS.

use super::*;

async fn lab(settings: &str) -> Lab {
    Lab::new([family_with("f", settings)]).await
}

#[tokio::test]
async fn a_kept_version_can_be_read_by_a_time_range_before_the_marker() {
    let lab = lab("VERSIONS=3 KEEP_DELETED_CELLS=TRUE").await;
    lab.versions("r", "f:q", &[1, 2]).await;
    lab.delete("r", column("f:q", 5)).await;
    lab.flush().await;
    lab.major_compact().await;
    assert_eq!(lab.all("r").await, "");
    let mut get = Get::new("r").versions(9);
    get.read.time_range = during(0, 5);
    assert_eq!(lab.get(get).await, "f:q@2=v2 f:q@1=v1");
}

#[tokio::test]
async fn kept_versions_count_toward_versions_at_a_flush_but_not_at_a_read() {
    let lab = lab("VERSIONS=2 KEEP_DELETED_CELLS=TRUE").await;
    lab.versions("r", "f:q", &[1, 2, 3]).await;
    lab.delete("r", version("f:q", 3)).await;
    assert_eq!(lab.all("r").await, "f:q@2=v2 f:q@1=v1");
    lab.flush().await;
    assert_eq!(lab.all("r").await, "f:q@2=v2");
    assert_eq!(lab.raw().await, "r[f:q@3 Delete f:q@3=v3 f:q@2=v2]");
}

#[tokio::test]
async fn a_major_compaction_drops_a_kept_marker_once_no_value_is_older() {
    let lab = lab("VERSIONS=1 KEEP_DELETED_CELLS=TRUE").await;
    lab.versions("r", "f:q", &[5]).await;
    lab.delete("r", column("f:q", 3)).await;
    lab.delete("s", column("f:q", 7)).await;
    lab.flush().await;
    assert_eq!(lab.raw().await, "r[f:q@5=v5 f:q@3 DeleteColumn] s[f:q@7 DeleteColumn]");
    lab.major_compact().await;
    assert_eq!(lab.raw().await, "r[f:q@5=v5] s[f:q@7 DeleteColumn]");
}

#[tokio::test]
async fn a_major_compaction_drops_a_kept_marker_behind_the_versions_limit() {
    let lab = lab("VERSIONS=1 KEEP_DELETED_CELLS=TRUE").await;
    lab.versions("r", "f:q", &[1]).await;
    lab.delete("r", column("f:q", 1)).await;
    lab.flush().await;
    lab.versions("r", "f:q", &[2]).await;
    lab.flush().await;
    lab.versions("r", "f:q", &[3]).await;
    lab.flush().await;
    lab.major_compact().await;
    assert_eq!(lab.raw().await, "r[f:q@3=v3]");
}

#[tokio::test]
async fn with_ttl_kept_versions_go_when_their_marker_expires() {
    let lab = lab("VERSIONS=3 MIN_VERSIONS=1 TTL=10 KEEP_DELETED_CELLS=TTL").await;
    lab.versions("r", "f:q", &[999_000]).await;
    lab.delete("r", version("f:q", 999_000)).await;
    lab.flush().await;
    lab.major_compact().await;
    assert_eq!(lab.raw().await, "r[f:q@999000 Delete f:q@999000=v999000]");
    lab.clock.advance(20_000);
    lab.major_compact().await;
    assert_eq!(lab.raw().await, "");
}
