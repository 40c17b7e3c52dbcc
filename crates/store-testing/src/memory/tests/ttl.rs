//! TTL of families and of cells, and MIN_VERSIONS.

use super::*;

#[tokio::test]
async fn a_cell_is_read_up_to_the_familys_ttl_and_not_after() {
    let lab = Lab::new([family_with("f", "VERSIONS=3 TTL=10")]).await;
    lab.put("r", "f:q", NOW_MS, "v").await;
    lab.clock.advance(10_000);
    assert_eq!(lab.all("r").await, "f:q@1000000=v");
    lab.clock.advance(1);
    assert_eq!(lab.all("r").await, "");
}

#[tokio::test]
async fn a_cells_own_ttl_can_only_shorten_its_life() {
    let lab = Lab::new([family_with("f", "VERSIONS=3 TTL=10")]).await;
    for (qualifier, ttl_ms) in [("long", 60_000), ("short", 5_000)] {
        let put = Put { ttl_ms: Some(ttl_ms), ..Put::new("r").add("f", qualifier, "v") };
        lab.store.put(&lab.table, put).await.unwrap();
    }
    lab.clock.advance(5_001);
    assert_eq!(lab.all("r").await, "f:long@1000000=v");
    lab.clock.advance(5_000);
    assert_eq!(lab.all("r").await, "");
}

#[tokio::test]
async fn min_versions_keeps_the_newest_of_the_expired() {
    let lab = Lab::new([family_with("f", "VERSIONS=4 MIN_VERSIONS=2 TTL=10")]).await;
    lab.versions("r", "f:q", &[1, 2, 3]).await;
    assert_eq!(lab.all("r").await, "f:q@3=v3 f:q@2=v2");
    let mut get = Get::new("r").versions(9);
    get.read.time_range = during(0, 2);
    assert_eq!(lab.get(get).await, "f:q@1=v1");
}

/// A quirk of HBase: where columns are named, one expired version too many is shown.
#[tokio::test]
async fn a_get_of_a_named_column_shows_one_expired_version_more() {
    let lab = Lab::new([family_with("f", "VERSIONS=3 MIN_VERSIONS=1 TTL=10")]).await;
    lab.versions("r", "f:q", &[1, 2, NOW_MS]).await;
    assert_eq!(lab.all("r").await, "f:q@1000000=v1000000");
    let named = Get::new("r").column("f", "q").versions(9);
    assert_eq!(lab.get(named).await, "f:q@1000000=v1000000 f:q@2=v2");
}

#[tokio::test]
async fn a_get_of_a_named_column_shows_no_more_when_the_newest_are_too_few() {
    let lab = Lab::new([family_with("f", "VERSIONS=5 MIN_VERSIONS=2 TTL=10")]).await;
    lab.versions("r", "f:q", &[1, 2, NOW_MS]).await;
    let named = Get::new("r").column("f", "q").versions(9);
    assert_eq!(lab.get(named).await, "f:q@1000000=v1000000 f:q@2=v2");
}

#[tokio::test]
async fn an_expired_marker_hides_nothing_unless_min_versions_keeps_old_values() {
    let lab = Lab::new([
        family_with("f", "VERSIONS=3 TTL=10"),
        family_with("g", "VERSIONS=3 MIN_VERSIONS=1 TTL=10"),
    ])
    .await;
    for name in ["f:q", "g:q"] {
        lab.versions("r", name, &[1, 2]).await;
        lab.delete("r", column(name, 2)).await;
    }
    assert_eq!(lab.all("r").await, "");
    lab.versions("r", "g:q", &[3]).await;
    assert_eq!(lab.all("r").await, "g:q@3=v3");
}
