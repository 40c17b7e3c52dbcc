//! What a get sees: versions, markers, time ranges, columns, limits.

use super::*;

#[tokio::test]
async fn a_read_gets_as_many_versions_as_it_asks_for_and_the_family_keeps() {
    let lab = Lab::new([family("f", 3)]).await;
    lab.versions("r", "f:q", &[1, 2, 3, 4, 5]).await;
    assert_eq!(lab.get(Get::new("r")).await, "f:q@5=v5");
    assert_eq!(lab.get(Get::new("r").versions(2)).await, "f:q@5=v5 f:q@4=v4");
    assert_eq!(lab.get(Get::new("r").versions(9)).await, "f:q@5=v5 f:q@4=v4 f:q@3=v3");
}

#[tokio::test]
async fn a_deleted_version_makes_room_for_an_older_one_that_is_still_stored() {
    let lab = Lab::new([family("f", 2)]).await;
    lab.versions("r", "f:q", &[1, 2, 3]).await;
    lab.delete("r", version("f:q", 3)).await;
    assert_eq!(lab.all("r").await, "f:q@2=v2 f:q@1=v1");
}

#[tokio::test]
async fn a_delete_beats_a_put_at_its_time_whichever_came_last() {
    let lab = Lab::new([family("f", 3)]).await;
    lab.put("r", "f:q", 5, "before").await;
    lab.delete("r", version("f:q", 5)).await;
    lab.put("r", "f:q", 5, "after").await;
    assert_eq!(lab.all("r").await, "");
}

#[tokio::test]
async fn a_put_older_than_a_marker_stays_hidden_until_major_compaction() {
    let lab = Lab::new([family("f", 3)]).await;
    lab.delete("r", column("f:q", 10)).await;
    lab.put("r", "f:q", 5, "late").await;
    assert_eq!(lab.all("r").await, "");
    lab.flush().await;
    lab.put("r", "f:q", 6, "later").await;
    assert_eq!(lab.all("r").await, "");
    lab.major_compact().await;
    assert_eq!(lab.all("r").await, "f:q@6=later");
}

#[tokio::test]
async fn family_markers_live_beside_the_column_without_a_name() {
    let lab = Lab::new([family("f", 3)]).await;
    lab.versions("r", "f:", &[2, 5, 8]).await;
    lab.versions("r", "f:q", &[2, 5, 8]).await;
    lab.delete("r", whole_family("f", 5)).await;
    assert_eq!(lab.all("r").await, "f:@8=v8 f:q@8=v8");
    lab.delete("r", family_version("f", 8)).await;
    assert_eq!(lab.all("r").await, "");
}

#[tokio::test]
async fn named_columns_come_in_order_and_hide_nothing_of_family_markers() {
    let lab = Lab::new([family("f", 3)]).await;
    lab.versions("r", "f:", &[9]).await;
    lab.delete("r", whole_family("f", 5)).await;
    for column in ["f:a", "f:b", "f:c"] {
        lab.versions("r", column, &[3, 7]).await;
    }
    let get = Get::new("r").column("f", "c").column("f", "a").column("f", "none").versions(9);
    assert_eq!(lab.get(get).await, "f:a@7=v7 f:c@7=v7");
}

#[tokio::test]
async fn a_time_range_takes_its_lower_bound_leaves_its_upper_and_comes_before_versions() {
    let lab = Lab::new([family("f", 2)]).await;
    lab.versions("r", "f:q", &[1, 2, 3, 4]).await;
    let mut get = Get::new("r").versions(9);
    get.read.time_range = during(1, 3);
    assert_eq!(lab.get(get).await, "f:q@2=v2 f:q@1=v1");
}

#[tokio::test]
async fn a_marker_newer_than_the_time_range_still_hides() {
    let lab = Lab::new([family("f", 3)]).await;
    lab.versions("r", "f:q", &[1, 2]).await;
    lab.flush().await;
    lab.delete("r", column("f:q", 9)).await;
    let mut get = Get::new("r").versions(9);
    get.read.time_range = during(0, 3);
    assert_eq!(lab.get(get).await, "");
}

#[tokio::test]
async fn families_may_have_time_ranges_of_their_own() {
    let lab = Lab::new([family("f", 3), family("g", 3)]).await;
    lab.versions("r", "f:q", &[1, 2]).await;
    lab.versions("r", "g:q", &[1, 2]).await;
    let mut get = Get::new("r").versions(9);
    get.read.family_time_ranges.insert("g".into(), during(1, 2));
    assert_eq!(lab.get(get).await, "f:q@2=v2 f:q@1=v1 g:q@1=v1");
}

#[tokio::test]
async fn limit_and_offset_count_cells_of_each_family() {
    let lab = Lab::new([family("f", 1), family("g", 1)]).await;
    for column in ["f:a", "f:b", "f:c", "g:a", "g:b"] {
        lab.put("r", column, 1, "v").await;
    }
    let get = |limit, offset| {
        let mut get = Get::new("r");
        get.read.max_results_per_family = Some(limit);
        get.read.row_offset_per_family = offset;
        get
    };
    assert_eq!(lab.get(get(2, 0)).await, "f:a@1=v f:b@1=v g:a@1=v g:b@1=v");
    assert_eq!(lab.get(get(1, 1)).await, "f:b@1=v g:b@1=v");
    assert_eq!(lab.get(get(5, 2)).await, "f:c@1=v");
    // HBase looks at the limit after it has taken a cell.
    assert_eq!(lab.get(get(0, 0)).await, "f:a@1=v g:a@1=v");
}

#[tokio::test]
async fn the_newest_write_to_a_place_wins_wherever_it_lies() {
    let lab = Lab::new([family("f", 3)]).await;
    lab.put("r", "f:q", 5, "first").await;
    lab.flush().await;
    lab.put("r", "f:q", 5, "second").await;
    lab.flush().await;
    assert_eq!(lab.all("r").await, "f:q@5=second");
    lab.put("r", "f:q", 5, "third").await;
    assert_eq!(lab.all("r").await, "f:q@5=third");
    assert_eq!(lab.raw().await, "r[f:q@5=third]");
}

#[tokio::test]
async fn a_get_wants_a_key_known_families_and_at_least_one_version() {
    let lab = Lab::new([family("f", 3)]).await;
    let get = |get| lab.store.get(&lab.table, get);
    assert_eq!(refused(get(Get::new("")).await), "IllegalArgumentException");
    assert_eq!(refused(get(Get::new("r").family("x")).await), "NoSuchColumnFamilyException");
    assert_eq!(refused(get(Get::new("r").versions(0)).await), "IllegalArgumentException");
}
