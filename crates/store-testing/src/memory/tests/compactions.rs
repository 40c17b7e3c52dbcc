//! What compactions take and what they keep.

use super::*;

#[tokio::test]
async fn a_major_compaction_drops_markers_with_what_they_hide() {
    let lab = Lab::new([family("f", 5)]).await;
    lab.versions("r", "f:q", &[1, 2, 3]).await;
    lab.flush().await;
    lab.delete("r", column("f:q", 2)).await;
    lab.flush().await;
    lab.major_compact().await;
    assert_eq!(lab.raw().await, "r[f:q@3=v3]");
    assert_eq!(lab.files().await, 1);
}

#[tokio::test]
async fn a_major_compaction_does_not_flush() {
    let lab = Lab::new([family("f", 5)]).await;
    lab.versions("r", "f:q", &[1, 2]).await;
    lab.flush().await;
    lab.delete("r", version("f:q", 2)).await;
    lab.major_compact().await;
    assert_eq!(lab.raw().await, "r[f:q@2 Delete f:q@2=v2 f:q@1=v1]");
}

#[tokio::test]
async fn a_compaction_leaves_two_files_alone_and_takes_three() {
    let lab = Lab::new([family("f", 1)]).await;
    lab.versions("r", "f:q", &[1]).await;
    lab.flush().await;
    lab.versions("r", "f:q", &[2]).await;
    lab.delete("s", version("f:q", 5)).await;
    lab.flush().await;
    lab.compact().await;
    assert_eq!(lab.raw().await, "r[f:q@2=v2 f:q@1=v1] s[f:q@5 Delete]");
    lab.versions("t", "f:q", &[2]).await;
    lab.flush().await;
    lab.compact().await;
    assert_eq!(lab.raw().await, "r[f:q@2=v2] t[f:q@2=v2]");
}

#[tokio::test]
async fn a_compaction_of_some_files_keeps_markers() {
    let lab = Lab::new([family("f", 1)]).await;
    let large = "x".repeat(1000);
    lab.store.put(&lab.table, Put::new("a").add_at("f", "q", 1, large)).await.unwrap();
    lab.flush().await;
    for timestamp in 1..=10 {
        lab.delete("b", version("f:q", timestamp)).await;
        lab.flush().await;
    }
    lab.compact().await;
    assert_eq!(lab.files().await, 2);
    assert_eq!(lab.scan(Scan::range("b", "c").raw().versions(99)).await.matches("Delete").count(), 10);
}

#[tokio::test]
async fn empty_files_count_as_files() {
    let lab = Lab::new([family("f", 3)]).await;
    lab.versions("r", "f:q", &[1]).await;
    lab.delete("r", version("f:q", 1)).await;
    lab.flush().await;
    lab.major_compact().await;
    assert_eq!((lab.files().await, lab.raw().await), (1, String::new()));
    lab.delete("r", version("f:q", 2)).await;
    lab.flush().await;
    lab.delete("r", version("f:q", 3)).await;
    lab.flush().await;
    lab.compact().await;
    assert_eq!((lab.files().await, lab.raw().await), (1, String::new()));
}

#[tokio::test]
async fn a_major_compaction_without_files_is_made_up_for_by_the_next_compaction() {
    let lab = Lab::new([family("f", 3)]).await;
    lab.delete("r", version("f:q", 1)).await;
    lab.major_compact().await;
    lab.flush().await;
    assert_eq!(lab.raw().await, "r[f:q@1 Delete]");
    lab.compact().await;
    assert_eq!(lab.raw().await, "");
    lab.delete("r", version("f:q", 2)).await;
    lab.flush().await;
    lab.compact().await;
    assert_eq!(lab.raw().await, "r[f:q@2 Delete]");
}

#[tokio::test]
async fn a_compaction_drops_files_that_are_expired_as_wholes_except_the_newest() {
    let lab = Lab::new([family_with("f", "TTL=10")]).await;
    for row in ["a", "b"] {
        lab.put(row, "f:q", NOW_MS, "v").await;
        lab.flush().await;
    }
    lab.clock.advance(20_000);
    lab.compact().await;
    assert_eq!(lab.raw().await, "b[f:q@1000000=v]");
}

#[tokio::test]
async fn a_compaction_drops_cells_that_outlived_their_own_ttl() {
    let lab = Lab::new([family("f", 3)]).await;
    let put = Put { ttl_ms: Some(1000), ..Put::new("r").add("f", "q", "short") };
    lab.store.put(&lab.table, put).await.unwrap();
    lab.put("r", "f:q", 1, "long").await;
    lab.flush().await;
    lab.clock.advance(1001);
    lab.major_compact().await;
    lab.clock.set(NOW_MS);
    assert_eq!(lab.raw().await, "r[f:q@1=long]");
}
